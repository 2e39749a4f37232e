import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import {
  type Answer,
  type Asked,
  type LoopbackServer,
  loopbackServer,
  type RunOptions,
  runCli,
} from '../testing.ts';

const STORE = {
  id: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
  merchantId: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b02',
  name: 'Shop',
  url: 'https://shop.example/',
  platform: 'custom',
  signImages: false,
  signRemoteManifests: false,
  createdAt: '2026-03-01T12:00:00.000Z',
  domains: [{ hostname: 'shop.example', verified: false, challenge: 'touchstone-abc' }],
};
/** An arbitrary id. */
const OTHER_ID = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b03';
const MERCHANT = ['--merchant-id', STORE.merchantId];

const folder = useFolder('import');
let server: LoopbackServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const product = (i: number, more: object = {}) => ({
  id: i,
  title: `Cup ${i}`,
  handle: `cup-${i}`,
  images: [],
  ...more,
});
const catalogue = (count: number) => Array.from({ length: count }, (_, i) => product(i + 1));

/** A registry that accepts everything; `override` may answer a request first. */
async function registry(
  override: (asked: Asked) => Answer | undefined = () => undefined,
): Promise<LoopbackServer> {
  server = await loopbackServer((asked) => override(asked) ?? usual(asked));
  return server;
}

function usual({ method, path, body }: Asked): Answer {
  if (method === 'GET' && path === '/api/v1/registry/stores') return { body: { stores: [] } };
  if (method === 'POST' && path === '/api/v1/registry/stores') return { status: 201, body: STORE };
  if (method === 'GET' && path.startsWith('/api/v1/registry/merchants')) return { body: { merchants: [] } };
  if (method === 'GET' && path.includes('/products')) return { body: { products: [] } };
  if (method === 'GET') return { body: STORE };
  const rows = JSON.parse(body) as { externalProductId: string }[];
  return {
    body: {
      results: rows.map(({ externalProductId }) => ({ externalProductId, id: OTHER_ID, status: 'created' })),
    },
  };
}

async function importFile(content: unknown, more: readonly string[] = [], options: RunOptions = {}) {
  const path = join(folder, 'catalogue');
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  const to = server === undefined ? [] : ['--service', server.url];
  const env = { TOUCHSTONE_KEY: 'tsk_k' };
  return runCli(['import', path, '--store-url', 'https://shop.example', ...to, ...more], { env, ...options });
}

const puts = () => (server?.asked ?? []).filter(({ method }) => method === 'PUT');

describe('touchstone import', () => {
  it('says how many of the imported products publish a certificate, and why the others do not', async () => {
    await registry(({ method, body }) => {
      if (method !== 'PUT') return undefined;
      const rows = JSON.parse(body) as { externalProductId: string }[];
      const states = ['active', 'no_slot', 'no_slot', 'hidden'];
      return {
        body: {
          results: rows.map(({ externalProductId }, i) => ({
            externalProductId,
            id: OTHER_ID,
            status: 'created',
            state: states[i],
          })),
        },
      };
    });
    const { code, out } = await importFile({ products: catalogue(4) }, MERCHANT);
    expect(code).toBe(0);
    expect(out).toContain('1 active, 2 waiting for a seat of the plan, 1 hidden.\n');
    expect(out).toContain('publish no certificate: increase planCapacity');
    const told = await importFile({ products: catalogue(4) }, [...MERCHANT, '--json']);
    expect(told.json().states).toEqual({ active: 1, no_slot: 2, hidden: 1 });
  });

  it('prints with --json the id of each product and the URL of its certificate, row by row', async () => {
    await registry(({ method, body }) => {
      if (method !== 'PUT') return undefined;
      const [{ externalProductId }] = JSON.parse(body) as [{ externalProductId: string }];
      const bad = {
        externalProductId: '2',
        status: 'error',
        errors: [{ loc: ['url'], msg: 'Bad', type: 'x' }],
      };
      return {
        body: { results: [{ externalProductId, id: OTHER_ID, status: 'created', state: 'active' }, bad] },
      };
    });
    const { out, code } = await importFile({ products: catalogue(2) }, [...MERCHANT, '--json']);
    const [first, second, last, ...none] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(first).toEqual({
      externalProductId: '1',
      status: 'created',
      id: OTHER_ID,
      state: 'active',
      certificate: `${server?.url}/api/v1/mc4p/products/${OTHER_ID}/certificate`,
    });
    expect(second).toEqual({
      row: 2,
      kind: 'x url',
      externalProductId: '2',
      reason: 'url: Bad',
      status: 'error',
    });
    expect(last).toMatchObject({ products: 2, created: 1, failed: 1 });
    expect([none, code]).toEqual([[], 1]);
  });

  it('says to prove the domain at the address of the store, including its port', async () => {
    const url = 'http://shop.example:8080/';
    await registry(({ method, path }) =>
      method === 'POST' && path === '/api/v1/registry/stores'
        ? { status: 201, body: { ...STORE, url } }
        : undefined,
    );
    const { out } = await importFile({ products: catalogue(1) }, [...MERCHANT, '--store-url', url]);
    expect(out).toMatch(/^ALL IN {2}1 product read/);
    expect(out).toContain('at http://shop.example:8080/.well-known/touchstone-challenge');
  });

  it('creates the store if there is none, sends every product, and says what to do next', async () => {
    await registry();
    const { code, out } = await importFile({ products: catalogue(3) }, MERCHANT);
    expect(code).toBe(0);
    expect(out).toMatch(/^ALL IN {2}3 products read/);
    expect(out).toContain('touchstone-abc');
    const post = server?.asked.find(({ method }) => method === 'POST');
    expect(JSON.parse(post?.body ?? '')).toEqual({
      merchantId: STORE.merchantId,
      name: 'shop.example',
      url: 'https://shop.example',
      platform: 'shopify',
    });
    expect(post?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(puts()[0]?.path).toBe(`/api/v1/registry/stores/${STORE.id}/products`);
    expect(JSON.parse(puts()[0]?.body ?? '')[0]).toMatchObject({
      externalProductId: '1',
      url: 'https://shop.example/products/cup-1',
    });
  });

  it('finds the store by its address, over all pages of the list, and creates no second one', async () => {
    await registry(({ method, path }) => {
      if (method !== 'GET' || !path.startsWith('/api/v1/registry/stores')) return undefined;
      if (path.endsWith('/stores'))
        return {
          body: { stores: [{ ...STORE, id: OTHER_ID, url: 'https://b.example' }], nextCursor: OTHER_ID },
        };
      return path.endsWith(`?cursor=${OTHER_ID}`) ? { body: { stores: [STORE] } } : undefined;
    });
    expect((await importFile(catalogue(1))).code).toBe(0);
    expect(server?.asked.some(({ method }) => method === 'POST')).toBe(false);
  });

  it('asks which store or merchant is meant instead of guessing', async () => {
    await registry();
    expect(await importFile(catalogue(1))).toMatchObject({
      code: 64,
      err: expect.stringMatching(/no store with the address.*There is no merchant yet\.\n.*merchants create/),
    });
    await server?.close();
    await registry(({ path }) =>
      path.endsWith('/stores') ? { body: { stores: [STORE, { ...STORE, id: OTHER_ID }] } } : undefined,
    );
    expect(await importFile(catalogue(1))).toMatchObject({
      code: 64,
      err: expect.stringContaining('--store '),
    });
    expect(puts()).toEqual([]);
  });

  it('creates the store for the only merchant that the key may access, also with a merchant’s own key', async () => {
    const merchant = {
      id: STORE.merchantId,
      name: 'M',
      planCapacity: 1,
      slotsHeld: 0,
      productLimit: 100_000,
      products: 0,
      paused: false,
      createdAt: STORE.createdAt,
    };
    const merchants = [merchant];
    const listed = ({ path }: Asked) =>
      path.startsWith('/api/v1/registry/merchants') ? { body: { merchants } } : undefined;
    await registry(listed);
    expect((await importFile(catalogue(1))).code).toBe(0);
    const post = server?.asked.find(({ method }) => method === 'POST');
    expect(JSON.parse(post?.body ?? '').merchantId).toBe(STORE.merchantId);
    await server?.close();
    merchants.push({ ...merchant, id: OTHER_ID });
    await registry(listed);
    expect(await importFile(catalogue(1))).toMatchObject({
      code: 64,
      err: expect.stringMatching(/The key may see several merchants\.\n.*--merchant-id/),
    });
    expect(puts()).toEqual([]);
  });

  it('refuses a store of another address', async () => {
    await registry(() => ({ body: { ...STORE, url: 'https://b.example', domains: [] } }));
    for (const option of ['--store', '--store-id'])
      expect((await importFile(catalogue(1), [option, STORE.id])).code).toBe(64);
  });

  it('sends at most 500 rows and 800 kB at a time, splits what is still too large, and loses nothing', async () => {
    await registry(({ method, body }) =>
      method === 'PUT' && (JSON.parse(body) as unknown[]).length > 200
        ? { status: 413, body: { detail: 'Too large.', code: 'body_too_large' } }
        : undefined,
    );
    const { code, json } = await importFile(catalogue(1201), [...MERCHANT, '--json']).then((ran) => ({
      ...ran,
      json: ran.json(),
    }));
    expect(code).toBe(0);
    expect(json).toMatchObject({ products: 1201, created: 1201, failed: 0 });
    const sizes = puts().map(({ body }) => (JSON.parse(body) as unknown[]).length);
    expect(Math.max(...sizes)).toBe(500);
    await server?.close();
    await registry();
    const large = Array.from({ length: 40 }, (_, i) =>
      product(i + 1, {
        images: Array.from({ length: 200 }, (__, n) => `https://cdn.test/${i}/${n}/${'x'.repeat(200)}.jpg`),
      }),
    );
    expect((await importFile(large, MERCHANT)).code).toBe(0);
    expect(puts().length).toBeGreaterThan(1);
    expect(Math.max(...puts().map(({ body }) => body.length))).toBeLessThan(810_000);
  });

  it('prints every row that was not imported, from the file and from the service, and exits with 1', async () => {
    await registry(({ method, body }) => {
      if (method !== 'PUT') return undefined;
      const rows = JSON.parse(body) as { externalProductId: string }[];
      return {
        body: {
          results: rows.map(({ externalProductId }) =>
            externalProductId === '2'
              ? {
                  externalProductId,
                  status: 'error',
                  errors: [{ loc: ['name'], msg: 'too long', type: 'string_too_long' }],
                }
              : { externalProductId, id: OTHER_ID, status: 'updated' },
          ),
        },
      };
    });
    const { code, out } = await importFile([...catalogue(3), { colour: 'red' }], MERCHANT);
    expect(code).toBe(1);
    expect(out).toMatch(/^NOT ALL IN/);
    expect(out).toMatch(/row 2 +2 +name: too long/);
    expect(out).toMatch(/row 4 +The row is not a product/);
  });

  it('counts a product that the response omits or misidentifies as not imported', async () => {
    let results: readonly object[] = [];
    await registry(({ method }) => (method === 'PUT' ? { body: { results } } : undefined));
    const silent = await importFile(catalogue(2), [...MERCHANT, '--json']);
    expect([silent.code, silent.json()]).toMatchObject([1, { created: 0, failed: 2 }]);
    results = [
      { externalProductId: '2', id: OTHER_ID, status: 'created' },
      { externalProductId: '1', id: OTHER_ID, status: 'error' },
    ];
    const swapped = await importFile(catalogue(2), [...MERCHANT, '--json']);
    expect([swapped.code, swapped.json()]).toMatchObject([1, { created: 0, failed: 2 }]);
  });

  it('survives a service that is unavailable for a while, and reports its progress if it stays unavailable', async () => {
    let down = 3;
    await registry(({ method }) => (method === 'PUT' && down-- > 0 ? { hangUp: true } : undefined));
    const waits: number[] = [];
    const back = await importFile(catalogue(2), MERCHANT, { waits });
    expect(back.code).toBe(0);
    expect(waits).toEqual([500, 1000, 2000]);
    expect(back.err).toContain('again in 0.5 s');
    await server?.close();
    let batches = 0;
    await registry(({ method }) => (method === 'PUT' && ++batches > 1 ? { hangUp: true } : undefined));
    const gone = await importFile(catalogue(700), MERCHANT);
    expect(gone).toMatchObject({ code: 3, out: '' });
    expect(gone.err).toContain('500 products were imported');
    expect(gone.err).toContain('Run the same command again');
  });

  it('stops on request, says what was imported, and never calls that a success', async () => {
    const stop = new AbortController();
    let batches = 0;
    await registry(({ method }) => {
      if (method === 'PUT' && ++batches === 2) stop.abort();
      return undefined;
    });
    const { code, err } = await importFile(catalogue(2000), MERCHANT, {
      env: { TOUCHSTONE_KEY: 'k' },
      stop: stop.signal,
    });
    expect(code).toBe(3);
    expect(err).toMatch(/Stopped\.\n(500|1000) products were imported/);
  });

  it('shows progress on a terminal only', async () => {
    await registry();
    expect((await importFile(catalogue(600), MERCHANT)).err).not.toContain('\u001b');
    const { err } = await importFile(catalogue(600), MERCHANT, { terminal: true });
    expect(err).toContain('500 of 600 products, 0 failed');
    expect(err.endsWith('\r\u001b[K')).toBe(true);
  });

  it('reads standard input, once', async () => {
    await registry();
    const argv = [
      'import',
      '-',
      '--store-url',
      'https://shop.example',
      '--service',
      server?.url ?? '',
      ...MERCHANT,
    ];
    const { code } = await runCli(argv, {
      stdin: JSON.stringify(catalogue(2)),
      env: { TOUCHSTONE_KEY: 'k' },
    });
    expect(code).toBe(0);
    expect(puts()).toHaveLength(1);
  });

  it('sends nothing without a key, in a dry run, or when there is nothing to send', async () => {
    await registry();
    expect((await importFile(catalogue(1), MERCHANT, { env: {} })).code).toBe(64);
    const dry = await importFile(catalogue(2), ['--dry-run'], { env: {} });
    expect(dry).toMatchObject({ code: 0, out: expect.stringMatching(/^DRY RUN {2}2 products read/) });
    expect((await importFile([{ colour: 'red' }], ['--dry-run'])).code).toBe(1);
    for (const empty of ['', '[]', '<html>', '{"products":[{"id":1']) {
      const { code, out } = await importFile(empty, MERCHANT);
      expect([empty, code]).toEqual([empty, 1]);
      expect(out).toMatch(/^NOTHING SENT[\s\S]*Not imported\n {2}file/);
    }
    expect(server?.asked).toEqual([]);
  });

  it('first reports a missing file, and what an address without its scheme lacks', async () => {
    for (const file of ['missing.csv', 'missing/shop.csv']) {
      const { code, err } = await runCli(['import', file], { env: { TOUCHSTONE_KEY: 'k' } });
      expect([code, err]).toEqual([64, `error: There is no file ${file}.\n`]);
    }
    for (const address of ['shop.example', 'www.shop.example/feed.xml', 'localhost:8080/feed'])
      for (const more of [[], ['--dry-run'], ['--store-url', 'https://shop.example']]) {
        const { code, err } = await runCli(['import', address, ...more], { env: { TOUCHSTONE_KEY: 'k' } });
        expect([code, err]).toEqual([
          64,
          `error: There is no file ${address}.\nIs it an address? Write it with https:// in front.\n`,
        ]);
      }
  });

  it('reads for a store given by its id in a dry run too', async () => {
    await registry();
    const path = join(folder, 'catalogue');
    await writeFile(path, JSON.stringify(catalogue(2)));
    const argv = ['import', path, '--store', STORE.id, '--dry-run', '--service', server?.url ?? ''];
    const { code, out } = await runCli(argv, { env: { TOUCHSTONE_KEY: 'k' } });
    expect([code, out]).toEqual([0, expect.stringMatching(/^DRY RUN {2}2 products read/)]);
    expect(server?.asked.map(({ method }) => method)).toEqual(['GET']);
  });
});
