import type { ConclusionCode, PageVerdict } from '@touchstone/certificate';
import { cannotTell, EXIT, EXIT_OF_CONCLUSION, usage } from '../cli-error.ts';
import { openInput } from '../files.ts';
import type { AppendFile, Io } from '../io.ts';
import { safeJsonLine } from '../output/text.ts';
import { isRecord } from '../problem.ts';
import { type ConcludedReport, concludedBy, exitOf, type RelianceOptions } from '../verify/reliance.ts';

/** Why one page has no verdict, while the batch continues. */
export const BATCH_ERRORS = {
  address_invalid: 'The line is not an absolute http or https address.',
  request_refused: 'The service refuses to fetch this address.',
  service_error: 'The service failed on this page.',
  service_contradicts_itself: 'The service contradicts itself about this page.',
  network_unavailable: 'The page cannot be reached over the network of this machine.',
} as const;

export type BatchError = keyof typeof BATCH_ERRORS;

/** Outcome of a page: its verdict, why one that is verified is not to be relied on, or why there is no verdict. */
export type Outcome = 'verified' | ConclusionCode | BatchError;

/** One line of the results file. */
export interface BatchRecord {
  /** Line of the address in the list. */
  readonly line: number;
  readonly url: string;
  readonly verdict?: PageVerdict;
  /** The service's response, or the report of the local check. */
  readonly report?: unknown;
  readonly error?: { readonly code: BatchError; readonly message: string };
}

/** Every line begins with this, also a truncated one. */
const BEGINNING = '{"line":';

export function lineOf(record: BatchRecord): string {
  const { line, ...rest } = record;
  return `${safeJsonLine({ line, ...rest })}\n`;
}

/** Address and outcome of a line of earlier results; `null` for any other line. */
function outcomeOfLine(
  text: string,
  options: RelianceOptions,
): { readonly url: string; readonly outcome: Outcome } | null {
  if (!text.startsWith(BEGINNING)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || typeof value.url !== 'string') return null;
  const outcome = outcomeOf(value as unknown as BatchRecord, options);
  return outcome === null ? null : { url: value.url, outcome };
}

/** The outcome of a record; `null` if it has none that we know. */
export function outcomeOf({ report, error }: BatchRecord, options: RelianceOptions): Outcome | null {
  const concluded =
    isRecord(report) && isRecord(report.conclusion) ? (report as unknown as ConcludedReport) : undefined;
  if (concluded === undefined) return isOutcome(error?.code) ? error.code : null;
  const isReserved = concluded.verdict === 'verified' && exitOf(concluded, options) !== EXIT.verified;
  const outcome = isReserved ? concludedBy(concluded, options) : concluded.verdict;
  return isOutcome(outcome) ? outcome : null;
}

/** Whether this can be a record that was truncated when the process ended. */
function isTorn(text: string): boolean {
  return text.startsWith(BEGINNING) || BEGINNING.startsWith(text);
}

/** Whether a page need not be checked again; only failures on our side or the service's are retried. */
export function isSettled(outcome: Outcome): boolean {
  return !['service_error', 'service_contradicts_itself', 'network_unavailable'].includes(outcome);
}

function isOutcome(value: unknown): value is Outcome {
  return (
    typeof value === 'string' &&
    (value === 'verified' || Object.hasOwn(EXIT_OF_CONCLUSION, value) || Object.hasOwn(BATCH_ERRORS, value))
  );
}

/** The results file. Written records survive the end of the process, however it ends. */
interface ResultsFile {
  /** Outcomes of earlier runs, by address; the last one of several. */
  readonly before: ReadonlyMap<string, Outcome>;
  /** Resolves when the record is written. @throws CliError (could not tell) if it cannot be written */
  write(record: BatchRecord): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the results file for appending. A last line that was truncated when a process died is removed.
 *
 * @throws CliError (usage) if it contains anything but results; the file is then left unchanged
 */
export async function openResults(path: string, io: Io, options: RelianceOptions): Promise<ResultsFile> {
  const file = await io.appendTo(path).catch((error: unknown) => {
    throw usage(`The results cannot be written to ${path}: ${reasonOf(error)}`);
  });
  try {
    const before = new Map<string, Outcome>();
    const whole = file.size === 0 ? 0 : await readBefore(path, io, { before, options });
    if (whole < file.size) await file.truncate(whole);
    return { before, write: writerTo(file, path), close: () => file.close() };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Number of bytes in complete lines. */
async function readBefore(
  path: string,
  io: Io,
  { before, options }: { readonly before: Map<string, Outcome>; readonly options: RelianceOptions },
): Promise<number> {
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
      const known = outcomeOfLine(line, options);
      if (known === null) throw foreign(path);
      before.set(known.url, known.outcome);
    }
  }
  if (!isTorn(rest)) throw foreign(path);
  return whole;
}

function foreign(path: string): Error {
  return usage(
    `${path} contains something other than results of this command.`,
    'Name another file: --out <file>.',
  );
}

/** Writes lines one after another: concurrent writes could interleave. */
function writerTo(file: AppendFile, path: string): ResultsFile['write'] {
  let last = Promise.resolve();
  return (record) => {
    last = last
      .then(() => file.append(lineOf(record)))
      .catch((error: unknown) => {
        throw cannotTell(
          'output_not_written',
          `The results cannot be written to ${path}: ${reasonOf(error)}`,
          'Free some disk space, and run it again.',
        );
      });
    return last;
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
