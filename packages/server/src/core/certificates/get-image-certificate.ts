import type { ProductSnapshot } from '@touchstone/certificate';
import {
  fullImageCertificate,
  type ImageDomains,
  minimalImageCertificate,
} from '@touchstone/certificate/issue';
import type { AuthorizedDomain } from '@touchstone/certificate/verify-image';
import type { ImageCertificate } from '@touchstone/contract';
import { ServiceError } from '../../platform/errors.ts';
import type { RenderedDocument } from '../../platform/http/rendered-document.ts';
import type { CertificateOptions } from './get-product-certificate.ts';
import { imageIn, snapshotOfImage } from './image-snapshot.ts';
import type { LoadedAsset, SnapshotLoader } from './load-snapshot.ts';
import type { Proof } from './proof.ts';
import type { ProofStore } from './proof-store.ts';
import { ASK_EACH_TIME, renderCertificate } from './rendered-certificate.ts';
import { type ProofSubject, signedBy } from './signed-document.ts';

/**
 * Spec, Endpoints 6: the image-keyed certificate, minimal or full.
 *
 * @throws ServiceError as `loadServedImage` does
 */
export type GetImageCertificate = (
  imageId: string,
  extent: 'minimal' | 'full',
) => RenderedDocument<ImageCertificate> | Promise<RenderedDocument<ImageCertificate>>;

export function createGetImageCertificate(options: CertificateOptions): GetImageCertificate {
  const { cache, addresses } = options;

  const load = async (imageId: string, extent: 'minimal' | 'full') => {
    const { asset, proof, subject } = await loadServedImage(options, imageId);
    const recorded = imageIn(proof.snapshot, imageId);
    const { domains = subject.snapshot.domains } = proof.snapshot;
    const document =
      extent === 'minimal'
        ? minimalImageCertificate(imageId, domains)
        : fullImageCertificate(proof.snapshot, recorded, signedBy(proof), domains, addresses);
    // a paused certificate must show at once
    return renderCertificate(asset, document, proof, ASK_EACH_TIME);
  };

  return (imageId, extent) => {
    const id = imageId.toLowerCase();
    return cache.get(`${extent}:${id}`, () => load(id, extent));
  };
}

/** An image, as its image-keyed certificate describes it. */
export interface ImageSubject extends ProofSubject {
  readonly snapshot: ProductSnapshot & { readonly domains: ImageDomains };
}

/** An image whose certificate is served now, with its proof. */
export interface ServedImage {
  readonly asset: LoadedAsset;
  readonly proof: Proof;
  /** The current subject of the proof. */
  readonly subject: ImageSubject;
  /** The domain it was issued for, and no other, as for product certificates. */
  readonly authorizedDomains: readonly AuthorizedDomain[];
}

/**
 * Reads an image for its image-keyed certificate; the most general fault first, so that guessing ids reveals nothing.
 *
 * @throws ServiceError `image_certificate_unknown`: unknown, removed, no image at all, given up unopened, or of a product that is
 *   disabled, deleted, or hidden by its merchant; `certificate_paused`: the plan does not carry it now;
 *   `signer_unavailable`, `database_unavailable`
 */
export async function loadServedImage(
  { snapshots, proofs }: { readonly snapshots: SnapshotLoader; readonly proofs: ProofStore },
  imageId: string,
): Promise<ServedImage> {
  const asset = await snapshots.asset(imageId);
  if (asset === null || !asset.isImage || asset.image.givenUp)
    throw new ServiceError('image_certificate_unknown');
  if (asset.why === 'paused' || asset.why === 'no_slot') throw new ServiceError('certificate_paused');
  if (asset.state === 'not_active') throw new ServiceError('image_certificate_unknown');
  const { snapshot, image, domains } = asset;
  const authorizedDomains = domains.filter(({ hostname }) => hostname === snapshot.domain);
  const subject: ImageSubject = {
    merchantId: asset.merchantId,
    kind: 'image',
    id: image.imageId,
    withdrawnAt: asset.withdrawnAt,
    snapshot: {
      ...snapshotOfImage(snapshot, image),
      domains: {
        authorizedDomains: authorizedDomains.map(({ hostname }) => hostname),
        domainVerified: authorizedDomains[0]?.verified === true,
      },
    },
  };
  return { asset, proof: await proofs.proofFor(subject), subject, authorizedDomains };
}
