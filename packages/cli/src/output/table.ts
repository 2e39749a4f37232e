/** Rows in aligned columns, two spaces apart, indented by two; the last column is left as long as it is. */
export function table(rows: readonly (readonly Cell[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.text.length);
  }
  return rows.map((row) => `${line(row, widths)}\n`).join('');
}

export interface Cell {
  /** As measured. */
  readonly text: string;
  /** As shown, colours included. */
  readonly shown?: string;
}

function line(row: readonly Cell[], widths: readonly number[]): string {
  const cells = row.map(
    (cell, i) => (cell.shown ?? cell.text) + ' '.repeat((widths[i] ?? 0) - cell.text.length),
  );
  return `  ${cells.join('  ')}`.trimEnd();
}
