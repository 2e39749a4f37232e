import type { CodeTable } from '@touchstone/contract/codes';
import type { Explanation } from '@touchstone/contract/tools';
import { explainedConclusion } from './advice.ts';

/** Explains a verdict or code, given with or without its sentence; `null` if it is unknown. */
export type Explain = (code: string) => Explanation | null;

/** The code of a warning, error or finding (`code: sentence`), or of a bare code. */
export function codeOf(note: string): string {
  return note.replace(/:.*/s, '').trim().toLowerCase();
}

/** The verdicts that are no code of a conclusion. */
const VERDICTS: ReadonlyMap<string, string> = new Map([
  [
    'verified',
    'The certificate is signed, and for this domain, this page and this product. Who runs the domain and what the page shows is not part of the verdict.',
  ],
  ['failed', 'The document is signed, but a load-bearing check did not pass.'],
]);

/** @param tables - every closed list of codes (`codeTables`) */
export function createExplain(tables: readonly CodeTable[]): Explain {
  const rows = new Map<string, FoundRow[]>();
  for (const table of tables) {
    if (table.title.startsWith('Conclusions')) continue;
    for (const row of table.rows) rows.set(row.code, [...(rows.get(row.code) ?? []), { table, row }]);
  }
  return (code) => explain(code, rows);
}

interface FoundRow {
  readonly table: CodeTable;
  readonly row: CodeTable['rows'][number];
}

function explain(code: string, rows: ReadonlyMap<string, readonly FoundRow[]>): Explanation | null {
  const wanted = codeOf(code);
  const link = `/docs/codes#${encodeURIComponent(wanted)}`;
  const says = VERDICTS.get(wanted);
  if (says !== undefined) {
    const whatToDo = 'Read the conclusion beside it, and do what that says.';
    return { code: wanted, kind: 'Verdicts', says, whatToDo, link: '/docs/codes' };
  }
  const conclusion = explainedConclusion(wanted);
  const found = rows.get(wanted) ?? [];
  const [first] = found;
  if (first === undefined)
    return conclusion === undefined ? null : { code: wanted, kind: 'Conclusions', ...conclusion, link };
  return {
    code: wanted,
    kind: first.table.title,
    // no code has two meanings, but a later table may say more than the first: its sentence then begins with that of the first
    says: found
      .map(({ row }) => row.sentence)
      .reduce((one, other) => (other.length > one.length ? other : one)),
    whatToDo: conclusion?.whatToDo ?? generalAdvice(first.table, first.row.status),
    link,
  };
}

function generalAdvice({ advice }: CodeTable, status: number | undefined): string {
  if (status === undefined) return advice;
  if (status === 429) return 'Wait as long as Retry-After (or retryAfter) says, then try again.';
  return status >= 500 ? 'The request is not at fault: try again later.' : advice;
}
