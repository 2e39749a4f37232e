import { ConfigError } from '../settings-reader.ts';
import { MasterKeyError } from '../signing/master-key.ts';
import { StorageStartError } from '../storage/start-error.ts';

/** The service cannot start, and would not without a change; the message says what is wrong and what to do. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** The error as a StartError where it is one of those that an operator can do something about. */
export function asStartError(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof StorageStartError || error instanceof MasterKeyError) {
    return new StartError(error.message, { cause: error });
  }
  return error;
}
