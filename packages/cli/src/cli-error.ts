import type { ProfileStatus, VerifyStatus } from '@touchstone/certificate/verify';
import type { PageVerdict } from '@touchstone/page';

/** What the process answers its caller. Silence never means success. */
export const EXIT = {
  verified: 0,
  failed: 1,
  unverified: 2,
  cannotTell: 3,
  usage: 64,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_OF_VERDICT: Readonly<Record<PageVerdict | VerifyStatus, ExitCode>> = {
  verified: EXIT.verified,
  failed: EXIT.failed,
  checks_failed: EXIT.failed,
  canonical_mismatch: EXIT.failed,
  invalid_certificate: EXIT.failed,
  unverified: EXIT.unverified,
  no_certificate: EXIT.unverified,
  certificate_expired: EXIT.unverified,
  product_deleted: EXIT.unverified,
  page_fetch_failed: EXIT.cannotTell,
  password_protected: EXIT.cannotTell,
};

/** With `--profile`. */
export const EXIT_OF_PROFILE: Readonly<Record<ProfileStatus, ExitCode>> = {
  trusted: EXIT.verified,
  untrusted: EXIT.failed,
  undetermined: EXIT.cannotTell,
};

/** Ends a command: a sentence for the person, what to do about it, and the exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly hint?: string;

  constructor(message: string, options: { exitCode: ExitCode; hint?: string; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CliError';
    this.exitCode = options.exitCode;
    if (options.hint !== undefined) this.hint = options.hint;
  }
}

/** The command was called in a way that cannot work. */
export function usage(message: string, hint?: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage, ...(hint === undefined ? {} : { hint }) });
}

/** Nothing can be said about what was asked. */
export function cannotTell(message: string, hint?: string, cause?: unknown): CliError {
  return new CliError(message, { exitCode: EXIT.cannotTell, ...(hint === undefined ? {} : { hint }), cause });
}
