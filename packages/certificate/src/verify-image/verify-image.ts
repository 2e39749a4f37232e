import { normalizeHost, sameHost } from '../binding.ts';
import { fieldMatches, type ImageBinding } from './bound-fields.ts';

export interface VerifyImageInput {
  readonly binding: ImageBinding;
  /** Domains that the image's certificate is authorised for; the first is the one it was issued for. */
  readonly authorizedDomains: readonly string[];
  /** Host that the certificate was observed on. */
  readonly domain: string;
  /** Whether the stored proof verifies and says what the record says. No statement on C2PA. */
  readonly certificateConsistency: boolean;
  readonly field?: { readonly name: string; readonly value: string };
}

/** Spec "Verification result (image-keyed)". */
export interface ImageVerificationResult {
  readonly verified: boolean;
  readonly imageId: string;
  readonly authorizedDomain: string;
  readonly currentDomain: string;
  readonly checks: { readonly domainMatches: boolean; readonly certificateConsistency: boolean };
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/** What verifying an image comes to; each kind but `verified` has a status of its own (decision 19). */
export type ImageVerification =
  | { readonly kind: 'verified'; readonly result: ImageVerificationResult }
  | { readonly kind: 'domain_not_authorized'; readonly result: ImageVerificationResult }
  | { readonly kind: 'field_mismatch'; readonly result: ImageVerificationResult }
  | { readonly kind: 'proof_invalid'; readonly result: ImageVerificationResult }
  | { readonly kind: 'field_unsupported'; readonly field: string };

/** Verifies an image-keyed certificate against the host, and a bound field where one is asked for. */
export function verifyImage(input: VerifyImageInput): ImageVerification {
  const { binding, authorizedDomains, field, certificateConsistency } = input;
  const fieldBound = field === undefined ? true : fieldMatches(binding, field.name, field.value);
  if (field !== undefined && fieldBound === null) return { kind: 'field_unsupported', field: field.name };
  const host = normalizeHost(input.domain);
  const domainMatches = authorizedDomains.some((domain) => sameHost(normalizeHost(domain), host));
  const errors = [
    ...(certificateConsistency ? [] : ['proof_invalid: The stored proof of this image does not verify.']),
    ...(domainMatches ? [] : ['domain_not_authorized: The certificate is not authorised for this domain.']),
    ...(fieldBound ? [] : [`field_differs: The image is not bound to this ${field?.name}.`]),
  ];
  const result: ImageVerificationResult = {
    verified: errors.length === 0,
    imageId: binding.imageId,
    authorizedDomain: authorizedDomains[0] ?? '',
    currentDomain: host ?? input.domain,
    checks: { domainMatches, certificateConsistency },
    warnings: [],
    errors,
  };
  if (!certificateConsistency) return { kind: 'proof_invalid', result };
  if (!domainMatches) return { kind: 'domain_not_authorized', result };
  return fieldBound ? { kind: 'verified', result } : { kind: 'field_mismatch', result };
}
