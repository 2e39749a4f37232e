/** Reasons why no verdict is possible, by code, with a sentence for the caller. */
export const CANNOT_VERIFY = {
  no_trusted_issuer:
    'No issuer is trusted. Name the base address of the service whose certificates you trust.',
  keys_unavailable:
    'The public keys cannot be read at the moment. Keys read before the proof was issued may lack its key.',
  keys_address_unsafe: 'Keys are only taken from an absolute https address, or from this machine.',
} as const;

/** A code of `CANNOT_VERIFY`. */
export type CannotVerifyCode = keyof typeof CANNOT_VERIFY;

/**
 * Thrown when no verdict on a certificate is possible for a reason outside the certificate. Never reported as a failed
 * check: an unreachable key set would otherwise make every genuine certificate look forged.
 *
 * @example
 * ```ts
 * import { CannotVerifyError } from '@touchstone/certificate';
 *
 * const error = new CannotVerifyError('keys_unavailable', 'The address answered 503.');
 * error.code; // 'keys_unavailable'
 * ```
 */
export class CannotVerifyError extends Error {
  override readonly name = 'CannotVerifyError';
  readonly code: CannotVerifyCode;

  constructor(code: CannotVerifyCode, detail?: string, cause?: unknown) {
    super([CANNOT_VERIFY[code], ...(detail === undefined ? [] : [detail])].join(' '), { cause });
    this.code = code;
  }
}
