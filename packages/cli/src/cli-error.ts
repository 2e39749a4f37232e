import type { SourceErrorCode } from '@touchstone/catalogue';
import type { CannotVerifyCode, ConclusionCode } from '@touchstone/certificate';
import type { ProfileStatus } from '@touchstone/certificate/verify';
import type { ProblemError } from '@touchstone/contract/client';

/** Exit codes of the process. No output never means success. */
export const EXIT = {
  verified: 0,
  failed: 1,
  unverified: 2,
  cannotTell: 3,
  usage: 64,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export const EXIT_OF_CONCLUSION: Readonly<Record<ConclusionCode, ExitCode>> = {
  issued_to_proven_host: EXIT.verified,
  // neutral: verified, and nothing speaks against it
  control_unknown: EXIT.verified,
  page_not_compared: EXIT.verified,
  page_unclear: EXIT.verified,
  // verified, but not to be relied on as it stands
  redirected: EXIT.cannotTell,
  page_differs: EXIT.cannotTell,
  control_unproven: EXIT.cannotTell,
  context_foreign: EXIT.cannotTell,
  not_published: EXIT.unverified,
  withdrawn: EXIT.failed,
  not_in_status_list: EXIT.failed,
  suspended: EXIT.unverified,
  withdrawal_unknown: EXIT.cannotTell,
  log_proof_invalid: EXIT.cannotTell,
  log_required: EXIT.cannotTell,
  page_url_invalid: EXIT.failed,
  issuer_untrusted: EXIT.failed,
  not_signed_by_issuer: EXIT.failed,
  host_lost: EXIT.failed,
  altered: EXIT.failed,
  product_list: EXIT.failed,
  another_host_of_shop: EXIT.failed,
  another_host: EXIT.failed,
  another_product: EXIT.failed,
  unknown_parameter: EXIT.failed,
  another_page: EXIT.failed,
  not_yet_valid: EXIT.failed,
  checks_failed: EXIT.failed,
  canonical_mismatch: EXIT.failed,
  invalid_certificate: EXIT.failed,
  unverified: EXIT.unverified,
  no_certificate: EXIT.unverified,
  certificate_expired: EXIT.unverified,
  product_deleted: EXIT.unverified,
  keys_unavailable: EXIT.cannotTell,
  place_unknown: EXIT.cannotTell,
  page_fetch_failed: EXIT.cannotTell,
  password_protected: EXIT.cannotTell,
};

/** Exit codes with `--profile`. */
export const EXIT_OF_PROFILE: Readonly<Record<ProfileStatus, ExitCode>> = {
  trusted: EXIT.verified,
  untrusted: EXIT.failed,
  undetermined: EXIT.cannotTell,
};

/** Codes for failures of this program or its machine. Errors reported by the service keep their own codes. Closed list. */
export const CLI_ERRORS = {
  arguments_invalid:
    'An argument, an option or a named file cannot be used, or one is missing; `message` says which. Nothing was done.',
  confirmation_missing:
    'This deletes or changes many items and cannot ask for confirmation: `--yes` confirms it.',
  stopped: 'The command was stopped before its end.',
  service_unreachable: 'The service does not answer.',
  service_not_understood: 'The response is not from the service, or from another version of it.',
  service_contradicts_itself:
    'The response contradicts the question or itself; `message` says how. It proves nothing.',
  service_not_installed: 'The command needs the service, which is installed separately.',
  node_too_old: 'The command needs a newer Node; `message` names the version.',
  service_not_started: 'The service cannot start; `message` says what to change.',
  database_not_distributed: 'The tables cannot be placed; `message` says why. Those already placed stay so.',
  image_unavailable: 'The image cannot be fetched or opened.',
  feed_unavailable: 'The feed cannot be fetched.',
  feed_unreadable: 'The feed cannot be read to its end; `message` says why. Nothing was written.',
  output_not_written: 'The result cannot be written to the named file.',
  log_not_readable: 'The transparency log, or a part of it, cannot be read; `message` says which.',
  certificate_not_logged:
    'The service has no log with this certificate; it may be signed and not logged yet.',
  witness_not_usable: 'The witness cannot start, or its folder cannot be used; `message` says why.',
} as const;

type CliErrorCode = keyof typeof CLI_ERRORS | CannotVerifyCode | SourceErrorCode | ProblemError['code'];

/** Details of the service's error, for programs. */
export interface ErrorDetails {
  /** Identifies the request in the service's log. */
  readonly requestId?: string | undefined;
  /** In seconds. */
  readonly retryAfter?: number | undefined;
  /** The invalid values, each by its name on the command line. */
  readonly errors?:
    | readonly { readonly name: string; readonly msg: string; readonly input?: unknown }[]
    | undefined;
}

interface CliErrorOptions {
  readonly exitCode: ExitCode;
  readonly code: CliErrorCode;
  readonly hint?: string | undefined;
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/** An error that ends a command: code for programs, message for people, hint on what to do, and exit code. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly code: CliErrorCode;
  readonly hint: string | undefined;
  readonly details: ErrorDetails;

  constructor(message: string, { exitCode, code, hint, details = {}, cause }: CliErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.exitCode = exitCode;
    this.code = code;
    this.details = details;
    this.hint = hint;
  }

  /** A copy with a message that explains the error in terms of the command. */
  withMessage(message: string, { hint = this.hint, exitCode = this.exitCode } = {}): CliError {
    const { code, details } = this;
    return new CliError(message, { exitCode, code, details, hint, cause: this });
  }
}

/** An error for wrong usage of a command. */
export function usage(message: string, hint?: string, code: CliErrorCode = 'arguments_invalid'): CliError {
  return new CliError(message, { exitCode: EXIT.usage, code, hint });
}

/** An error for a question that could not be answered. */
export function cannotTell(code: CliErrorCode, message: string, hint?: string, cause?: unknown): CliError {
  return new CliError(message, { exitCode: EXIT.cannotTell, code, hint, cause });
}
