import { type ProductRow, ProductRowSchema, type RowError } from '@touchstone/contract';
import { checkValue } from '@touchstone/contract/validation';

/** One row as far as it can be judged by itself. */
export type CheckedRow =
  | { readonly ok: true; readonly row: ProductRow }
  | { readonly ok: false; readonly externalProductId?: string; readonly errors: readonly RowError[] };

/** Checks one row; all its faults are told, in the words of the validation body (decision 7). */
export function checkRow(value: unknown): CheckedRow {
  const checked = checkValue(ProductRowSchema, value);
  if (checked.ok) return { ok: true, row: withDistinctImages(checked.value) };
  return badRow(
    value,
    checked.faults.map(({ loc, msg, type }) => ({ loc: [...loc], msg, type })),
  );
}

/** A row in error, named as far as it names itself. */
export function badRow(value: unknown, errors: readonly RowError[]): CheckedRow {
  const id =
    typeof value === 'object' && value !== null && 'externalProductId' in value
      ? value.externalProductId
      : undefined;
  return typeof id === 'string'
    ? { ok: false, externalProductId: id.slice(0, 200).toWellFormed(), errors }
    : { ok: false, errors };
}

/** Feeds repeat an image; the first of equal addresses counts, since contentUrl is unique (decision 3). */
function withDistinctImages(row: ProductRow): ProductRow {
  if (row.images === undefined) return row;
  const seen = new Set<string>();
  return { ...row, images: row.images.filter(({ url }) => !seen.has(url) && seen.add(url)) };
}
