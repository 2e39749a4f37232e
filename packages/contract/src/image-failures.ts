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
  nextStep = 'See that the host serves the image, then retry.',
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

const REDIRECTS = 'Give the address that the image is really at.';

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
  image_connection_failed: host('The connection to the host of the image broke.'),
  image_tls_failed: host('No trusted encrypted connection to the host of the image could be made.'),
  image_timed_out: host('The image took too long to arrive.'),
  image_redirect_invalid: address('The image redirects to an address that cannot be used.', REDIRECTS),
  image_redirect_loop: address('The image redirects in a circle.', REDIRECTS),
  image_too_many_redirects: address('The image redirects more than 5 times.', REDIRECTS),
  image_response_malformed: host('The answer of the image’s host is not sound HTTP.'),
  image_headers_too_large: host('The headers of the answer are too large.'),
  image_too_many_interim_responses: host('The host keeps sending interim answers in place of the image.'),
  image_http_status: host('The host did not answer with the image.'),
  image_encoding_unsupported: host('The image is compressed in a way that is not understood.'),
  image_encoding_broken: host('The compressed image is damaged.'),
  // content
  image_format_unknown: file(
    'The bytes are no JPEG, PNG, WebP, AVIF, HEIC or GIF.',
    'Put an image of one of these formats at the address.',
  ),
  image_cut_off: file(
    'The file begins as an image, but ends or breaks off before it says how large the picture is.',
    'Upload the whole file again.',
  ),
  image_too_large: file('The image is over 20 MB.', 'Put a smaller file at the address.'),
  image_too_many_pixels: file(
    'The image has more than 100 megapixels.',
    'Put a smaller picture at the address.',
  ),
  image_damaged: file(
    'The picture cannot be decoded: its file is damaged or breaks off. It is neither signed nor certified.',
    'Save the picture anew and upload it again.',
  ),
  image_issued_to_another_store: file(
    'The image was signed by this service for another store.',
    'Put a picture of your own at the address, or one without that manifest.',
  ),
  image_manifest_remote: file(
    'The image names a C2PA manifest that lies elsewhere, which is not fetched; signing it would take its place.',
    'Put the file with its manifest inside at the address, or set signRemoteManifests on the store to have it signed anyway.',
  ),
  // this service
  image_network_unavailable: ours(
    'The network of the service is not reachable: no name server, or no way out.',
    'See the network of the service; it is tried again by itself, and costs the image no attempt.',
  ),
  image_store_unavailable: ours(
    'The service has no place for the certified image: its folder or bucket is not reachable, full or read-only.',
    'See the log of the service; it is tried again by itself, and costs the image no attempt.',
  ),
  image_inspection_timed_out: ours('Inspecting the image took too long.', 'It is tried again by itself.'),
  image_inspection_died: ours(
    'Inspecting the image took more memory than it may.',
    'Save the image anew, then retry.',
  ),
  image_signing_failed: ours(
    'The image could not be signed.',
    'See the log of the service; it is tried again.',
  ),
  image_job_lost: ours(
    'The service stopped each time that it scanned the image.',
    'See its log, then retry.',
  ),
  image_fault: ours('Something went wrong on our side.', 'See the log of the service; it is tried again.'),
} as const satisfies Record<`image_${string}`, ImageFailure>;

export type ImageFailureCode = keyof typeof IMAGE_FAILURES;
