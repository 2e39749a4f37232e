import { describeIssues } from '../../validation/issues.ts';
import { findBadText } from '../../validation/text.ts';
import { type ProductRow, ProductRowSchema, type RowError } from '../schema/product.ts';

/** One row as far as it can be judged by itself. */
export type CheckedRow =
  | { readonly ok: true; readonly row: ProductRow }
  | { readonly ok: false; readonly externalProductId?: string; readonly errors: readonly RowError[] };

/** Checks one row; all its faults are told, in the words of the validation body (decision 7). */
export function checkRow(value: unknown): CheckedRow {
  const parsed = ProductRowSchema.safeParse(value);
  const part = { name: 'body', schema: ProductRowSchema, root: value, textual: false } as const;
  const errors: RowError[] = parsed.success
    ? []
    : describeIssues(parsed.error.issues, part).map(({ loc, msg, type }) => ({
        loc: loc.slice(1),
        msg,
        type,
      }));
  for (const fault of findBadText(ProductRowSchema, value)) {
    errors.push({ loc: [...fault.path], msg: fault.message, type: fault.type });
  }
  if (parsed.success && errors.length === 0) return { ok: true, row: withDistinctImages(parsed.data) };
  return badRow(value, errors);
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
