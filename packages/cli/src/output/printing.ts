import { writeOutUnseen } from '@touchstone/certificate/text';
import type { Output } from '../io.ts';

/** Where an output ends: a stream of the process, or the text that a test collects. */
type Stream = Omit<Output, 'replaceLine'>;

/** The beginning of each colour that this program uses, and the end of all (ECMA-48, SGR). */
export const COLOURS = {
  good: '\u001b[32m',
  bad: '\u001b[31m',
  unsure: '\u001b[33m',
  strong: '\u001b[1m',
  dim: '\u001b[2m',
} as const;
export const COLOUR_END = '\u001b[0m';

const OURS: readonly string[] = [...Object.values(COLOURS), COLOUR_END];
const ANY_OF_OURS = new RegExp(`(${OURS.map((colour) => colour.replace('[', '\\[')).join('|')})`);
/** To the beginning of the line, which is erased. */
const LINE_START = '\r\u001b[K';

/**
 * The only way to standard output and standard error. Whatever text arrives, no character reaches the stream that could
 * control a terminal, reorder text or hide: all are written as escapes (`\u202e`), which in JSON mean the same. Exceptions
 * are line feeds and, on a terminal, the colours of this program. Texts from outside are also made one line where they are
 * put into a sentence or a table (`safe`), since a line feed could begin a line that looks like ours.
 */
export function printing(stream: Stream): Output {
  const { isTerminal, columns } = stream;
  const shown = (text: string) => (isTerminal ? besideColours(text) : writeOutUnseen(text, '\n'));
  return {
    isTerminal,
    columns,
    write: (text) => stream.write(shown(text)),
    replaceLine: (text) =>
      stream.write(
        LINE_START +
          writeOutUnseen(text)
            .slice(0, columns - 1)
            .toWellFormed(),
      ),
  };
}

function besideColours(text: string): string {
  return text
    .split(ANY_OF_OURS)
    .map((part) => (OURS.includes(part) ? part : writeOutUnseen(part, '\n')))
    .join('');
}
