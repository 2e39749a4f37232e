import { normalizeHost, sameHost } from '../binding/hosts.ts';
import type { SignedClaims } from '../verify/types.ts';
import { VERIFIER } from '../version.ts';
import { type ImageReason, imageNote } from './reasons.ts';
import { fieldMatches, type ImageBinding } from './verify-fields.ts';

/** What `verifyImage` is asked; plain data. */
export interface VerifyImageInput {
  readonly binding: ImageBinding;
  /** Domains that the image's certificate is authorised for; the first, at this service the only one, is that it was issued for. */
  readonly authorizedDomains: readonly AuthorizedDomain[];
  /** Host that the certificate was observed on. */
  readonly domain: string;
  /** Whether the stored proof verifies and says what the record says. No statement on C2PA. */
  readonly certificateConsistency: boolean;
  /** What the stored proof says, as `checkStoredProof` answers it. */
  readonly signed?: SignedClaims;
  /** A domain whose control is not proven does not pass, where it would otherwise be a warning. */
  readonly requireVerifiedDomain?: boolean;
  /** A field to check too, by a name of `VERIFY_FIELDS`, and the value that was observed. */
  readonly field?: { readonly name: string; readonly value: string };
}

/** A domain of the store that the image's product belongs to. */
export interface AuthorizedDomain {
  readonly hostname: string;
  /** The merchant has proven that it controls the host. */
  readonly verified: boolean;
}

/** Spec "Verification result (image-keyed)". */
export interface ImageVerificationResult {
  readonly verified: boolean;
  readonly imageId: string;
  /** The domain that the certificate was issued for. */
  readonly authorizedDomain: string;
  /** The host that was asked about, normalised where it is one. */
  readonly currentDomain: string;
  /** What was signed; absent unless the signature is valid. */
  readonly signed?: SignedClaims;
  readonly checks: { readonly domainMatches: boolean; readonly certificateConsistency: boolean };
  /** `code: sentence`. */
  readonly warnings: readonly string[];
  /** `code: sentence`, one per failure. */
  readonly errors: readonly string[];
  /** Name and version of the verifier that judged. */
  readonly verifier: string;
}

type Failure = Exclude<ImageReason, 'field_unsupported'>;

/** What verifying an image comes to; each kind has an HTTP status of its own: 403 is a mismatch, 422 no question. */
export type ImageVerification =
  | { readonly kind: 'verified' | Failure; readonly result: ImageVerificationResult }
  | { readonly kind: 'field_unsupported'; readonly field: string };

/**
 * Verifies an image-keyed certificate against the host, and a bound field where one is asked for. Every check
 * runs; of several failures the kind is that of the first in this order: the proof, the domain, its
 * control, the field.
 *
 * @example
 * ```ts
 * import { verifyImage } from '@touchstone/certificate/verify-image';
 *
 * const binding = {
 *   imageId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
 *   productId: '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6',
 *   externalProductId: 'cup-1',
 *   productUrl: 'https://shop.example/products/cup',
 *   storeUrl: 'https://shop.example/',
 *   imageUrl: 'https://shop.example/cup-front.jpg',
 *   platform: 'custom',
 * } as const;
 * const authorizedDomains = [{ hostname: 'shop.example', verified: true }];
 * const input = { binding, authorizedDomains, certificateConsistency: true };
 * verifyImage({ ...input, domain: 'shop.example' }).kind; // 'verified'
 * verifyImage({ ...input, domain: 'copy.example' }).kind; // 'domain_not_authorized'
 * ```
 */
export function verifyImage(input: VerifyImageInput): ImageVerification {
  const { binding, authorizedDomains, field, certificateConsistency, signed } = input;
  const fieldBound = field === undefined ? true : fieldMatches(binding, field.name, field.value);
  if (field !== undefined && fieldBound === null) return { kind: 'field_unsupported', field: field.name };
  const host = normalizeHost(input.domain);
  const domain = authorizedDomains.find(({ hostname }) => sameHost(normalizeHost(hostname), host));
  const unverified = domain?.verified === false;
  const isRequired = input.requireVerifiedDomain === true;
  const failures: Failure[] = [];
  if (!certificateConsistency) failures.push('proof_invalid');
  if (domain === undefined) failures.push('domain_not_authorized');
  if (unverified && isRequired) failures.push('domain_unverified');
  if (!fieldBound) failures.push('field_differs');
  const result: ImageVerificationResult = {
    verified: failures.length === 0,
    imageId: binding.imageId,
    authorizedDomain: authorizedDomains[0]?.hostname ?? '',
    currentDomain: host ?? input.domain,
    ...(signed === undefined ? {} : { signed }),
    checks: { domainMatches: domain !== undefined, certificateConsistency },
    warnings: unverified && !isRequired ? [imageNote('domain_unverified')] : [],
    errors: failures.map((code) =>
      imageNote(code, ...(code === 'field_differs' ? [`Asked: ${field?.name}.`] : [])),
    ),
    verifier: VERIFIER,
  };
  return { kind: failures[0] ?? 'verified', result };
}
