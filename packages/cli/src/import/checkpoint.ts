import { type LiveCursor, SOURCE_KINDS } from '@touchstone/catalogue';
import { usage } from '../cli-error.ts';
import type { AppendFile, Io } from '../io.ts';
import { isRecord } from '../problem.ts';

/** Progress of an import: a line per batch, written after the service accepted it. */
export interface Checkpoint {
  readonly after: LiveCursor | undefined;
  /** Identifiers of products read by earlier runs. */
  readonly seen: readonly string[];
  add(cursor: LiveCursor, seen: readonly string[]): Promise<void>;
  /** Called when the import is complete: the next one starts from the beginning. */
  remove(): Promise<void>;
  close(): Promise<void>;
}

export const NO_CHECKPOINT: Checkpoint = {
  after: undefined,
  seen: [],
  add: async () => {},
  remove: async () => {},
  close: async () => {},
};

interface Line {
  readonly source: string;
  readonly cursor: LiveCursor;
  readonly seen: readonly string[];
}

/**
 * Opens the checkpoint of an import, or creates it. A line that was truncated when the program ended is ignored: its batch is read again.
 *
 * @throws CliError (usage) for a file that is no checkpoint, or of another source
 */
export async function openCheckpoint(path: string, source: string, io: Io): Promise<Checkpoint> {
  const { lines, whole } = await readLines(path, io);
  const other = lines.find((line) => line.source !== source);
  if (other !== undefined)
    throw usage(
      `${path} is the checkpoint of another import: ${other.source}.`,
      'Use another file, or import that source.',
    );
  const file: AppendFile = await io.appendTo(path);
  if (file.size > whole) await file.truncate(whole);
  return {
    after: lines.at(-1)?.cursor,
    seen: lines.flatMap(({ seen }) => seen),
    add: (cursor, seen) => file.append(`${JSON.stringify({ source, cursor, seen } satisfies Line)}\n`),
    async remove() {
      await file.close();
      await io.removeFile(path);
    },
    close: () => file.close(),
  };
}

async function readLines(path: string, io: Io): Promise<{ lines: Line[]; whole: number }> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of io.readFile(path)) pieces.push(piece);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { lines: [], whole: 0 };
    throw error;
  }
  const bytes = Buffer.concat(pieces);
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const texts = bytes.subarray(0, whole).toString('utf8').split('\n').slice(0, -1);
  return { lines: texts.map((text) => lineOf(text, path)), whole };
}

function lineOf(text: string, path: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (
    isRecord(value) &&
    typeof value.source === 'string' &&
    isCursor(value.cursor) &&
    Array.isArray(value.seen)
  )
    return { source: value.source, cursor: value.cursor, seen: value.seen.map(String) };
  throw usage(`${path} is not a checkpoint of an import.`, 'Use a file that does not exist yet.');
}

function isCursor(value: unknown): value is LiveCursor {
  return (
    isRecord(value) &&
    SOURCE_KINDS.some((kind) => kind === value.kind) &&
    typeof value.url === 'string' &&
    Number.isSafeInteger(value.position)
  );
}
