import { writeOutUnseen } from '@touchstone/certificate/text';
import type { Io, Output } from '../io.ts';
import { COLOUR_END, COLOURS } from './printing.ts';

/** One line of untrusted text, safe for a terminal: control, bidirectional and invisible characters are escaped. */
export function safe(text: string): string {
  return writeOutUnseen(text);
}

/** JSON output, with the same escapes where JSON itself has none. */
export function safeJson(value: unknown): string {
  return writeOutUnseen(JSON.stringify(value, null, 2), '\n');
}

/** The same on one line, for NDJSON. */
export function safeJsonLine(value: unknown): string {
  return writeOutUnseen(JSON.stringify(value));
}

/** `1 page`, `2 pages`: a regular noun in singular or plural. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Entries under a title, if not empty; an empty string without entries. */
export function list(title: string, entries: readonly string[]): string {
  if (entries.length === 0) return '';
  return `${title === '' ? '' : `${title}\n`}${entries.map((entry) => `  - ${safe(entry)}\n`).join('')}`;
}

/** Rows in aligned columns, two spaces apart, indented by two; the last column is not padded. */
export function table(cells: readonly (readonly Cell[])[]): string {
  const rows = cells.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? { text: safe(cell) } : { ...cell, text: safe(cell.text) })),
  );
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.text.length);
  }
  return rows.map((row) => `${line(row, widths)}\n`).join('');
}

/** Untrusted text, or one with its coloured form. */
export type Cell = string | ColouredCell;

interface ColouredCell {
  /** The text that is measured; made safe. */
  readonly text: string;
  /** The text that is shown, with colours; already safe. */
  readonly shown?: string;
}

function line(row: readonly ColouredCell[], widths: readonly number[]): string {
  const cells = row.map(
    (cell, i) => (cell.shown ?? cell.text) + ' '.repeat((widths[i] ?? 0) - cell.text.length),
  );
  return `  ${cells.join('  ')}`.trimEnd();
}

export type Style = keyof typeof COLOURS;

/** Colours text, or returns it unchanged. */
export type Paint = (style: Style, text: string) => string;

/** Colours only on a terminal, and not with NO_COLOR (no-color.org: set and not empty). */
export function paintFor(output: Pick<Output, 'isTerminal'>, env: Io['env']): Paint {
  const wanted = output.isTerminal && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  return wanted ? (style, text) => `${COLOURS[style]}${text}${COLOUR_END}` : (_, text) => text;
}

/** Facts as `name: value`, with the number of images. */
export function factsOf(facts: unknown): (readonly [string, string])[] {
  const stated: (readonly [string, string])[] = [];
  const all = Object(facts) as Readonly<Record<string, { readonly value?: unknown } | null>>;
  for (const [name, fact] of Object.entries(all)) {
    if (Array.isArray(fact) && fact.length > 0) stated.push([name, String(fact.length)]);
    else if (typeof fact?.value === 'string') stated.push([name, shorten(fact.value)]);
  }
  return stated;
}

function shorten(value: string): string {
  return value.length <= 100 ? value : `${value.slice(0, 100).toWellFormed()}…`;
}
