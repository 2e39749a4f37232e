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
  return [
    ...unplaced(text, tables),
    ...unlockable(text, tables),
    ...apart(text, tables),
    ...besideLocal(text, tables),
    ...recursive(text, tables),
    ...notImmutable(text, tables),
  ];
}

/** Words that may follow the name of a table and are no alias. */
const NO_ALIAS =
  'where|on|set|join|left|inner|cross|order|group|limit|for|union|values|select|using|returning|offset|full|natural|from';
const TABLE = new RegExp(
  `\\b(?:from|join|into|update|using) (?:only )?([a-z_]+)(?: as)?(?: (?!(?:${NO_ALIAS})\\b)([a-z_]+))?`,
  'g',
);

function* unplaced(text: string, tables: ReadonlySet<string>): Generator<string> {
  for (const match of text.matchAll(TABLE)) {
    const [, table = '', word = ''] = match;
    if (!tables.has(table)) continue;
    const column = placingColumn(table);
    const names = word === '' ? [table] : [table, word];
    if (names.some((name) => new RegExp(`\\b${name}\\.${column}\\b`).test(text))) continue;
    // also the list of columns of an insert
    if (new RegExp(`(?<![.\\w])${column}\\b`).test(levelBehind(text, match.index))) continue;
    yield `${table} without its ${column}`;
  }
}

/** Locks of rows whose merchant is looked up by the same statement: every shard is asked, and none may lock. */
function* unlockable(text: string, tables: ReadonlySet<string>): Generator<string> {
  for (const match of text.matchAll(TABLE)) {
    const [, table = ''] = match;
    if (!tables.has(table)) continue;
    const column = placingColumn(table);
    const behind = withoutNested(levelBehind(text, match.index));
    if (/\bfor (?:no key update|update|key share|share)\b/.test(behind) && behind.includes(`${column} = ()`))
      yield `a lock of ${table} by an expression for its ${column}`;
  }
}

/**
 * Tables that are joined only through what is no table of merchants: through a subquery with a limit, which nothing is known of
 * outside, or two of them through a column of a CTE.
 */
function* apart(text: string, tables: ReadonlySet<string>): Generator<string> {
  const aliases = new Map(
    [...text.matchAll(TABLE)].flatMap(([, table = '', word = '']) =>
      tables.has(table) ? [[word === '' ? table : word, placingColumn(table)] as const] : [],
    ),
  );
  const limited = new Set(
    [...text.matchAll(/\b(?:offset|limit) \S+\) (?:as )?([a-z_]+)/g)].map(([, alias]) => alias),
  );
  const places = [...aliases].map(([alias, column]) => `${alias}.${column}`);
  const joined = new Map(places.map((place) => [place, [...equalTo(text, place)]]));
  const through = places.filter((place) => {
    const others = joined.get(place) ?? [];
    return (
      others.length > 0 && others.every((other) => /^[a-z_]+\.[a-z_]+$/.test(other) && !joined.has(other))
    );
  });
  for (const place of through)
    if (joined.get(place)?.some((other) => limited.has(other.split('.')[0])))
      yield `${place} equals a column of a subquery with a limit`;
  const ofCtes = through.filter((place) => joined.get(place)?.every((other) => isOfCte(text, other)));
  const isLinked = (place: string) => places.some((other) => joined.get(other)?.includes(place));
  const alone = ofCtes.filter((place) => !isLinked(place));
  if (alone.length > 1) yield `${alone.join(' and ')} are joined through a CTE alone`;
}

function* equalTo(text: string, place: string): Generator<string> {
  const escaped = place.replace('.', '\\.');
  for (const [, other = ''] of text.matchAll(
    new RegExp(`(?<![.\\w])${escaped} = (any\\b|[\\w.$]+|\\()`, 'g'),
  ))
    yield other;
  for (const [, other = ''] of text.matchAll(new RegExp(`([\\w.$]+|\\)) = ${escaped}\\b`, 'g'))) yield other;
}

const isOfCte = (text: string, column: string) =>
  new RegExp(`\\b${column.split('.')[0]} as (?:not )?(?:materialized )?\\(`).test(text);

/** A table of merchants and one that lies elsewhere in one FROM clause, beside a subquery of each row: such a subquery reaches no shard. */
function* besideLocal(text: string, tables: ReadonlySet<string>): Generator<string> {
  for (const match of text.matchAll(TABLE)) {
    const [, table = ''] = match;
    if (!(table in GLOBAL_TABLES)) continue;
    const level = levelAround(text, match.index);
    const own = withoutNested(level);
    const [, other = ''] = [...own.matchAll(TABLE)].find(([, name = '']) => tables.has(name)) ?? [];
    if (other === '') continue;
    const nested = [...level.matchAll(/\(select\b/g)].map(({ index }) => levelBehind(level, index + 1));
    if (nested.some((inner) => [...inner.matchAll(TABLE)].some(([, name = '']) => tables.has(name))))
      yield `${other} joined with ${table}, which lies elsewhere, beside a subquery`;
  }
}

/** Recursive queries run where one merchant is named, not beside columns that name many. */
function* recursive(text: string, tables: ReadonlySet<string>): Generator<string> {
  if (!/\bwith recursive\b/.test(text)) return;
  for (const [, table = ''] of text.matchAll(TABLE))
    if (tables.has(table)) yield `${table} in a recursive query`;
}

/** The text within the parentheses that contain `index`. */
function levelAround(text: string, index: number): string {
  let depth = 0;
  for (let at = index; at >= 0; at -= 1) {
    if (text[at] === ')') depth += 1;
    if (text[at] === '(') depth -= 1;
    if (depth < 0) return levelBehind(text, at + 1);
  }
  return levelBehind(text, 0);
}

/** The text without what is in its parentheses. */
function withoutNested(text: string): string {
  let depth = 0;
  let kept = '';
  for (const character of text) {
    if (character === ')') depth -= 1;
    if (depth <= 0) kept += character;
    if (character === '(') depth += 1;
  }
  return kept;
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
/** A time and an interval are added by a stable function, which must not be given a column. */
const INTERVAL_OF_COLUMN = /\bset (?:(?!\b(?:from|where)\b).)*\bmake_interval\(\w+ => [a-z_.]+\)/;
const CONFLICT_CLOCK = new RegExp(`\\bdo update set\\b.*\\b(?:${CLOCK})\\(\\)`);

function* notImmutable(text: string, tables: ReadonlySet<string>): Generator<string> {
  for (const match of text.matchAll(/\b(insert into|update|delete from) (?:only )?([a-z_]+)/g)) {
    if (!tables.has(match[2] ?? '')) continue;
    const written = levelBehind(text, match.index);
    const [volatile] = VOLATILE.exec(written) ?? [];
    if (volatile !== undefined) yield `${volatile} in a write of ${match[2]}`;
    if (match[1] === 'update' && INTERVAL_OF_COLUMN.test(written))
      yield `an interval of a column in a write of ${match[2]}`;
    if (match[1] === 'update' && CONDITIONAL_CLOCK.test(written))
      yield `the clock in a condition of a write of ${match[2]}`;
    if (match[1] === 'insert into' && CONFLICT_CLOCK.test(written))
      yield `the clock in a write of ${match[2]} at a conflict`;
  }
}

/** The tables of merchants among these. */
export const tablesOfMerchants = (tables: readonly string[]): ReadonlySet<string> =>
  new Set(tables.filter((table) => !(table in GLOBAL_TABLES)));
