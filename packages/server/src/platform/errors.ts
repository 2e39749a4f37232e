import type { ProblemMembers } from '@touchstone/contract';
// not from the contract's index, which processes without requests would load only for this
import { ERROR_CODES, type ErrorCode } from '@touchstone/contract/error-codes';

/** The state of a rate limit, sent with every answer to which it applies. */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds of the window. */
  readonly window: number;
  /** Seconds until the oldest hit leaves the window. */
  readonly reset: number;
}

export interface ServiceErrorOptions {
  /** Replaces the sentence of the code. */
  readonly message?: string;
  readonly cause?: unknown;
  readonly retryAfter?: number;
  readonly rateLimit?: RateLimitState;
  readonly members?: ProblemMembers;
}

/**
 * Thrown for a fault, which is answered with the status of its code (`http/problem.ts`); outcomes are data and never thrown.
 * `publicMessage` may be shown to anyone, `cause` is for the log only.
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly publicMessage: string;
  /** Seconds after which a retry makes sense (Retry-After). */
  readonly retryAfter?: number;
  /** The limit that was reached. */
  readonly rateLimit?: RateLimitState;
  readonly members?: ProblemMembers;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    const publicMessage = options.message ?? ERROR_CODES[code];
    super(`${code}: ${publicMessage}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.publicMessage = publicMessage;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
    if (options.rateLimit !== undefined) this.rateLimit = options.rateLimit;
    if (options.members !== undefined) this.members = options.members;
  }
}

/** Anything that was thrown as a fault with a code; an unexpected error is `internal`, with the cause for the log. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('internal', { cause: error });
}

/** The result or error of work for one item of a batch, so that it does not fail the others. */
export async function orError<T>(work: Promise<T>): Promise<T | Error> {
  try {
    return await work;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
