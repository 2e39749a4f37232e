import { ServiceError } from '../errors.ts';

/** Anything that was thrown as a fault with a code; an unexpected error is `internal`, with the cause for the log. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    const known = FRAMEWORK_FAULTS[error.code];
    if (known !== undefined) return known(error);
  }
  return new ServiceError('internal', { cause: error });
}

/** Faults that fastify detects before a handler runs. */
const FRAMEWORK_FAULTS: Readonly<Record<string, (cause: Error) => ServiceError>> = {
  FST_ERR_BAD_URL: (cause) =>
    new ServiceError('bad_request', { message: 'The address contains malformed percent-encoding.', cause }),
};
