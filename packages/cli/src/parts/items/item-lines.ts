import type { ItemRow } from '@touchstone/catalogue';
import { ITEM_FIELDS, type ItemVerification } from '@touchstone/certificate/item';
import { EXIT, EXIT_OF_CONCLUSION, type ExitCode } from '../../cli-error.ts';
import { type Paint, safe, safeJsonLine, table } from '../../output/text.ts';
import { STYLES } from '../../output/words.ts';

/** A row of a feed, verified or not read. */
export type VerifiedRow =
  | { readonly row: number; readonly result: ItemVerification }
  | Extract<ItemRow, { problem: unknown }>;

/** What is concluded of items alone, besides what is concluded of pages. */
const EXIT_OF_ITEM = {
  item_agrees: EXIT.verified,
  item_unclear: EXIT.verified,
  item_differs: EXIT.failed,
  item_offered_elsewhere: EXIT.cannotTell,
  item_without_page: EXIT.cannotTell,
} as const;

/** The exit code of one row. A row that is no item was not verified. */
function exitOfRow(verified: VerifiedRow): ExitCode {
  if ('problem' in verified) return EXIT.failed;
  const { code } = verified.result.conclusion;
  return code in EXIT_OF_ITEM
    ? EXIT_OF_ITEM[code as keyof typeof EXIT_OF_ITEM]
    : EXIT_OF_CONCLUSION[code as keyof typeof EXIT_OF_CONCLUSION];
}

/** The worst first. */
const ORDER: readonly ExitCode[] = [EXIT.failed, EXIT.cannotTell, EXIT.unverified, EXIT.verified];

/** Counts rows by what is concluded, and the exit code of them all. */
export class FeedTally {
  readonly #counts = new Map<string, { count: number; exit: ExitCode }>();
  rows = 0;

  add(verified: VerifiedRow): ExitCode {
    this.rows++;
    const code = 'problem' in verified ? verified.problem.code : verified.result.conclusion.code;
    const exit = exitOfRow(verified);
    const known = this.#counts.get(code) ?? { count: 0, exit };
    known.count++;
    this.#counts.set(code, known);
    return exit;
  }

  /** A feed without a row is no feed. */
  get exitCode(): ExitCode {
    const exits = new Set([...this.#counts.values()].map(({ exit }) => exit));
    return ORDER.find((code) => exits.has(code)) ?? EXIT.failed;
  }

  summary(): string {
    const rows = [...this.#counts].toSorted(
      ([, a], [, b]) => ORDER.indexOf(a.exit) - ORDER.indexOf(b.exit) || b.count - a.count,
    );
    return table(rows.map(([code, { count }]) => [String(count).padStart(String(this.rows).length), code]));
  }
}

export function jsonLine(verified: VerifiedRow): string {
  const value = 'problem' in verified ? verified : { row: verified.row, ...verified.result };
  return `${safeJsonLine(value)}\n`;
}

/** Row, conclusion and item on one line, and what differs below. */
export function textLines(verified: VerifiedRow, paint: Paint): string {
  if ('problem' in verified) {
    const { row, reason } = verified.problem;
    return `${row === 0 ? 'feed' : `row ${row}`}  ${paint('bad', 'NOT READ')}  ${safe(reason)}\n`;
  }
  const { row, result } = verified;
  const { conclusion, item, fields } = result;
  const names = [item.id, item.name].flatMap((text) => (text === undefined ? [] : [safe(text)])).join('  ');
  const differing = ITEM_FIELDS.filter((name) => fields[name].result === 'differs').map((name) => {
    const { signed, stated } = fields[name];
    return `    ${name}: signed ${shown(signed)}, stated ${shown(stated)}\n`;
  });
  return `row ${row}  ${paint(STYLES[conclusion.level], conclusion.code)}  ${names}\n${differing.join('')}`;
}

/** A value as told to people. */
export function shown(value: string | readonly string[] | undefined): string {
  return safe([value ?? 'nothing'].flat().join(', '));
}
