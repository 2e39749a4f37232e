import type { SourceErrorCode } from '@touchstone/catalogue';
import type { CannotVerifyCode } from '@touchstone/certificate';
import type { ProfileStatus, VerifyStatus } from '@touchstone/certificate/verify';
import type { ProblemError } from '@touchstone/contract/client';
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

/**
 * Why a command could not be carried out, where the reason lies with this program or its machine. A fault that the service
 * reports keeps its own code. Closed.
 */
export const CLI_ERRORS = {
  arguments_invalid:
    'An argument, an option or a named file cannot be used, or one is missing; `message` says which. Nothing was done.',
  confirmation_missing: 'This deletes or changes much, and there is nobody to ask: `--yes` confirms it.',
  stopped: 'It was told to stop before its end.',
  service_unreachable: 'The service does not answer.',
  service_not_understood: 'What answers is not the service, or one of another version.',
  service_not_installed: 'The command needs the service, which is installed apart from this program.',
  service_not_started: 'The service cannot start; `message` says what to change.',
  image_unavailable: 'The image cannot be fetched, or cannot be opened.',
  output_not_written: 'What was found cannot be written to the file that was named.',
} as const;

export type CliErrorCode =
  | keyof typeof CLI_ERRORS
  | CannotVerifyCode
  | SourceErrorCode
  | ProblemError['code'];

/** Beside code and message, what a program can use of an error that the service answered with. */
export interface ErrorDetails {
  /** Names the request in the log of the service. */
  readonly requestId?: string;
  /** Seconds. */
  readonly retryAfter?: number;
  /** What cannot be used, one by one, by the name that it has on the command line. */
  readonly errors?: readonly { readonly name: string; readonly msg: string; readonly input?: unknown }[];
}

interface CliErrorOptions {
  readonly exitCode: ExitCode;
  readonly code: CliErrorCode;
  readonly hint?: string | undefined;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/** Ends a command: a code for programs, a sentence for the person, what to do about it, and the exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly code: CliErrorCode;
  readonly hint?: string;
  readonly details: ErrorDetails;

  constructor(message: string, { exitCode, code, hint, details = {}, cause }: CliErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.code = code;
    this.details = details;
    if (hint !== undefined) this.hint = hint;
  }

  /** The same fault, told with what it means for the command that met it. */
  toldAs(message: string, { hint = this.hint, exitCode = this.exitCode } = {}): CliError {
    const { code, details } = this;
    return new CliError(message, { exitCode, code, details, hint, cause: this });
  }
}

/** The command was called in a way that cannot work. */
export function usage(message: string, hint?: string, code: CliErrorCode = 'arguments_invalid'): CliError {
  return new CliError(message, { exitCode: EXIT.usage, code, hint });
}

/** Nothing can be said about what was asked. */
export function cannotTell(code: CliErrorCode, message: string, hint?: string, cause?: unknown): CliError {
  return new CliError(message, { exitCode: EXIT.cannotTell, code, hint, cause });
}
