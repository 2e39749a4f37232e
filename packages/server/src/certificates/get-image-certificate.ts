import { fullImageCertificate, minimalImageCertificate } from '@touchstone/certificate/issue';
import type { ImageCertificate } from '@touchstone/contract';
import { certificateOf } from '../platform/cache/certificate-cache.ts';
import type { RenderedDocument } from '../platform/http/rendered-document.ts';
import type { CertificateOptions } from './get-certificate.ts';
import { imageIn } from './one-image.ts';
import { loadServedImage } from './served-image.ts';

/**
 * Spec, Endpoints 6: the image-keyed certificate, minimal or full.
 *
 * @throws ServiceError as `loadServedImage` does
 */
export type GetImageCertificate = (
  imageId: string,
  extent: 'minimal' | 'full',
) => Promise<RenderedDocument<ImageCertificate>>;

/** A copy may be kept, but not served unasked: a paused certificate must show at once (decision 55). */
const ASK_EACH_TIME = 'public, no-cache';

export function createGetImageCertificate(options: CertificateOptions): GetImageCertificate {
  const { cache, addresses } = options;

  const load = async (imageId: string, extent: 'minimal' | 'full') => {
    const { asset, proof, authorizedDomains } = await loadServedImage(options, imageId);
    const domains = {
      authorizedDomains: authorizedDomains.map(({ hostname }) => hostname),
      domainVerified: authorizedDomains[0]?.verified === true,
    };
    const signed = {
      jwt: proof.jwt,
      kid: proof.kid,
      issuedAt: proof.issuedAt.toISOString(),
      expiresAt: proof.expiresAt.toISOString(),
    };
    const recorded = imageIn(proof.snapshot, imageId);
    const document =
      extent === 'minimal'
        ? minimalImageCertificate(imageId, domains)
        : fullImageCertificate(proof.snapshot, recorded, signed, domains, addresses);
    return certificateOf(asset, document, proof, ASK_EACH_TIME);
  };

  return (imageId, extent) => {
    const id = imageId.toLowerCase();
    return cache.get(`${extent}:${id}`, () => load(id, extent));
  };
}
