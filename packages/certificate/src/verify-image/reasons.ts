/**
 * Results of verifying an image-keyed certificate other than `verified`, each with its sentence; a closed list, like
 * the reasons of checks. The service's error responses use the same codes.
 */
export const IMAGE_REASONS = {
  proof_invalid: 'The stored proof of this image is not valid, or contradicts the record.',
  domain_not_authorized: 'The certificate of this image is not authorised for this domain.',
  domain_unverified: 'The store has not proven control of this domain.',
  field_differs: 'The image is not bound to this value.',
  field_unsupported: 'Images cannot be bound by a field of this name.',
} as const;

/** A code of `IMAGE_REASONS`. */
export type ImageReason = keyof typeof IMAGE_REASONS;

/**
 * `code: sentence`, the form of every entry in `warnings` and `errors`. Programs should rely on the code; the sentence
 * may change.
 *
 * @example
 * ```ts
 * import { imageNote } from '@touchstone/certificate/verify-image';
 *
 * imageNote('field_differs'); // 'field_differs: The image is not bound to this value.'
 * ```
 */
export function imageNote(code: ImageReason, ...details: readonly string[]): string {
  return [`${code}: ${IMAGE_REASONS[code]}`, ...details].join(' ');
}
