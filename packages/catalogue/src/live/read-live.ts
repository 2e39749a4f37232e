import { fileProblem, type Reading } from '../draft.ts';
import { readCatalogue } from '../read.ts';
import { parseStoreUrl } from '../store-url.ts';
import type { CatalogueRow } from '../types.ts';
import type { LiveBatch, LiveCursor, SourceKind } from './cursor.ts';
import { findSource } from './find-source.ts';
import { type ReadProductPage, rowOfPage } from './product-page.ts';
import { pagedBatches } from './read-paged.ts';
import { listPages } from './sitemap.ts';
import { discard, type KeyedWeb, type LiveWeb, PoliteWeb, SourceError } from './web.ts';

/** How a live shop is read. */
export interface ReadLiveOptions {
  readonly web: LiveWeb;
  readonly readPage: ReadProductPage;
  /** Address of the storefront, to whose origin product addresses are moved. Default: the origin after redirects. */
  readonly storeUrl?: string;
  /** Default: detected. */
  readonly kind?: SourceKind;
  /** Whether products on other hosts are moved to the storefront, as by `readCatalogue`; default: true. */
  readonly rebase?: boolean;
  /** Resumes after this position. */
  readonly after?: LiveCursor;
  /** With a key of WooCommerce's REST API, which lists hidden products, too. */
  readonly keyed?: KeyedWeb;
  /** Milliseconds between two requests; default: 500. */
  readonly interval?: number;
  /** Called before each wait, with the reason and the milliseconds. */
  readonly onWait?: (reason: string, milliseconds: number) => void;
}

const INTERVAL = 500;
/** Rows of a document, or pages of a sitemap, in one batch. */
const DOCUMENT_ROWS = 500;
const PAGE_ROWS = 20;

/**
 * Reads the catalogue of a live shop: by Shopify's `/products.json`, WooCommerce's Store API or REST v3, a feed or file at
 * the address itself, or else the product pages of its sitemaps. It sends one request at a time, no faster than the interval,
 * and waits if the shop asks for it. Every product becomes a row, or a reason why it is none.
 *
 * @throws SourceError if the shop cannot be read, or not completely; reading can resume from the last cursor
 */
export async function* readLive(
  url: string,
  options: ReadLiveOptions,
): AsyncGenerator<LiveBatch, void, undefined> {
  const { onWait, interval = INTERVAL } = options;
  const pace = { interval, ...(onWait === undefined ? {} : { onWait }) };
  const web = new PoliteWeb(options.web, pace);
  const keyed =
    options.keyed === undefined
      ? undefined
      : { origin: options.keyed.origin, web: new PoliteWeb(options.keyed.web, pace) };
  const found = options.after ?? (await findSource(url, web, keyed, options.kind));
  const seen = new Set<string>();
  const store = parseStoreUrl(options.storeUrl ?? new URL('/', found.url).href);
  if (store === null) throw new TypeError('storeUrl must be an absolute http or https address');
  const live: Live = {
    web: (found.kind === 'woocommerce-rest' ? keyed?.web : undefined) ?? web,
    found,
    reading: { store, rebase: options.rebase ?? true },
    readPage: options.readPage,
  };
  const isPaged = found.kind !== 'document' && found.kind !== 'sitemap';
  let before = found;
  for await (const batch of batchesOf(live)) {
    const known = seen.size;
    yield* partsOf(batch, before, seen);
    if (isPaged && seen.size === known && !batch.rows.some(isOfFile)) {
      const reason = `Page ${batch.cursor.position} contains nothing that earlier pages did not.`;
      yield { rows: [fileProblem('source_repeats', reason)], cursor: batch.cursor, skipped: 0 };
      return;
    }
    before = batch.cursor;
  }
}

const isOfFile = (row: CatalogueRow) => 'problem' in row && row.problem.row === 0;

/** Rows in one part of a batch, and the characters of their texts, approximately. */
const PART = { rows: 500, characters: 500_000 };

/**
 * Divides a batch, so that whoever processes it never holds more than a bounded part. Products that were seen are left out: a list
 * that grows while it is read repeats some.
 *
 * @param before - the cursor of the batch before, or that from which reading resumes
 */
function* partsOf(batch: LiveBatch, before: LiveCursor, seen: Set<string>): Generator<LiveBatch> {
  const read = before.rows ?? 0;
  let rows: CatalogueRow[] = [];
  let size = 0;
  for (const [index, row] of batch.rows.entries()) {
    const id = 'problem' in row ? row.problem.externalProductId : row.product.externalProductId;
    const isNew = id === undefined || !seen.has(id);
    if (id !== undefined) seen.add(id);
    if (index < read || !(isNew || 'problem' in row)) continue;
    if (rows.length > 0 && (rows.length >= PART.rows || size >= PART.characters)) {
      yield { ...batch, rows, cursor: { ...before, rows: index }, skipped: 0 };
      rows = [];
      size = 0;
    }
    rows.push(row);
    size += sizeOf(row);
  }
  yield { ...batch, rows };
}

function sizeOf(row: CatalogueRow): number {
  if ('problem' in row) return row.problem.reason.length;
  const { name, url, images, attributes = [] } = row.product;
  const texts = [name, url, ...images.map((image) => image.url), ...attributes.map(({ value }) => value)];
  return texts.reduce((sum, text) => sum + text.length, 0);
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
      return pagedBatches(live.web, live.found, live.reading);
  }
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
    yield { rows, cursor: cursorAt(found, position), skipped: 0 };
    rows = [];
  }
  if (rows.length > 0) yield { rows, cursor: cursorAt(found, position), skipped: 0 };
}

/** A position between two batches. */
function cursorAt({ kind, url }: LiveCursor, position: number): LiveCursor {
  return { kind, url, position };
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
    const cursor = cursorAt(found, position + some.length);
    yield { rows, cursor, total: pages.length, skipped: some.length - rows.length };
  }
  if (list.isCut) {
    const rows = [fileProblem('source_cut', `${pages.length} pages of its sitemaps were read.`)];
    yield { rows, cursor: cursorAt(found, pages.length), skipped: 0 };
  }
}
