import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { CATALOGUE_LIMITS } from '../limits.ts';
import type { LiveBatch } from './cursor.ts';
import { findSource } from './find-source.ts';
import { readLive } from './read-live.ts';
import { parseSitemap } from './sitemap.ts';
import { type LiveWeb, PoliteWeb } from './web.ts';

const SHOP = 'https://shop.example';

/** A shop that answers these paths, and 404 for all others. */
function webOf(answers: Readonly<Record<string, string | Uint8Array>>): LiveWeb {
  return {
    async get(url) {
      const answer = answers[new URL(url).pathname];
      const body = typeof answer === 'string' ? new TextEncoder().encode(answer) : answer;
      return {
        status: body === undefined ? 404 : 200,
        finalUrl: url,
        body: (async function* () {
          if (body !== undefined) yield body;
        })(),
      };
    },
    sleep: async () => {},
    now: () => 0,
  };
}

async function read(answers: Readonly<Record<string, string | Uint8Array>>): Promise<LiveBatch[]> {
  const readPage = async (_: unknown, url: string) => ({
    name: `Cup of ${url}`,
    sku: undefined,
    brand: undefined,
    images: [],
    canonicalUrl: undefined,
  });
  return all(readLive(SHOP, { web: webOf(answers), readPage, interval: 0 }));
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of source) found.push(one);
  return found;
}

/** A WooCommerce shop with these pages of ids, each with the total that it reports; status 400 beyond them. */
async function readWooCommerce(pages: readonly { readonly ids: number[]; readonly total: number }[]) {
  const web: LiveWeb = {
    ...webOf({}),
    async get(url) {
      const page = pages[Number(new URL(url).searchParams.get('page') ?? 1) - 1];
      const rows = page?.ids.map((id) => ({
        id,
        name: `Cup ${id}`,
        permalink: `${SHOP}/product/${id}`,
        prices: {},
        images: [],
      }));
      return {
        status: rows === undefined ? 400 : 200,
        finalUrl: url,
        ...(page === undefined ? {} : { total: page.total }),
        body: (async function* () {
          yield new TextEncoder().encode(JSON.stringify(rows ?? { code: 'x' }));
        })(),
      };
    },
  };
  const reading = readLive(SHOP, {
    web,
    readPage: async () => undefined as never,
    interval: 0,
    kind: 'woocommerce',
  });
  return (await all(reading)).flatMap(({ rows }) => rows);
}

test('a list is recognised by its first product, whatever follows, and however much', async () => {
  const products = '{"products":[{"id":1,"title":"Cup","handle":"cup"},';
  let pieces = 0;
  const web: LiveWeb = {
    ...webOf({}),
    async get(url) {
      return {
        status: 200,
        finalUrl: url,
        body: (async function* () {
          yield new TextEncoder().encode(url.includes('page=1') ? products : '{"products":[]}');
          // 100 MB of nested lists
          for (; url.includes('page=1') && pieces < 1_000; pieces += 1)
            yield new Uint8Array(100_000).fill(0x5b);
        })(),
      };
    },
  };
  const source = await findSource(`${SHOP}/`, new PoliteWeb(web, { interval: 0 }), undefined, 'shopify');
  expect(source).toEqual({ kind: 'shopify', url: SHOP, position: 0 });
  expect(pieces).toBeLessThan(5);
});

test.each([
  ['shopify', '/products.json'],
  ['woocommerce', '/wp-json/wc/store/v1/products'],
] as const)('a page of %s is read up to 20,000 rows, and no further', async (kind, path) => {
  const { most } = CATALOGUE_LIMITS.rowsOfPage;
  let sent = 0;
  const listing = (count: number) => ({
    ...webOf({}),
    async get(url: string) {
      const isFirst = new URL(url).pathname === path && url.endsWith('page=1');
      return {
        status: 200,
        finalUrl: url,
        body: (async function* () {
          yield new TextEncoder().encode('[');
          for (sent = 0; isFirst && sent < count; sent += 1) yield new TextEncoder().encode('1,');
          yield new TextEncoder().encode(']');
        })(),
      };
    },
  });
  const after = { kind, url: SHOP, position: 0 };
  const readPage = async () => null;
  const rowsOf = (count: number) =>
    all(readLive(SHOP, { web: listing(count), readPage, interval: 0, after, kind }));
  const within = (await rowsOf(most)).flatMap(({ rows }) => rows);
  expect(within.filter((row) => 'problem' in row && row.problem.code === 'row_not_product')).toHaveLength(
    most,
  );
  await expect(rowsOf(10 * most)).rejects.toMatchObject({
    code: 'source_too_heavy',
    message: expect.stringContaining('more than 20,000 products on one page. Import an export'),
  });
  expect(sent).toBeLessThan(2 * most);
});

const hundred = (from: number) => Array.from({ length: 100 }, (_, index) => from + index);
const cut = expect.objectContaining({ problem: expect.objectContaining({ code: 'source_cut', row: 0 }) });

test('a list that ends at its announced total is complete', async () => {
  const rows = await readWooCommerce([
    { ids: hundred(1), total: 200 },
    { ids: hundred(101), total: 200 },
  ]);
  expect(rows).toHaveLength(200);
  expect(rows).not.toContainEqual(cut);
});

test('a list that ends before its last page is reported as truncated, so that no product counts as deleted', async () => {
  const rows = await readWooCommerce([
    { ids: hundred(1), total: 300 },
    { ids: hundred(101), total: 300 },
  ]);
  expect(rows.at(-1)).toEqual(cut);
});

test('a list that shrinks while it is read is truncated too, since a product may have moved to an earlier page', async () => {
  const rows = await readWooCommerce([
    { ids: hundred(1), total: 201 },
    { ids: hundred(102), total: 200 },
  ]);
  expect(rows.at(-1)).toEqual(cut);
});

const urlset = (...pages: string[]) =>
  `<urlset>${pages.map((page) => `<url><loc>${SHOP}${page}</loc></url>`).join('')}</urlset>`;

// each of these took years, or minutes, by expressions that try every way to read a text
test('comments that no sitemap follows are not taken for a sitemap', async () => {
  await expect(read({ '/': `${'<!---->'.repeat(200)}<html>` })).rejects.toMatchObject({
    code: 'source_unknown',
  });
});

test('a sitemap after many comments is recognised', async () => {
  const [batch] = await read({
    '/': `<?xml version="1.0"?>${'<!-- a --> '.repeat(100)}${urlset('/products/a')}`,
    '/robots.txt': `Sitemap: ${SHOP}/`,
    '/products/a': '<!doctype html>',
  });
  expect(batch?.rows).toMatchObject([{ product: { name: `Cup of ${SHOP}/products/a` } }]);
});

test('a robots.txt of empty lines is read', async () => {
  const [batch] = await read({
    '/': '<!doctype html>',
    '/robots.txt': `${'\n'.repeat(490_000)}\t Sitemap : ${SHOP}/map.xml`,
    '/map.xml': urlset('/products/a'),
    '/products/a': '<!doctype html>',
  });
  expect(batch?.rows).toHaveLength(1);
});

test('long, similar variant titles are compared in time', async () => {
  const title = (end: string) => `${'a'.repeat(40_000)} ${'-'.repeat(40_000)}${end}`;
  const item = (n: number) =>
    `<item><g:id>${n}</g:id><g:item_group_id>G${n >> 1}</g:item_group_id><title>${title(`x${n}`)}</title><link>${SHOP}/p${n >> 1}</link></item>`;
  const items = Array.from({ length: 60 }, (_, n) => item(n)).join('');
  const batches = await all(
    readLive(`${SHOP}/feed`, {
      web: webOf({ '/feed': `<rss><channel>${items}</channel></rss>` }),
      readPage: async () => null,
      kind: 'document',
    }),
  );
  expect(batches[0]?.rows).toHaveLength(30);
});

test('an endless sitemap is read up to the limit and reported as truncated', async () => {
  let asked = 0;
  const endless = async function* () {
    yield '<urlset>';
    for (; asked < 1_000_000; asked += 1) yield '<url><loc>/a</loc></url>'.repeat(1_000);
  };
  const sitemap = await parseSitemap(endless());
  expect(sitemap).toMatchObject({ isCut: true });
  expect(asked).toBeLessThan(1_000);
});

test('a compressed file of spaces is empty', async () => {
  const feed = gzipSync(Buffer.alloc(20_000_000, ' '));
  const batches = await all(
    readLive(`${SHOP}/feed`, {
      web: webOf({ '/feed': feed }),
      readPage: async () => null,
      kind: 'document',
    }),
  );
  expect(batches[0]?.rows).toMatchObject([{ problem: { code: 'file_empty' } }]);
});
