import { GLOBAL_TABLES, placingColumn } from './placement.ts';

/** Statements about all merchants at once, which every shard answers, or that no distributed engine runs yet; and why they are so. */
export interface AcrossMerchants {
  /** A piece of the statement by which it is recognised. */
  readonly piece: string;
  readonly why: string;
}

/**
 * Why a statement would not run, or not on the shard of its merchant alone, where tables are distributed; empty: it would. Reads words,
 * not grammar: of each table of merchants that is named after `from`, `join`, `into`, `update` or `using`, the column that
 * places it must be mentioned for that table, or unqualified behind it at the same level of parentheses. Citus itself decides
 * (docs/measurements.md has what was tried); this keeps what was gained.
 */
export function placementFaults(statement: string, tables: ReadonlySet<string>): readonly string[] {
  const text = statement
    .replace(/--[^\n]*/g, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
  return [...unplaced(text, tables), ...notImmutable(text, tables)];
}

const TABLE = /\b(from|join|into|update|using) (?:only )?([a-z_]+)(?: as)?(?: ([a-z_]+))?/g;
/** Words that may follow the name of a table and are no alias. */
const NO_ALIAS = new Set(
  'where on set join left inner cross order group limit for union values select using returning offset full natural'.split(
    ' ',
  ),
);

function* unplaced(text: string, tables: ReadonlySet<string>): Generator<string> {
  for (const match of text.matchAll(TABLE)) {
    const [, , table = '', word = ''] = match;
    if (!tables.has(table)) continue;
    const column = placingColumn(table);
    const names = word === '' || NO_ALIAS.has(word) ? [table] : [table, word];
    if (names.some((name) => new RegExp(`\\b${name}\\.${column}\\b`).test(text))) continue;
    // also the list of columns of an insert
    if (new RegExp(`(?<![.\\w])${column}\\b`).test(levelBehind(text, match.index))) continue;
    yield `${table} without its ${column}`;
  }
}

/** The text from `start` to the end of the parentheses that contain it. */
function levelBehind(text: string, start: number): string {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth < 0) return text.slice(start, at);
  }
  return text.slice(start);
}

const VOLATILE = /\b(clock_timestamp|gen_random_uuid|random|timeofday)\(\)/;
const CLOCK = 'now|statement_timestamp|transaction_timestamp';
/** A stable function is computed before a row is written, but for conditions and what a conflict sets. */
const CONDITIONAL_CLOCK = new RegExp(`\\bcase\\b(?:(?!\\bend\\b).)*\\b(?:${CLOCK})\\(\\)`);
const CONFLICT_CLOCK = new RegExp(`\\bdo update set\\b.*\\b(?:${CLOCK})\\(\\)`);

function* notImmutable(text: string, tables: ReadonlySet<string>): Generator<string> {
  for (const match of text.matchAll(/\b(insert into|update|delete from) (?:only )?([a-z_]+)/g)) {
    if (!tables.has(match[2] ?? '')) continue;
    const written = levelBehind(text, match.index);
    const [volatile] = VOLATILE.exec(written) ?? [];
    if (volatile !== undefined) yield `${volatile} in a write of ${match[2]}`;
    if (match[1] === 'update' && CONDITIONAL_CLOCK.test(written))
      yield `the clock in a condition of a write of ${match[2]}`;
    if (match[1] === 'insert into' && CONFLICT_CLOCK.test(written))
      yield `the clock in a write of ${match[2]} at a conflict`;
  }
}

/** The tables of merchants among these. */
export const tablesOfMerchants = (tables: readonly string[]): ReadonlySet<string> =>
  new Set(tables.filter((table) => !(table in GLOBAL_TABLES)));
