import {
  type CatalogueProduct,
  type CatalogueRow,
  type ReadCatalogueOptions,
  readCatalogue,
} from './index.ts';
import type { CatalogueSource } from './source.ts';

/** For tests: all rows of a catalogue of `https://shop.example`. */
export async function rowsOf(
  source: CatalogueSource,
  options: Partial<ReadCatalogueOptions> = {},
): Promise<CatalogueRow[]> {
  const rows: CatalogueRow[] = [];
  for await (const row of readCatalogue(source, { storeUrl: 'https://shop.example', ...options }))
    rows.push(row);
  return rows;
}

/** For tests: the products alone; fails on a problem. */
export async function productsOf(
  source: CatalogueSource,
  options: Partial<ReadCatalogueOptions> = {},
): Promise<CatalogueProduct[]> {
  const rows = await rowsOf(source, options);
  return rows.map((row) => {
    if ('problem' in row) throw new Error(row.problem.reason);
    return row.product;
  });
}

/** For tests: the notes of all rows, as `code detail`. */
export function notesOf(rows: readonly CatalogueRow[]): string[] {
  return rows.flatMap((row) =>
    'problem' in row ? [] : row.notes.map(({ code, detail }) => `${code} ${detail}`.trim()),
  );
}

/** For tests: the problems, as `row code`. */
export function problemsOf(rows: readonly CatalogueRow[]): string[] {
  return rows.flatMap((row) => ('problem' in row ? [`${row.problem.row} ${row.problem.code}`] : []));
}
