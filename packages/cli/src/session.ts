import type { Command } from 'commander';
import { EXIT, type ExitCode } from './cli-error.ts';
import { inputName, type NameOf } from './input-names.ts';
import type { Io } from './io.ts';
import { type Paint, paintFor, safeJson } from './output/text.ts';
import type { GlobalOptions } from './settings.ts';

/** Inputs of a command, and its exit code. */
export class Session {
  readonly io: Io;
  readonly paint: Paint;
  readonly paintErr: Paint;
  exitCode: ExitCode = EXIT.usage;
  /** The running command; absent before. */
  command?: Command;
  readonly nameOf: NameOf = (loc) => inputName(loc, this.command);

  constructor(io: Io) {
    this.io = io;
    this.paint = paintFor(io.stdout, io.env);
    this.paintErr = paintFor(io.stderr, io.env);
  }

  /** Prints a result as JSON or as text. */
  print(options: GlobalOptions, value: unknown, words: () => string): void {
    this.io.stdout.write(options.json === true ? `${safeJson(value)}\n` : words());
  }
}
