import { EXIT, type ExitCode } from './exit-codes.ts';

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
