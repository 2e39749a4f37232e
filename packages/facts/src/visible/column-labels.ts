import type { El, HtmlDocument } from '@touchstone/page/document';
import type { Region } from './region.ts';

/** Elements after the heading that are searched for the product's table. */
const MAX_ELEMENTS = 1_500;
/** Maximum columns of a table. */
const MAX_COLUMNS = 12;
const LONGEST = 60;

/** A column's heading and the cell below it. */
export interface ColumnValue {
  readonly label: string;
  readonly value: string;
}

/**
 * The values of the first table with exactly one row below its headings. In tables with more rows, each row is another
 * article.
 */
export function columnValues({ doc, heading }: Region): readonly ColumnValue[] {
  const to = Math.min(doc.elements.length, heading.index + MAX_ELEMENTS);
  for (let i = heading.index; i < to; i++) {
    doc.work.spend();
    const el = doc.elements[i] as El;
    if (el.name !== 'table') continue;
    const [head, row, ...more] = rowsOf(doc, el);
    if (head === undefined || row === undefined || more.length > 0) continue;
    const labels = cellsOf(doc, head);
    const cells = cellsOf(doc, row);
    if (labels.length < 2 || labels.length !== cells.length || labels.some(({ name }) => name !== 'th'))
      continue;
    return labels.map((label, at) => ({
      label: doc.text(label, LONGEST).trim(),
      value: doc.text(cells[at] as El, LONGEST).trim(),
    }));
  }
  return [];
}

function rowsOf(doc: HtmlDocument, table: El): El[] {
  const rows: El[] = [];
  for (let i = table.index; i < table.end && rows.length < 3; i++) {
    doc.work.spend();
    const el = doc.elements[i] as El;
    if (el.name === 'tr') rows.push(el);
  }
  return rows;
}

function cellsOf(doc: HtmlDocument, row: El): El[] {
  const cells: El[] = [];
  for (let i = row.index + 1; i < row.end && cells.length <= MAX_COLUMNS; i++) {
    doc.work.spend();
    const el = doc.elements[i] as El;
    if ((el.name === 'th' || el.name === 'td') && el.parent === row) cells.push(el);
  }
  return cells;
}
