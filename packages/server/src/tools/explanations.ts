import { type CodeTable, codeTables } from '../docs/code-tables.ts';
import { ADVICE, adviceOn } from './advice.ts';

export interface Explanation {
  readonly code: string;
  /** Which closed list it stands in. */
  readonly kind: string;
  readonly says: string;
  readonly whatToDo: string;
  /** Path in the documentation, under the base address. */
  readonly link: string;
}

/** Made once: most answers with a reason explain it. */
const TABLES: readonly CodeTable[] = codeTables();

/** The code of a warning, error or finding (`code: sentence`), or what stands there alone. */
export function codeOf(note: string): string {
  return note.replace(/:.*/s, '').trim().toLowerCase();
}

/** What a verdict or code means, with its sentence behind it or without; `null` for one that no answer carries. */
export function explainCode(code: string): Explanation | null {
  const wanted = codeOf(code);
  const link = `/docs/codes#${encodeURIComponent(wanted)}`;
  if (Object.hasOwn(ADVICE, wanted)) {
    const { means, whatToDo } = ADVICE[wanted as keyof typeof ADVICE];
    return { code: wanted, kind: 'Verdicts', says: means, whatToDo, link: '/docs/codes' };
  }
  for (const table of TABLES) {
    const row = table.rows.find((one) => one.code === wanted);
    if (row === undefined) continue;
    return {
      code: wanted,
      kind: table.title,
      says: row.sentence,
      whatToDo: adviceOn(wanted)?.whatToDo ?? whatToDo(table, row.status),
      link,
    };
  }
  return null;
}

function whatToDo({ advice }: CodeTable, status: number | undefined): string {
  if (status === undefined) return advice;
  if (status === 429) return 'Wait as long as Retry-After (or retryAfter) says, then ask again.';
  return status >= 500 ? 'Nothing is wrong with what you asked: ask again later.' : advice;
}
