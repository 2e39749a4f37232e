/** A closed list of codes, as docs/codes.md shows it. */
export interface CodeTable {
  readonly title: string;
  readonly intro: string;
  /** General advice on its codes. */
  readonly advice: string;
  readonly rows: readonly CodeRow[];
}

export interface CodeRow {
  readonly code: string;
  readonly sentence: string;
  /** HTTP status, for faults. */
  readonly status?: number;
}

/** Rows of codes with their sentences. */
export function codeRows(table: Readonly<Record<string, string>>): CodeRow[] {
  return Object.entries(table).map(([code, sentence]) => ({ code, sentence }));
}

/** Rows of codes with a sentence and the next step. */
export function stepRows(
  table: Readonly<Record<string, { readonly sentence: string; readonly nextStep: string }>>,
): CodeRow[] {
  return Object.entries(table).map(([code, { sentence, nextStep }]) => ({
    code,
    sentence: `${sentence} ${nextStep}`.trim(),
  }));
}
