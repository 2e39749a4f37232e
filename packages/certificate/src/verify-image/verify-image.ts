import { normalizeHost, sameHost } from '../binding/hosts.ts';
import { note } from '../verify/reasons.ts';
import type { SignedClaims } from '../verify/types.ts';
import { VERIFIER } from '../version.ts';
import { type ImageReason, imageNote } from './reasons.ts';
import { fieldMatches, type ImageBinding } from './verify-fields.ts';

/** Input of `verifyImage`; plain data. */
export interface VerifyImageInput {
  readonly binding: ImageBinding;
  /**
   * Domains that the image's certificate is authorised for. The first is the one it was issued for, at this service the
   * only one.
   */
  readonly authorizedDomains: readonly AuthorizedDomain[];
  /** Host that the certificate was observed on. */
  readonly domain: string;
  /** Whether the stored proof verifies and equals the record. Not a statement about C2PA. */
  readonly certificateConsistency: boolean;
  /** The claims of the stored proof, as returned by `checkStoredProof`. */
  readonly signed?: SignedClaims;
  /** True: the record could not be read, and this is from shortly before. Default: false. */
  readonly stale?: boolean;
  /** Fail for a domain without proven control, instead of a warning. */
  readonly requireVerifiedDomain?: boolean;
  /** A field to check as well, one of `VERIFY_FIELDS`, and the value that was observed. */
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
  /** The requested host, normalised if it is valid. */
  readonly currentDomain: string;
  /** The signed claims; absent unless the signature is valid. */
  readonly signed?: SignedClaims;
  readonly checks: { readonly domainMatches: boolean; readonly certificateConsistency: boolean };
  /** `code: sentence`. */
  readonly warnings: readonly string[];
  /** `code: sentence`, one per failure. */
  readonly errors: readonly string[];
  /** Name and version of the verifier. */
  readonly verifier: string;
}

type Failure = Exclude<ImageReason, 'field_unsupported'>;

/** Result of verifying an image; each kind maps to an HTTP status: 403 for a mismatch, 422 for an unsupported field. */
export type ImageVerification =
  | { readonly kind: 'verified' | Failure; readonly result: ImageVerificationResult }
  | { readonly kind: 'field_unsupported'; readonly field: string };

/**
 * Verifies an image-keyed certificate against the host and, if given, a bound field. Every check runs; if several fail,
 * `kind` is the first in this order: the proof, the domain, its control, the field.
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
    warnings: [
      ...(unverified && !isRequired ? [imageNote('domain_unverified')] : []),
      ...(input.stale === true ? [note('registry_stale')] : []),
    ],
    errors: failures.map((code) =>
      imageNote(code, ...(code === 'field_differs' ? [`Asked: ${field?.name}.`] : [])),
    ),
    verifier: VERIFIER,
  };
  return { kind: failures[0] ?? 'verified', result };
}
