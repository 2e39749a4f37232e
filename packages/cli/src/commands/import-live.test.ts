import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import {
  type Answer,
  type Asked,
  type LoopbackServer,
  loopbackServer,
  loopbackServers,
  type RunOptions,
  runCli,
} from '../testing.ts';

const STORE_ID = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const idOf = (n: number) => `6a1d58cf-43f8-4f1d-9c53-${String(n).padStart(12, '0')}`;

const folder = useFolder('live');
let shop: LoopbackServer;
let registry: LoopbackServer;
/** The registry's products, by external identifier. */
let held: Map<string, { id: string; row: Record<string, unknown> }>;
let shopAnswers: (asked: Asked) => Answer | undefined;
let refuses: (row: Record<string, unknown>) => boolean;

beforeAll(async () => {
  shop = await loopbackServer(
    (asked) =>
      shopAnswers(asked) ?? { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>none' },
  );
  registry = await loopbackServer((asked) => answerOf(asked));
});
afterAll(async () => {
  await shop.close();
  await registry.close();
});
afterEach(() => {
  shop.asked.length = 0;
  registry.asked.length = 0;
});

function answerOf({ method, path, body }: Asked): Answer {
  if (method === 'PUT') {
    const rows = JSON.parse(body) as { externalProductId: string }[];
    const results = rows.map((row) => {
      const { externalProductId } = row;
      if (refuses(row)) {
        const errors = [{ loc: ['name'], msg: 'Input should be shorter', type: 'too_big' }];
        return { externalProductId, status: 'error', errors };
      }
      const known = held.get(externalProductId);
      const id = known?.id ?? idOf(held.size + 1);
      held.set(externalProductId, { id, row });
      return { externalProductId, id, status: known === undefined ? 'created' : 'unchanged' };
    });
    return { body: { results } };
  }
  if (method === 'DELETE') {
    const [external] = [...held].find(([, { id }]) => path.endsWith(id)) ?? [];
    if (external !== undefined) held.delete(external);
    return { status: 204, body: '' };
  }
  if (path.includes('/products')) {
    const products = [...held].map(([externalProductId, { id, row }]) => ({
      id,
      storeId: STORE_ID,
      externalProductId,
      name: row.name,
      url: row.url,
      attributes: [],
      visible: true,
      disabled: false,
      state: 'active',
      images: [],
      createdAt: '2026-03-01T12:00:00.000Z',
      updatedAt: '2026-03-01T12:00:00.000Z',
    }));
    return { body: { products } };
  }
  const store = {
    id: STORE_ID,
    merchantId: STORE_ID,
    name: 'Shop',
    url: shop.url,
    platform: 'custom',
    signImages: false,
    signRemoteManifests: false,
    createdAt: '2026-03-01T12:00:00.000Z',
    domains: [{ hostname: '127.0.0.1', verified: true, challenge: 'touchstone-abc' }],
    pendingChanges: [],
  };
  return { body: store };
}

function reset(answers: (asked: Asked) => Answer | undefined) {
  held = new Map();
  refuses = () => false;
  shopAnswers = answers;
}

const importShop = (more: readonly string[] = [], options: RunOptions = {}, at = shop.url) =>
  runCli(['import', at, '--store', STORE_ID, '--service', registry.url, '--interval', '0', ...more], {
    env: { TOUCHSTONE_KEY: 'tsk_k' },
    ...options,
  });

const HOME: Answer = { body: '<!doctype html><html><title>Shop</title></html>' };
const json = (body: unknown): Answer => ({ body });
const pageOf = (path: string): number => Number(new URL(path, 'http://x').searchParams.get('page'));

const shopifyProduct = (n: number) => ({ id: n, title: `Cup ${n}`, handle: `cup-${n}`, images: [] });
const shopify =
  (pages: readonly (readonly unknown[])[]) =>
  ({ path }: Asked): Answer | undefined => {
    if (path === '/') return HOME;
    if (!path.startsWith('/products.json')) return undefined;
    return json({ products: pages[pageOf(path) - 1] ?? [] });
  };
const wooProduct = (n: number, at: string) => ({
  id: n,
  name: `Lamp ${n}`,
  permalink: `${at}/product/lamp-${n}/`,
  prices: {},
  images: [],
});

describe('touchstone import of a live shop', () => {
  it('pages through Shopify until a page is empty', async () => {
    const pages = [[1, 2].map(shopifyProduct), [3].map(shopifyProduct)];
    reset(shopify(pages));
    const { code, out } = await importShop();
    expect([code, out]).toEqual([0, expect.stringContaining('ALL IN  3 products read')]);
    expect(out).toContain('No product of this store is missing from the file.');
    expect(held.get('3')?.row.url).toBe(`${shop.url}/products/cup-3`);
    const asked = shop.asked.map(({ path }) => path).filter((path) => path.startsWith('/products.json'));
    expect(asked.slice(1)).toEqual([1, 2, 3].map((page) => `/products.json?limit=250&page=${page}`));
  });

  it('reads the Store API of WooCommerce, and REST v3 if there is a key', async () => {
    reset(({ path, headers }) => {
      if (path === '/') return HOME;
      if (path.startsWith('/wp-json/wc/store/v1/products'))
        return json(pageOf(path) === 1 ? [wooProduct(1, shop.url), wooProduct(2, shop.url)] : []);
      if (!path.startsWith('/wp-json/wc/v3/products')) return undefined;
      if (headers.authorization !== `Basic ${btoa('ck_1:cs_2')}`) return { status: 401, body: {} };
      const all = [1, 2, 3].map((n) => ({
        ...wooProduct(n, shop.url),
        status: n === 3 ? 'draft' : 'publish',
      }));
      return json(pageOf(path) === 1 ? all : []);
    });
    expect((await importShop()).out).toContain('2 products read (0 hidden');
    const env = { TOUCHSTONE_KEY: 'tsk_k', TOUCHSTONE_WOOCOMMERCE_KEY: 'ck_1:cs_2' };
    const { out } = await importShop([], { env });
    expect(out).toContain('3 products read (1 hidden');
  });

  it('reads a feed at the given address, compressed or not', async () => {
    const items = [1, 2].map(
      (n) => `<item><g:id>${n}</g:id><title>T${n}</title><link>${shop.url}/p/${n}</link></item>`,
    );
    const feed = `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items.join('')}</channel></rss>`;
    reset(({ path }) => {
      if (path === '/feed.xml') return { headers: { 'content-type': 'application/xml' }, body: feed };
      return path === '/feed.xml.gz'
        ? { headers: { 'content-type': 'application/gzip' }, body: gzipSync(feed) }
        : undefined;
    });
    for (const name of ['feed.xml', 'feed.xml.gz']) {
      held.clear();
      const { code } = await importShop([], {}, `${shop.url}/${name}`);
      expect([code, [...held.keys()]]).toEqual([0, ['1', '2']]);
    }
  });

  it('otherwise reads the product pages that its sitemaps list', async () => {
    const list = (...locs: string[]) =>
      `<urlset>${locs.map((path) => `<url><loc>${shop.url}${path}</loc></url>`).join('')}</urlset>`;
    const xml = (body: string): Answer => ({ headers: { 'content-type': 'application/xml' }, body });
    const product = (n: number) =>
      `<html><script type="application/ld+json">${JSON.stringify({
        '@context': 'https://schema.org',
        '@type': 'Product',
        name: `Chair ${n}`,
        sku: `C${n}`,
        offers: { '@type': 'Offer', price: '10', priceCurrency: 'EUR' },
      })}</script></html>`;
    reset(({ path }) => {
      if (path === '/') return HOME;
      if (path === '/robots.txt')
        return {
          headers: { 'content-type': 'text/plain' },
          body: `User-agent: *\nSitemap: ${shop.url}/map.xml`,
        };
      if (path === '/map.xml')
        return xml(
          `<sitemapindex><sitemap><loc>${shop.url}/posts.xml</loc></sitemap><sitemap><loc>${shop.url}/products-1.xml</loc></sitemap></sitemapindex>`,
        );
      if (path === '/products-1.xml') return xml(list('/a/chair-1', '/a/chair-2', '/a/gone', '/about'));
      if (path.startsWith('/a/chair')) return { body: product(Number(path.at(-1))) };
      return path === '/about' ? { body: '<html><h1>About us</h1></html>' } : undefined;
    });
    const { code, out } = await importShop();
    expect(code).toBe(1);
    expect(out).toContain('2 products read');
    expect(out).toMatch(/row 3 +a\/gone +The page of the product cannot be read\. .*answered 404/);
    expect(out).toMatch(/row 4 +about +The page does not state a product/);
    expect(held.get('a/chair-2')?.row).toMatchObject({
      name: 'Chair 2',
      sku: 'C2',
      url: `${shop.url}/a/chair-2`,
    });
    expect(shop.asked.map(({ path }) => path)).not.toContain('/posts.xml');
  });

  it('waits as long as the shop asks, and continues', async () => {
    let refused = 0;
    const answers = shopify([[shopifyProduct(1)]]);
    reset((asked) => {
      if (!asked.path.startsWith('/products.json') || refused === 2) return answers(asked);
      refused += 1;
      return { status: refused === 1 ? 429 : 430, headers: { 'retry-after': '7' }, body: '' };
    });
    const waits: number[] = [];
    const { code, err } = await importShop([], { waits });
    expect([code, waits]).toEqual([0, [7_000, 7_000]]);
    expect(err).toContain('(The shop answered 429. Again in 7 s)');
  });

  it('gives up on a shop that stays busy, and says what to do instead', async () => {
    reset(() => ({ status: 429, body: '' }));
    const waits: number[] = [];
    const { code, err } = await importShop([], { waits });
    expect([code, waits]).toEqual([3, [2_000, 4_000, 8_000, 16_000]]);
    expect(err).toContain('The shop accepts no more requests at the moment. It answered 429.');
    expect(err).toContain('let the service read it');
  });

  it('that refuses, or has no catalogue, is reported with advice', async () => {
    reset(() => ({ status: 403, body: '<html>Blocked</html>' }));
    const refused = await importShop();
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining('The shop refuses our requests'),
    ]);
    reset(({ path }) => (path === '/' ? HOME : undefined));
    const none = await importShop();
    expect([none.code, none.err]).toEqual([
      3,
      expect.stringContaining('No catalogue was found at this address'),
    ]);
  });

  it('continues after an interruption, and does not count products that were read before as missing', async () => {
    const pages = [[1, 2], [3, 4], [5]].map((page) => page.map(shopifyProduct));
    const answers = shopify(pages);
    let isDown = true;
    reset((asked) => (isDown && pageOf(asked.path) === 3 ? { status: 404, body: '' } : answers(asked)));
    const down = shopAnswers;
    shopAnswers = (asked) => (isDown && pageOf(asked.path) === 3 ? { hangUp: true } : down(asked));
    const resume = ['--resume', join(folder, 'checkpoint')];
    const first = await importShop(resume);
    expect([first.code, first.err]).toEqual([3, expect.stringContaining('4 products were imported')]);
    expect(first.err).toContain('continue from the checkpoint');
    isDown = false;
    shop.asked.length = 0;
    const second = await importShop(resume);
    expect([second.code, second.out]).toEqual([0, expect.stringContaining('1 product read')]);
    expect(second.out).toContain('No product of this store is missing');
    expect(shop.asked.map(({ path }) => pageOf(path)).filter((page) => page > 0)).toEqual([3, 4]);
    await expect(readFile(join(folder, 'checkpoint'))).rejects.toThrow('ENOENT');
  });

  it('reports each kind of invalid row once, with their number and an example', async () => {
    reset(shopify([[1, 2, 3, 4].map(shopifyProduct)]));
    refuses = ({ externalProductId }) => externalProductId !== '1';
    const { code, out } = await importShop();
    expect(code).toBe(1);
    expect(out).toMatch(/\nNot imported\n +3×, first row 2 +2 +name: Input should be shorter\n/);
    const { kinds, errors } = (await importShop(['--json'])).json() as {
      kinds: unknown[];
      errors: unknown[];
    };
    expect(kinds).toEqual([{ kind: 'too_big name', count: 3, example: expect.objectContaining({ row: 2 }) }]);
    expect(errors).toHaveLength(3);
  });
});

describe('products that no longer exist', () => {
  const fill = async (count: number) => {
    reset(shopify([Array.from({ length: count }, (_, n) => shopifyProduct(n + 1))]));
    await importShop();
    shop.asked.length = 0;
  };
  const left = (count: number) => {
    shopAnswers = shopify([Array.from({ length: count }, (_, n) => shopifyProduct(n + 1))]);
  };

  it('are reported, and kept unless --prune asks for more', async () => {
    await fill(10);
    left(9);
    const { out } = await importShop();
    expect(out).toContain(
      '1 product of this store is not in the file; it stays as it was (--prune deletes it).',
    );
    expect(held.size).toBe(10);
    const { out: pruned } = await importShop(['--prune']);
    expect(pruned).toContain('1 product of this store is not in the file; 1 deleted.');
    expect([...held.keys()]).not.toContain('10');
  });

  it('need confirmation if they are more than a fifth', async () => {
    await fill(10);
    left(7);
    const { code, out, err } = await importShop(['--prune']);
    // not 64, which means that nothing was done: the products are imported
    expect([code, held.size]).toEqual([1, 10]);
    expect(out).toMatch(
      /^ALL IN {2}7 products read[\s\S]*\n3 products [^\n]*\(--prune --yes deletes them\)\.\n/,
    );
    expect(err).toContain('3 of 10 products of this store would be deleted (30 %). Nothing was deleted.');
    await importShop(['--prune'], { terminal: true, stdin: 'n\n' });
    expect(held.size).toBe(10);
    await importShop(['--prune'], { terminal: true, stdin: 'y\n' });
    expect(held.size).toBe(7);
    left(1);
    await importShop(['--prune', '--yes']);
    expect(held.size).toBe(1);
  });
});

describe('the key of a shop', () => {
  const env = { TOUCHSTONE_KEY: 'tsk_k', TOUCHSTONE_WOOCOMMERCE_KEY: 'ck_1:cs_2' };
  const serve = loopbackServers();
  /** A host that answers as WooCommerce does, and the headers that reached it. */
  const hostile = () =>
    serve(({ path }) =>
      path.startsWith('/wp-json') ? json(pageOf(path) === 1 ? [wooProduct(1, 'http://x')] : []) : HOME,
    );
  const keysSentTo = ({ asked }: LoopbackServer) =>
    asked.filter(({ headers }) => headers.authorization !== undefined).map(({ path }) => path);

  it.each([
    ['to another port', (other: LoopbackServer) => other.url],
    ['to another name', (other: LoopbackServer) => other.url.replace('127.0.0.1', 'localhost')],
  ])('is not sent where the front page leads: %s', async (_, locationOf) => {
    const other = await hostile();
    reset(({ path }) =>
      path === '/' ? { status: 302, headers: { location: locationOf(other) } } : undefined,
    );
    const { code, err } = await importShop([], { env });
    expect(code).toBe(3);
    expect(err).toContain(`${shop.url} leads to ${locationOf(other)}.`);
    expect(err).toContain('give it in place of this one');
    expect([keysSentTo(shop), keysSentTo(other)]).toEqual([[], []]);
    // without the key, the shop is read where it is
    expect((await importShop(['--dry-run'])).out).toContain('1 product read');
  });

  it('is not sent along a redirect of the API, and the error says where it leads', async () => {
    const other = await hostile();
    reset(({ path }) => {
      if (path === '/') return HOME;
      return path.startsWith('/wp-json/wc/v3')
        ? { status: 307, headers: { location: `${other.url}/wp-json/wc/v3/products` } }
        : undefined;
    });
    const { code, err } = await importShop([], { env });
    expect([code, err]).toEqual([3, expect.stringContaining(`${shop.url} leads to ${other.url}.`)]);
    expect([keysSentTo(shop).length, other.asked.length]).toEqual([1, 0]);
  });

  it('is not sent where the checkpoint of an earlier run leads', async () => {
    const other = await hostile();
    const checkpoint = join(folder, 'planted');
    reset(shopify([[shopifyProduct(1)]]));
    const cursor = { kind: 'woocommerce-rest', url: other.url, position: 0 };
    await writeFile(checkpoint, `${JSON.stringify({ source: shop.url, cursor, seen: [] })}\n`);
    const { code, err } = await importShop(['--resume', checkpoint], { env });
    expect([code, err]).toEqual([3, expect.stringContaining('The key of the shop was not sent')]);
    expect(other.asked).toEqual([]);
  });

  it('is not sent over http, except to this machine', async () => {
    const other = await hostile();
    // connects to this machine, but is not one of its names
    const { code, err } = await importShop([], { env }, other.url.replace('127.0.0.1', '0.0.0.0'));
    expect([code, err]).toEqual([3, expect.stringContaining('sent over https only')]);
    expect([other.asked.length, keysSentTo(other)]).toEqual([1, []]);
  });
});
