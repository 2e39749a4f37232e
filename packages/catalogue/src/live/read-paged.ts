import { fileProblem, type Reading } from '../draft.ts';
import { CATALOGUE_LIMITS, overLimit } from '../limits.ts';
import { readCatalogue } from '../read.ts';
import type { CatalogueRow, CatalogueShape } from '../types.ts';
import type { LiveBatch, LiveCursor, SourceKind } from './cursor.ts';
import { discard, type PoliteWeb, SourceError } from './web.ts';

/** APIs of platforms that list products page by page. */
export type Paged = Exclude<SourceKind, 'document' | 'sitemap'>;

/** Products per page of WooCommerce's APIs: their maximum. */
const PER_PAGE = 100;

export function pageAddress(kind: Paged, home: string, page: number): string {
  const base = home.replace(/\/+$/, '');
  switch (kind) {
    case 'shopify':
      return `${base}/products.json?limit=250&page=${page}`;
    case 'woocommerce':
      return `${base}/wp-json/wc/store/v1/products?per_page=${PER_PAGE}&page=${page}`;
    case 'woocommerce-rest':
      return `${base}/wp-json/wc/v3/products?per_page=${PER_PAGE}&page=${page}&status=any`;
  }
}

const SHAPE_OF: Readonly<Record<Paged, CatalogueShape>> = {
  shopify: 'shopify-json',
  woocommerce: 'woocommerce-store-api',
  'woocommerce-rest': 'woocommerce-rest-v3',
};

/** The products of an API after the cursor. */
export async function* pagedBatches(
  web: PoliteWeb,
  found: LiveCursor,
  reading: Reading,
): AsyncGenerator<LiveBatch, void, undefined> {
  const kind = found.kind as Paged;
  let row = 0;
  // as stated by each page
  const totals = new Set<number>();
  for (let page = found.position + 1; ; page++) {
    if (page > CATALOGUE_LIMITS.pages.most) {
      const rows = [fileProblem('source_cut', overLimit('pages'))];
      yield { rows, cursor: { kind: found.kind, url: found.url, position: page - 1 }, skipped: 0 };
      return;
    }
    const answer = await web.get(pageAddress(kind, found.url, page));
    const cursor: LiveCursor = { kind: found.kind, url: found.url, position: page };
    const cut = (reason: string) => ({ rows: [fileProblem('source_cut', reason)], cursor, skipped: 0 });
    if (answer.status !== 200) {
      await discard(answer);
      // some APIs end a list with 400 or 404; the first page must exist
      if (page > 1 && (answer.status === 400 || answer.status === 404)) {
        if (kind === 'shopify') yield cut(`Shopify shows no more than ${row} products this way.`);
        else if (isCut(page, totals)) yield cut(CUT_LIST);
        return;
      }
      throw new SourceError('source_changed', `Page ${page} answered ${answer.status}.`);
    }
    const rows: CatalogueRow[] = [];
    const options = { storeUrl: reading.store.href, rebase: reading.rebase, shape: SHAPE_OF[kind] };
    for await (const read of readCatalogue(answer.body, options)) {
      // the rows of a page are held until it ends
      if (rows.length === CATALOGUE_LIMITS.rowsOfPage.most)
        throw new SourceError('source_too_heavy', `Page ${page}: ${overLimit('rowsOfPage')}`);
      rows.push(numbered(read, row));
    }
    const [first] = rows;
    if (first !== undefined && 'problem' in first && first.problem.code === 'no_products') {
      if (isCut(page, totals)) yield cut(CUT_LIST);
      return;
    }
    if (first !== undefined && 'problem' in first && first.problem.row === 0)
      throw new SourceError('source_changed', `Page ${page}: ${first.problem.reason}`);
    row += rows.length;
    if (answer.total !== undefined) totals.add(answer.total);
    yield { rows, cursor, skipped: 0, ...(answer.total === undefined ? {} : { total: answer.total }) };
  }
}

const CUT_LIST = 'Its list changed while it was read, or ended early: a product may be missing.';

/** Whether products may be missing from a list that ended at this page. */
function isCut(page: number, totals: ReadonlySet<number>): boolean {
  return totals.size > 1 || [...totals].some((total) => (page - 1) * PER_PAGE < total);
}

function numbered(row: CatalogueRow, before: number): CatalogueRow {
  if (!('problem' in row)) return { ...row, row: row.row + before };
  const number = row.problem.row === 0 ? 0 : row.problem.row + before;
  return { problem: { ...row.problem, row: number } };
}
