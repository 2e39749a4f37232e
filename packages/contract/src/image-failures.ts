export interface ImageFailure {
  readonly sentence: string;
  /** What the merchant or the operator can do about it. */
  readonly nextStep: string;
  /** Whether a retry is likely to succeed, so that it is scheduled soon. */
  readonly isTransient: boolean;
}

const address = (sentence: string, nextStep = 'Correct the address of the image.'): ImageFailure => ({
  sentence,
  nextStep,
  isTransient: false,
});
const host = (
  sentence: string,
  nextStep = 'Make sure that the host serves the image, then retry.',
): ImageFailure => ({
  sentence,
  nextStep,
  isTransient: true,
});
const file = (sentence: string, nextStep: string): ImageFailure => ({
  sentence,
  nextStep,
  isTransient: false,
});
const ours = (sentence: string, nextStep: string): ImageFailure => ({
  sentence,
  nextStep,
  isTransient: true,
});

const REDIRECTS = 'Use the final address of the image.';

/** Every reason for which the scan of an image can fail. A closed list (docs/codes.md). */
export const IMAGE_FAILURES = {
  // fetching
  image_url_invalid: address('The address of the image is not an absolute http or https URL.'),
  image_scheme_blocked: address('Only http and https addresses are fetched.'),
  image_port_blocked: address('Images are fetched from the ports for http and https only.'),
  image_address_blocked: address(
    'The address of the image leads to a host that is not on the public internet.',
  ),
  image_host_unknown: host('The host name of the image does not exist or has no address.'),
  image_dns_failed: host('The name servers of the image’s host give no usable answer.'),
  image_connection_refused: host('The host of the image refuses the connection.'),
  image_connection_failed: host('The connection to the host of the image was interrupted.'),
  image_tls_failed: host('No trusted TLS connection to the host of the image could be established.'),
  image_timed_out: host('The image took too long to arrive.'),
  image_redirect_invalid: address('The image redirects to an address that cannot be used.', REDIRECTS),
  image_redirect_loop: address('The image redirects in a loop.', REDIRECTS),
  image_too_many_redirects: address('The image redirects more than 5 times.', REDIRECTS),
  image_response_malformed: host('The response of the image’s host is not valid HTTP.'),
  image_headers_too_large: host('The response headers are too large.'),
  image_too_many_interim_responses: host('The host keeps sending interim responses instead of the image.'),
  image_http_status: host('The host did not answer with the image.'),
  image_encoding_unsupported: host('The content encoding of the image is not supported.'),
  image_encoding_broken: host('The compressed image is damaged.'),
  // content
  image_format_unknown: file(
    'The file is not a JPEG, PNG, WebP, AVIF, HEIC or GIF image.',
    'Put an image of one of these formats at the address.',
  ),
  image_cut_off: file(
    'The file begins as an image but ends before it states the size of the picture.',
    'Upload the whole file again.',
  ),
  image_too_large: file('The image is over 20 MB.', 'Put a smaller file at the address.'),
  image_too_many_pixels: file(
    'The image has more than 100 megapixels.',
    'Put a smaller picture at the address.',
  ),
  image_damaged: file(
    'The picture cannot be decoded: its file is damaged or incomplete. It is neither signed nor certified.',
    'Save the picture again and upload it.',
  ),
  image_issued_to_another_store: file(
    'The image was signed by this service for another store.',
    'Use a picture of your own, or one without that manifest.',
  ),
  image_manifest_remote: file(
    'The image refers to a C2PA manifest stored elsewhere, which is not fetched; signing the image would replace it.',
    'Use a file with an embedded manifest, or set signRemoteManifests on the store to have the image signed anyway.',
  ),
  // this service
  image_network_unavailable: ours(
    'The network of the service is not available: there is no name server or no route.',
    'Check the network of the service; the image is retried automatically, without counting an attempt.',
  ),
  image_store_unavailable: ours(
    'The service cannot store the certified image: its folder or bucket is not reachable, full or read-only.',
    'See the log of the service; the image is retried automatically, without counting an attempt.',
  ),
  image_inspection_timed_out: ours('Inspecting the image took too long.', 'It is retried automatically.'),
  image_inspection_died: ours(
    'Inspecting the image needed more memory than allowed.',
    'Save and upload the image again, then retry.',
  ),
  image_signing_failed: ours(
    'The image could not be signed.',
    'See the log of the service; it is retried automatically.',
  ),
  image_job_lost: ours(
    'The service stopped each time it scanned the image.',
    'See the log of the service, then retry.',
  ),
  image_fault: ours(
    'Something went wrong on our side.',
    'See the log of the service; it is retried automatically.',
  ),
} as const satisfies Record<`image_${string}`, ImageFailure>;

export type ImageFailureCode = keyof typeof IMAGE_FAILURES;
