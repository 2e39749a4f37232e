/** Why there is no verdict, by code; the sentences are for whoever calls. */
export const CANNOT_VERIFY = {
  no_trusted_issuer:
    'No issuer is trusted. Name the base address of the service whose certificates you trust.',
  keys_unavailable: 'The public keys cannot be read at the moment.',
  keys_address_unsafe: 'Keys are only taken from an absolute https address, or from this machine.',
} as const;

/** A code of `CANNOT_VERIFY`. */
export type CannotVerifyCode = keyof typeof CANNOT_VERIFY;

/**
 * Nothing can be said about a certificate, for a reason that is not the certificate's. Never a failed check: a
 * key set that is not reachable would otherwise make every honest certificate look forged.
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
