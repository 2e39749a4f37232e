import { cannotTell, usage } from '../cli-error.ts';
import { openInput } from '../input.ts';
import type { AppendFile, Io } from '../io.ts';
import { type BatchRecord, isTorn, lineOf, type Outcome, outcomeOfLine } from './record.ts';

/** Results on disk: what is in stays in, whenever and however the process ends. */
export interface ResultsFile {
  /** What earlier runs found, by address; of several the last. */
  readonly before: ReadonlyMap<string, Outcome>;
  /** Resolved once it is written. @throws CliError (could not tell) when it cannot be */
  write(record: BatchRecord): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the file of results to go on where it ends. A last line that was torn when a process died is cut off.
 *
 * @throws CliError (usage) when it holds anything but results: then nothing is changed in it
 */
export async function openResults(path: string, io: Io): Promise<ResultsFile> {
  const file = await io.appendTo(path).catch((error: unknown) => {
    throw usage(`The results cannot be written to ${path}: ${reasonOf(error)}`);
  });
  try {
    const before = new Map<string, Outcome>();
    const whole = file.size === 0 ? 0 : await readBefore(path, io, before);
    if (whole < file.size) await file.truncate(whole);
    return { before, write: writerTo(file, path), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Bytes of the whole lines. */
async function readBefore(path: string, io: Io, before: Map<string, Outcome>): Promise<number> {
  const decoder = new TextDecoder();
  let rest = '';
  let whole = 0;
  let read = 0;
  for await (const piece of openInput(path, io)) {
    const newline = piece.lastIndexOf(0x0a);
    if (newline >= 0) whole = read + newline + 1;
    read += piece.length;
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const told = outcomeOfLine(line);
      if (told === null) throw foreign(path);
      before.set(told.url, told.outcome);
    }
  }
  if (!isTorn(rest)) throw foreign(path);
  return whole;
}

function foreign(path: string): Error {
  return usage(
    `${path} holds something else than results of this command.`,
    'Name another file: --out <file>.',
  );
}

/** Writes one line after the other: two at once could be mixed. */
function writerTo(file: AppendFile, path: string): ResultsFile['write'] {
  let last = Promise.resolve();
  return (record) => {
    last = last
      .then(() => file.append(lineOf(record)))
      .catch((error: unknown) => {
        throw cannotTell(
          `The results cannot be written to ${path}: ${reasonOf(error)}`,
          'Make room, and run it again.',
        );
      });
    return last;
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
