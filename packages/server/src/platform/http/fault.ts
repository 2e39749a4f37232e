import { ServiceError } from '../errors.ts';

/** Anything that was thrown as a fault with a code; an unexpected error is `internal`, with the cause for the log. */
export function toServiceError(error: unknown): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError('internal', { cause: error });
}
