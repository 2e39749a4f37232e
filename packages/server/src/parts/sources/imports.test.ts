import { createServer } from 'node:http';
import type { ImportView, StoreSource } from '@touchstone/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../../../../../test/kit/servers.ts';
import { type TestService, testService } from '../../testing.ts';

const R = '/api/v1/registry';
const product = (n: number) => ({ id: n, title: `Cup ${n}`, handle: `cup-${n}`, images: [] });
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => product(from + i));

let service: TestService;
let now = Date.now();
let shopPort: number;
let pages: unknown[][];
/** Asked before each answer of the shop. */
let before: (path: string) => Promise<void> | void;
const asked: string[] = [];
const shop = createServer(async (request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  await before(path);
  if (path.startsWith('/products.json') && pages.length > 0) {
    const page = Number(new URL(path, 'http://x').searchParams.get('page'));
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ products: pages[page - 1] ?? [] }));
  } else if (path === '/feed.xml') {
    const item = (id: number, name: string) =>
      `<item><id>${id}</id><title>${name}</title><link>http://shop.example/p/${id}</link></item>`;
    response.setHeader('content-type', 'application/xml');
    response.end(
      `<rss><channel>${item(1, 'Cup')}${item(2, '')}${item(3, '')}${item(4, 'x'.repeat(400))}</channel></rss>`,
    );
  } else if (path === '/')
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Shop</title>');
  else response.writeHead(404).end();
});

const settings = () => ({
  TOUCHSTONE_FETCH_CONNECT_TO: `shop.example:80=127.0.0.1:${shopPort}`,
  TOUCHSTONE_IMPORT_INTERVAL_MS: '0',
});
const overrides = { clock: () => new Date(now) };

beforeAll(async () => {
  shopPort = await listen(shop);
  service = await testService({ settings: settings(), overrides });
});
afterAll(async () => {
  await service?.dispose();
  shop.closeAllConnections();
  shop.close();
});
beforeEach(() => {
  pages = [];
  before = () => {};
  asked.length = 0;
});

async function newStore(): Promise<string> {
  const { id } = (await service.operate('POST', `${R}/merchants`, { name: 'M', planCapacity: 9 })) as {
    id: string;
  };
  const body = { merchantId: id, name: 'S', url: 'http://shop.example' };
  return ((await service.operate('POST', `${R}/stores`, body)) as { id: string }).id;
}

const order = (store: string, body: object = {}) =>
  service.operate('POST', `${R}/stores/${store}/imports`, {
    url: 'http://shop.example',
    ...body,
  }) as Promise<ImportView>;

/** Follows the events of an import to its end. */
async function ended(id: string): Promise<{ view: ImportView; events: string[] }> {
  const response = await fetch(`${service.url}${R}/imports/${id}/events`, {
    headers: { authorization: `Bearer ${service.operatorKey}` },
  });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const blocks = (await response.text()).split('\n\n').filter((block) => block.startsWith('event:'));
  const events = blocks.map((block) => /^event: (\w+)/.exec(block)?.[1] ?? '');
  const data = /^data: (.*)$/m.exec(blocks.at(-1) ?? '')?.[1] ?? '{}';
  return { view: JSON.parse(data) as ImportView, events };
}
const externalIds = async (store: string) => {
  const { products } = (await service.operate('GET', `${R}/stores/${store}/products`)) as {
    products: { externalProductId: string }[];
  };
  return products.map(({ externalProductId }) => Number(externalProductId)).toSorted((a, b) => a - b);
};

describe('an import by the service', () => {
  it('reads a shop, is followed by events to its end, and returns the same when polled', async () => {
    pages = [range(1, 3), range(4, 5)];
    const store = await newStore();
    const { id, state } = await order(store);
    expect(state).toBe('waiting');
    const { view, events } = await ended(id);
    expect(events.at(-1)).toBe('end');
    expect(view).toMatchObject({ state: 'done', done: 5, created: 5, failed: 0, notInSource: 0, deleted: 0 });
    expect(await service.operate('GET', `${R}/imports/${id}`)).toEqual(view);
    expect(await externalIds(store)).toEqual([1, 2, 3, 4, 5]);
    const again = await ended((await order(store)).id);
    expect(again.view).toMatchObject({ state: 'done', created: 0, unchanged: 5 });
    expect(await service.database.query('select * from import_products')).toEqual([]);
  });

  it('shows no product whose certificates were withdrawn by hand', async () => {
    pages = [range(1, 2)];
    const store = await newStore();
    await ended((await order(store)).id);
    const { products } = (await service.operate('GET', `${R}/stores/${store}/products`)) as {
      products: { id: string }[];
    };
    const [first] = products;
    await service.operate('POST', `${R}/products/${first?.id}/withdraw`, {});
    pages = [[{ ...product(1), title: 'Another cup', published_at: '2026-11-01T00:00:00Z' }, product(2)]];
    const { view } = await ended((await order(store)).id);
    expect(view).toMatchObject({ state: 'done', updated: 1, unchanged: 1 });
    expect(await service.operate('GET', `${R}/products/${first?.id}`)).toMatchObject({
      name: 'Another cup',
      state: 'hidden',
    });
  });

  it('is listed first while it is in progress, with its progress and start', async () => {
    pages = [range(1, 2)];
    const store = await newStore();
    const list = async (query = '') =>
      (await service.operate('GET', `${R}/stores/${store}/imports${query}`)) as {
        imports: ImportView[];
        nextCursor?: string;
      };
    expect(await list()).toEqual({ imports: [] });
    const first = await ended((await order(store)).id);
    pages = [range(1, 2), range(3, 4)];
    const seen: ImportView[] = [];
    before = async (path) => {
      if (path.includes('page=3')) seen.push(...(await list()).imports);
    };
    now += 1_000;
    const { view } = await ended((await order(store)).id);
    const begunAt = new Date(now).toISOString();
    expect(seen).toMatchObject([{ id: view.id, state: 'running', begunAt }, first.view]);
    expect(seen[0]?.done).toBeGreaterThan(0);
    const { imports, nextCursor } = await list('?limit=1');
    expect(imports).toEqual([view]);
    expect((await list(`?cursor=${nextCursor}`)).imports).toEqual([first.view]);
  });

  it('reports failed rows by kind, each with a count and an example', async () => {
    const store = await newStore();
    const { view } = await ended((await order(store, { url: 'http://shop.example/feed.xml' })).id);
    expect(view).toMatchObject({ state: 'done', done: 4, created: 1, failed: 3 });
    expect(view.problems).toEqual([
      {
        kind: 'name_missing',
        count: 2,
        example: expect.objectContaining({ row: 2, externalProductId: '2' }),
      },
      {
        kind: 'string_too_long name',
        count: 1,
        example: expect.objectContaining({ row: 4, externalProductId: '4' }),
      },
    ]);
  });

  it('reports an identifier that is longer than allowed, and continues', async () => {
    const long = Array.from({ length: 3_000 }, (_, i) => (i * 7919).toString(36)).join('');
    pages = [[...range(1, 2), { ...product(3), id: long }]];
    const store = await newStore();
    const { view } = await ended((await order(store)).id);
    expect(view).toMatchObject({ state: 'done', done: 3, created: 2, failed: 1, notInSource: 0 });
    expect(await externalIds(store)).toEqual([1, 2]);
  });

  it('that fails because of a fault of ours is logged, and retried', async () => {
    pages = [range(1, 2)];
    const rename = (from: string, to: string) =>
      service.database.query(`alter table ${from} rename to ${to}`);
    before = async (path) => {
      if (path.includes('page=1')) await rename('import_products', 'import_products_away').catch(() => {});
    };
    const { id } = await order(await newStore());
    const look = () => service.operate('GET', `${R}/imports/${id}`) as Promise<ImportView>;
    try {
      await expect.poll(look).toMatchObject({ state: 'waiting', failure: { code: 'internal' } });
      expect(service.log.join('')).toMatch(/import_products[^\n]*does not exist/);
    } finally {
      await rename('import_products_away', 'import_products');
    }
  });

  it('that finds no catalogue fails, and says so', async () => {
    const { view } = await ended((await order(await newStore())).id);
    expect(view).toMatchObject({ state: 'failed', failure: { code: 'source_unknown' } });
  });

  it('cannot be directed into a private network', async () => {
    const { view } = await ended((await order(await newStore(), { url: 'http://127.0.0.1/feed.xml' })).id);
    const detail = expect.stringContaining('address_blocked');
    expect(view).toMatchObject({ state: 'failed', failure: { code: 'source_blocked', detail } });
  });

  it('runs one at a time for a store', async () => {
    pages = [range(1, 1)];
    const gate = Promise.withResolvers<void>();
    before = () => gate.promise;
    const store = await newStore();
    const { id } = await order(store);
    await expect(order(store)).rejects.toThrow(/409.*being imported/);
    gate.resolve();
    expect((await ended(id)).view.state).toBe('done');
  });

  it('continues after the last complete batch if its node died', async () => {
    pages = [range(1, 2), range(3, 4), range(5, 6)];
    const third = Promise.withResolvers<void>();
    const hold = Promise.withResolvers<void>();
    before = (path) => {
      if (!path.endsWith('page=3')) return;
      third.resolve();
      return hold.promise;
    };
    const store = await newStore();
    const { id } = await order(store);
    await third.promise;
    before = () => {};
    asked.length = 0;
    service = await service.restart(settings(), overrides);
    hold.resolve();
    const { view } = await ended(id);
    expect(view).toMatchObject({ state: 'done', done: 6, created: 6, notInSource: 0 });
    expect(asked.filter((path) => path.startsWith('/products.json'))).toEqual(
      [3, 4].map((page) => `/products.json?limit=250&page=${page}`),
    );
  });

  it('is visible to its merchant only', async () => {
    pages = [range(1, 1)];
    const { id } = await order(await newStore());
    await ended(id);
    const merchant = (await service.operate('POST', `${R}/merchants`, { name: 'X', planCapacity: 1 })) as {
      id: string;
    };
    const { key } = (await service.operate('POST', `${R}/merchants/${merchant.id}/api-keys`)) as {
      key: string;
    };
    for (const path of [`${R}/imports/${id}`, `${R}/imports/${id}/events`]) {
      const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } });
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
        404,
        'import_unknown',
      ]);
    }
  });
});

describe('products that are no longer in the source', () => {
  it.each([
    ['never', 10, 9, 10, 0],
    ['cautious', 10, 9, 9, 1],
    ['cautious', 10, 5, 10, 0],
    ['always', 10, 5, 5, 5],
    ['always', 10, 0, 10, undefined],
  ] as const)(
    'with %s: of %i in the store, %i in the shop, %i remain',
    async (prune, all, left, kept, deleted) => {
      pages = [range(1, all)];
      const store = await newStore();
      await ended((await order(store)).id);
      pages = [range(1, left)];
      const { view } = await ended((await order(store, { prune })).id);
      expect(await externalIds(store)).toHaveLength(kept);
      expect(view.deleted).toBe(deleted);
      if (deleted !== undefined) expect(view.notInSource).toBe(all - left);
    },
  );
});

describe('the source of a store', () => {
  it('is read at once and then on schedule, and shows its last import', async () => {
    pages = [range(1, 2)];
    const store = await newStore();
    const path = `${R}/stores/${store}/source`;
    await expect(service.operate('GET', path)).rejects.toThrow(/404.*store_source_unknown/);
    const put = (await service.operate('PUT', path, {
      url: 'http://shop.example',
      everyHours: 6,
    })) as StoreSource;
    expect(put).toMatchObject({ kind: 'auto', everyHours: 6, prune: 'never' });
    const first = ((await service.operate('GET', path)) as StoreSource).lastImport;
    expect(first?.scheduled).toBe(true);
    await ended(first?.id ?? '');
    const source = (await service.operate('GET', path)) as StoreSource;
    expect(new Date(source.nextAt).getTime() - now).toBe(6 * 3_600_000);
    // due again: any write of a source checks for due imports
    pages = [range(1, 3)];
    now += 7 * 3_600_000;
    const other = await newStore();
    await service.operate('PUT', `${R}/stores/${other}/source`, { url: 'http://shop.example' });
    const second = ((await service.operate('GET', path)) as StoreSource).lastImport;
    expect(second?.id).not.toBe(first?.id);
    expect((await ended(second?.id ?? '')).view).toMatchObject({ state: 'done', created: 1, unchanged: 2 });
  });

  it('is no longer read once it is deleted', async () => {
    const store = await newStore();
    const path = `${R}/stores/${store}/source`;
    await service.operate('PUT', path, { url: 'http://shop.example' });
    await service.operate('DELETE', path);
    await expect(service.operate('DELETE', path)).rejects.toThrow(/404/);
    await expect(service.operate('PUT', path, { url: 'http://shop.example', everyHours: 0 })).rejects.toThrow(
      /422/,
    );
  });
});
