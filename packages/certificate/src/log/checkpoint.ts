import { decodeBase64, encodeBase64, HASH_BYTES, parseDecimal } from './bytes.ts';
import { isNoteText } from './key-name.ts';
import type { TreeHead } from './merkle.ts';

/** What a log signs of its tree (tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  /** The identity of the log. */
  readonly origin: string;
  /** Lines of no meaning to us. */
  readonly extensions: readonly string[];
}

/**
 * Parses the text of a checkpoint's note.
 *
 * @param text - of the note, with its final newline
 * @returns `checkpoint_malformed` also for a tree of more than 2^53 - 1 leaves
 * @example
 * ```ts
 * import { formatCheckpoint, parseCheckpoint } from '@touchstone/certificate/log';
 *
 * const text = formatCheckpoint({ origin: 'example.com/log', size: 3, root: new Uint8Array(32), extensions: [] });
 * const checkpoint = parseCheckpoint(text);
 * checkpoint === 'checkpoint_malformed' ? 0 : checkpoint.size; // 3
 * ```
 */
export function parseCheckpoint(text: string): Checkpoint | 'checkpoint_malformed' {
  const lines = text.split('\n');
  const [origin = '', decimal = '', encoded = '', ...rest] = lines;
  const size = parseDecimal(decimal);
  const root = decodeBase64(encoded);
  const extensions = rest.slice(0, -1);
  // the text ends with a newline, and no line is empty
  if (rest.at(-1) !== '' || origin === '' || extensions.includes('')) return 'checkpoint_malformed';
  if (size === null || root?.length !== HASH_BYTES || !isNoteText(text)) return 'checkpoint_malformed';
  return { origin, size, root, extensions };
}

/**
 * Writes the text of a checkpoint's note.
 *
 * @example
 * ```ts
 * import { formatCheckpoint } from '@touchstone/certificate/log';
 *
 * formatCheckpoint({ origin: 'a.example/log', size: 0, root: new Uint8Array(3), extensions: [] }); // 'a.example/log\n0\nAAAA\n'
 * ```
 */
export function formatCheckpoint({ origin, size, root, extensions }: Checkpoint): string {
  return [origin, size, encodeBase64(root), ...extensions].map((line) => `${line}\n`).join('');
}
