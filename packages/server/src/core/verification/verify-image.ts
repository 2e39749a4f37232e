import type { ImageSnapshot, ProductSnapshot } from '@touchstone/certificate';
import type { Addresses, BoundMembers, Sha256 } from '@touchstone/certificate/issue';
import {
  type AuthorizedDomain,
  checkStoredProof,
  type ImageBinding,
  type ImageVerificationResult,
  VERIFY_FIELDS,
  verifyImage,
} from '@touchstone/certificate/verify-image';
import type { FreshCache, Loaded } from '../../platform/cache/fresh-cache.ts';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';
import { loadServedImage } from '../certificates/get-image-certificate.ts';
import { imageIn } from '../certificates/image-snapshot.ts';
import type { LoadedAsset, SnapshotLoader } from '../certificates/load-snapshot.ts';
import type { ProofStore } from '../certificates/proof-store.ts';
import { invalidation } from '../certificates/rendered-certificate.ts';
import { boundMembers } from '../certificates/signed-document.ts';
import type { KeyRing } from '../keys/key-ring.ts';

export interface VerifyImageRequest {
  readonly imageId: string;
  /** Hostname on which the certificate was observed. */
  readonly domain: string;
  readonly verifyField?: string | undefined;
  readonly fieldValue?: string | undefined;
}

/**
 * Spec, Endpoints 6: whether the certificate of an image is valid on a domain and for a value to which it is bound. Only
 * verified results are returned; every other outcome is a fault with the status that the specification defines, and the
 * full result in its member `result`.
 *
 * @throws ServiceError as `loadServedImage` does; `field_unsupported`, `field_value_missing`, `proof_invalid`,
 *   `domain_not_authorized`, `domain_unverified`, `field_differs`, `keys_unavailable`
 */
export type VerifyImage = (request: VerifyImageRequest) => Promise<ImageVerificationResult>;

export interface VerifyImageOptions {
  readonly snapshots: SnapshotLoader;
  readonly proofs: ProofStore;
  readonly keys: Pick<KeyRing, 'trusted' | 'trustedNow' | 'areStale'>;
  /** Cached data of images, used while they are proven to be current. */
  readonly facts: FreshCache<ImageFacts>;
  /** The base address is the `iss` of our proofs. */
  readonly addresses: Addresses;
  readonly sha256: Sha256;
  readonly clock: Clock;
  /** Setting `REQUIRE_VERIFIED_DOMAIN`. */
  readonly requireVerifiedDomain: boolean;
}

/** The data of an image that its verification needs. */
export interface ImageFacts {
  readonly binding: ImageBinding;
  readonly authorizedDomains: readonly AuthorizedDomain[];
  /** Its product in the registry now, without other images. */
  readonly product: ProductSnapshot;
  readonly image: ImageSnapshot;
  /** Members of the document rendered from this data. */
  readonly bound: BoundMembers;
  /** The stored proof. */
  readonly jwt: string;
  /** Read before the database was lost. */
  readonly stale?: true;
}

export function createVerifyImage(options: VerifyImageOptions): VerifyImage {
  const { keys, facts, addresses, clock, requireVerifiedDomain } = options;
  return async ({ imageId, domain, verifyField, fieldValue }) => {
    const id = imageId.toLowerCase();
    const known = await facts.get(id, () => load(options, id));
    const { binding, authorizedDomains, product, image, bound, jwt } = known;
    const field = fieldOf(verifyField, fieldValue);
    const record = { issuer: addresses.baseUrl, now: clock(), product, image, bound };
    const cached = await checkStoredProof(jwt, { ...record, keySet: await keys.trusted() });
    // without a valid signature: another node may have signed with a key that is newer than the cached ones
    const stored =
      cached.signed === undefined
        ? await checkStoredProof(jwt, { ...record, keySet: await keys.trustedNow() })
        : cached;
    const verification = verifyImage({
      binding,
      authorizedDomains,
      domain,
      ...stored,
      stale: known.stale === true || keys.areStale(),
      requireVerifiedDomain,
      ...(field === undefined ? {} : { field }),
    });
    if (verification.kind === 'field_unsupported') throw fieldUnsupported();
    const { kind, result } = verification;
    if (kind !== 'verified') throw new ServiceError(kind, { members: { result } });
    return result;
  };
}

async function load(options: VerifyImageOptions, imageId: string): Promise<Loaded<ImageFacts>> {
  const { asset, proof, subject, authorizedDomains } = await loadServedImage(options, imageId);
  const product = subject.snapshot;
  const image = imageIn(product, imageId);
  const bound = await boundMembers(subject, proof, options);
  const value = { binding: bindingOf(asset), authorizedDomains, product, image, bound, jwt: proof.jwt };
  return { value, bytes: 2 * JSON.stringify(value).length, ...invalidation(asset, proof) };
}

/** Checks the name first: an unsupported field is refused whatever its value. */
function fieldOf(name: string | undefined, value: string | undefined) {
  if (name === undefined) return undefined;
  if (!VERIFY_FIELDS.includes(name)) throw fieldUnsupported();
  if (value === undefined) throw new ServiceError('field_value_missing');
  return { name, value };
}

function fieldUnsupported(): ServiceError {
  const message = `Images cannot be bound by a field of this name. Supported fields: ${VERIFY_FIELDS.join(', ')}.`;
  return new ServiceError('field_unsupported', { message });
}

function bindingOf({ snapshot, image, platform }: LoadedAsset): ImageBinding {
  const { sku, gtin } = snapshot;
  return {
    imageId: image.imageId,
    productId: snapshot.productId,
    externalProductId: snapshot.externalProductId,
    productUrl: snapshot.url,
    storeUrl: snapshot.storeUrl,
    imageUrl: image.contentUrl,
    platform,
    ...(sku === undefined ? {} : { sku }),
    ...(gtin === undefined ? {} : { gtin }),
  };
}
