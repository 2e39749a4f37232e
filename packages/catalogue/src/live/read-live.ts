import { fileProblem, type Reading } from '../draft.ts';
import { readCatalogue } from '../read.ts';
import { textPieces } from '../source.ts';
import { parseStoreUrl } from '../store-url.ts';
import type { CatalogueRow, CatalogueShape } from '../types.ts';
import { type ReadProductPage, rowOfPage } from './pages.ts';
import { listPages } from './sitemap.ts';
import { bytesOf, discard, type LiveAnswer, type LiveWeb, PoliteWeb, SourceError } from './web.ts';

/** Where the products of a shop come from. */
export const SOURCE_KINDS = ['shopify', 'woocommerce', 'woocommerce-rest', 'document', 'sitemap'] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** Says what was read: who has it may go on from there. */
export interface LiveCursor {
  readonly kind: SourceKind;
  /** The front page, or the document. */
  readonly url: string;
  /** Pages of the interface, rows of the document, or pages of the sitemap, that were read. */
  readonly position: number;
}

/** Some rows, and where they end. */
export interface LiveBatch {
  readonly rows: readonly CatalogueRow[];
  readonly cursor: LiveCursor;
  /** Products, or pages, in all, where that is known. */
  readonly total?: number;
  /** Pages that state no product, and were not said to. */
  readonly skipped: number;
}

export interface ReadLiveOptions {
  readonly web: LiveWeb;
  readonly readPage: ReadProductPage;
  /** Address of the shop front that products are put on. Default: where the address leads. */
  readonly storeUrl?: string;
  /** Default: found out. */
  readonly kind?: SourceKind;
  readonly rebase?: boolean;
  /** Goes on behind this. */
  readonly after?: LiveCursor;
  /** `key:secret` of WooCommerce's REST interface, which tells hidden products, too. */
  readonly wooCommerceKey?: string;
  /** Milliseconds between two requests; 500 by default. */
  readonly interval?: number;
  readonly onWait?: (reason: string, milliseconds: number) => void;
}

const INTERVAL = 500;
/** Products of a page of WooCommerce, the most that it gives. */
const PAGE_OF_LIST = 100;
/** Rows of a document, pages of a sitemap, in one batch. */
const DOCUMENT_ROWS = 500;
const PAGE_ROWS = 20;
/** Bytes of one page of a platform's interface. */
const INTERFACE_BYTES = 64_000_000;
/** Characters at the beginning of an answer that tell what it is. */
const TELLING = 2_048;
/** What a sitemap begins with. A comment ends at the first `-->`: else a row of comments could be read in any number of ways. */
const SITEMAP = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:urlset|sitemapindex)\b/s;

/**
 * Reads the catalogue of a live shop: by Shopify's `/products.json`, WooCommerce's Store API or REST v3, a feed or file at
 * the address itself, or else the product pages that its sitemaps name. One request at a time, not faster than the interval,
 * waiting where the shop says so. Every product comes out as a row, or with the reason why it is none.
 *
 * @throws SourceError where the shop cannot be read (further); the last cursor says where to go on
 */
export async function* readLive(
  url: string,
  options: ReadLiveOptions,
): AsyncGenerator<LiveBatch, void, undefined> {
  const headers: Record<string, string> =
    options.wooCommerceKey === undefined ? {} : { authorization: `Basic ${btoa(options.wooCommerceKey)}` };
  const { onWait, interval = INTERVAL } = options;
  const web = new PoliteWeb(options.web, { interval, ...(onWait === undefined ? {} : { onWait }) });
  const keyed = new PoliteWeb(options.web, {
    interval,
    headers,
    ...(onWait === undefined ? {} : { onWait }),
  });
  const found = options.after ?? (await findSource(url, web, keyed, options));
  const seen = new Set<string>();
  const store = parseStoreUrl(options.storeUrl ?? homeOf(found.url));
  if (store === null) throw new TypeError('storeUrl must be an absolute http or https address');
  const live: Live = {
    web: found.kind === 'woocommerce-rest' ? keyed : web,
    found,
    reading: { store, rebase: options.rebase ?? true },
    readPage: options.readPage,
  };
  for await (const batch of batchesOf(live)) {
    // a list that grows while it is paged through shows some products again
    const rows = batch.rows.filter((row) => {
      if ('problem' in row) return true;
      const isNew = !seen.has(row.product.externalProductId);
      seen.add(row.product.externalProductId);
      return isNew;
    });
    yield { ...batch, rows };
  }
}

interface Live {
  readonly web: PoliteWeb;
  readonly found: LiveCursor;
  readonly reading: Reading;
  readonly readPage: ReadProductPage;
}

function batchesOf(live: Live): AsyncGenerator<LiveBatch, void, undefined> {
  switch (live.found.kind) {
    case 'document':
      return documentBatches(live);
    case 'sitemap':
      return sitemapBatches(live);
    default:
      return pagedBatches(live);
  }
}

const homeOf = (url: string): string => new URL('/', url).href;

type Paged = Exclude<SourceKind, 'document' | 'sitemap'>;

function pageAddress(kind: Paged, home: string, page: number): string {
  const base = home.replace(/\/+$/, '');
  switch (kind) {
    case 'shopify':
      return `${base}/products.json?limit=250&page=${page}`;
    case 'woocommerce':
      return `${base}/wp-json/wc/store/v1/products?per_page=${PAGE_OF_LIST}&page=${page}`;
    case 'woocommerce-rest':
      return `${base}/wp-json/wc/v3/products?per_page=${PAGE_OF_LIST}&page=${page}&status=any`;
  }
}

const SHAPE_OF: Readonly<Record<Paged, CatalogueShape>> = {
  shopify: 'shopify-json',
  woocommerce: 'woocommerce-store-api',
  'woocommerce-rest': 'woocommerce-rest-v3',
};

/** Asks the address itself, then what platforms answer below it. */
async function findSource(
  url: string,
  web: PoliteWeb,
  keyed: PoliteWeb,
  { kind, wooCommerceKey }: ReadLiveOptions,
): Promise<LiveCursor> {
  if (kind === 'document') return { kind, url, position: 0 };
  const answer = await web.get(url);
  const { finalUrl } = answer;
  const begin = answer.status === 200 ? await beginningOf(answer) : '';
  if (answer.status !== 200) await discard(answer);
  if (kind === undefined && SITEMAP.test(begin)) return { kind: 'sitemap', url: finalUrl, position: 0 };
  if (kind === undefined && begin !== '' && !/<(?:!doctype html|html|head|body)\b/i.test(begin))
    return { kind: 'document', url: finalUrl, position: 0 };
  const home = frontPage(finalUrl);
  const candidates: readonly Paged[] =
    wooCommerceKey === undefined
      ? ['shopify', 'woocommerce']
      : ['woocommerce-rest', 'shopify', 'woocommerce'];
  for (const candidate of candidates) {
    if (kind !== undefined && kind !== candidate) continue;
    const asked = await (candidate === 'woocommerce-rest' ? keyed : web).get(pageAddress(candidate, home, 1));
    if (await isCatalogue(asked)) return { kind: candidate, url: home, position: 0 };
  }
  if (kind === undefined || kind === 'sitemap') {
    const { pages } = await listPages(web, new URL(home));
    if (pages.length > 0) return { kind: 'sitemap', url: home, position: 0 };
  }
  if (answer.status === 401 || answer.status === 403)
    throw new SourceError('source_refused', `It answered ${answer.status}.`);
  const detail = answer.status === 200 ? '' : `The address answered ${answer.status}. `;
  throw new SourceError(
    'source_unknown',
    `${detail}Neither Shopify, WooCommerce nor a sitemap answers below ${home}; a feed or an export can be read by its own address or as a file.`,
  );
}

/** Without the name of a page: where platforms have their interfaces, a locale included. */
function frontPage(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/[^/]*\.[^/]*$/, '').replace(/\/+$/, '');
}

async function beginningOf(answer: LiveAnswer): Promise<string> {
  let text = '';
  try {
    for await (const piece of textPieces(answer.body)) {
      text += piece;
      if (text.length >= TELLING) break;
    }
  } catch {
    // no text: its reader says so
    if (text === '') return '?';
  }
  return text.slice(0, TELLING);
}

async function isCatalogue(answer: LiveAnswer): Promise<boolean> {
  if (answer.status !== 200) {
    await discard(answer);
    return false;
  }
  const bytes = await bytesOf(answer, INTERFACE_BYTES);
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array()));
    return Array.isArray(value) || Array.isArray((value as { products?: unknown } | null)?.products);
  } catch {
    return false;
  }
}

async function* pagedBatches({ web, found, reading }: Live): AsyncGenerator<LiveBatch, void, undefined> {
  const kind = found.kind as Paged;
  let row = 0;
  // as each page told it
  const totals = new Set<number>();
  for (let page = found.position + 1; ; page++) {
    const answer = await web.get(pageAddress(kind, found.url, page));
    const cursor = { ...found, position: page };
    const cut = (reason: string) => ({ rows: [fileProblem('source_cut', reason)], cursor, skipped: 0 });
    if (answer.status !== 200) {
      await discard(answer);
      // some end a list by 400 or 404; the first pages must be there
      if (page > 1 && (answer.status === 400 || answer.status === 404)) {
        if (kind === 'shopify') yield cut(`Shopify shows no more than ${row} products this way.`);
        else if (isCut(page, totals)) yield cut(CUT_LIST);
        return;
      }
      throw new SourceError('source_changed', `Page ${page} answered ${answer.status}.`);
    }
    const rows: CatalogueRow[] = [];
    const options = { storeUrl: reading.store.href, rebase: reading.rebase, shape: SHAPE_OF[kind] };
    for await (const read of readCatalogue(answer.body, options)) rows.push(numbered(read, row));
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

const CUT_LIST = 'Its list changed while it was read, or ended early: a product may have been passed over.';

/** Whether products may be missing from a list that ended at this page. */
function isCut(page: number, totals: ReadonlySet<number>): boolean {
  return totals.size > 1 || [...totals].some((total) => (page - 1) * PAGE_OF_LIST < total);
}

function numbered(row: CatalogueRow, before: number): CatalogueRow {
  if (!('problem' in row)) return { ...row, row: row.row + before };
  const number = row.problem.row === 0 ? 0 : row.problem.row + before;
  return { problem: { ...row.problem, row: number } };
}

async function* documentBatches({ web, found, reading }: Live): AsyncGenerator<LiveBatch, void, undefined> {
  const answer = await web.get(found.url);
  if (answer.status !== 200) {
    await discard(answer);
    throw new SourceError('source_changed', `The document answered ${answer.status}.`);
  }
  const options = { storeUrl: reading.store.href, rebase: reading.rebase };
  let position = 0;
  let rows: CatalogueRow[] = [];
  for await (const row of readCatalogue(answer.body, options)) {
    position++;
    if (position <= found.position) continue;
    rows.push(row);
    if (rows.length < DOCUMENT_ROWS) continue;
    yield { rows, cursor: { ...found, position }, skipped: 0 };
    rows = [];
  }
  if (rows.length > 0) yield { rows, cursor: { ...found, position }, skipped: 0 };
}

async function* sitemapBatches({
  web,
  found,
  reading,
  readPage,
}: Live): AsyncGenerator<LiveBatch, void, undefined> {
  const isDocument = /\.(xml|gz|txt)$/i.test(new URL(found.url).pathname);
  const list = await listPages(web, new URL(found.url), isDocument ? found.url : undefined);
  const { pages, areProducts } = list;
  for (let position = found.position; position < pages.length; position += PAGE_ROWS) {
    const some = pages.slice(position, position + PAGE_ROWS);
    const rows: CatalogueRow[] = [];
    for (const [index, page] of some.entries()) {
      const row = await rowOfPage(page, position + index + 1, { web, readPage, reading, areProducts });
      if (row !== undefined) rows.push(row);
    }
    const cursor = { ...found, position: position + some.length };
    yield { rows, cursor, total: pages.length, skipped: some.length - rows.length };
  }
  if (list.isCut) {
    const rows = [fileProblem('source_cut', `${pages.length} pages of its sitemaps were read.`)];
    yield { rows, cursor: { ...found, position: pages.length }, skipped: 0 };
  }
}
