import { afterEach, describe, expect, it } from 'vitest';
import { type LoopbackServer, loopbackServer, runCli } from '../testing.ts';

const STORE = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const COUNTS = {
  total: 3,
  done: 3,
  failed: 0,
  waiting: 0,
  retrying: 0,
  certified: 3,
  signedByUs: 2,
  notServed: 0,
  noImage: 0,
  perSecond: 0.05,
};
const FAILED = {
  id: STORE,
  productId: STORE,
  externalProductId: 'cup',
  attempts: 5,
  failedAt: '2026-03-01T12:00:00.000Z',
  url: 'https://shop.example/a.jpg',
  code: 'image_http_status',
  message: 'The host did not answer with the image. It answered 503.',
  nextStep: 'Make sure that the host serves the image, then retry.',
};

const RETRIED = {
  id: STORE,
  productId: STORE,
  externalProductId: 'mug',
  url: 'https://shop.example/b.jpg',
  state: 'waiting',
  problem: {
    code: 'image_http_status',
    message: 'The host did not answer with the image. It answered 429.',
    nextStep: 'Make sure that the host serves the image, then retry.',
    attempts: 2,
    failedAt: '2026-03-01T12:00:00.000Z',
    nextAttemptAt: '2026-03-01T12:10:00.000Z',
  },
};

const STORE_RECORD = {
  id: STORE,
  merchantId: STORE,
  name: 'Shop',
  url: 'https://shop.example/',
  platform: 'custom',
  signRemoteManifests: false,
  pendingChanges: [],
  domains: [],
  createdAt: '2026-03-01T12:00:00.000Z',
};

const UNSTAMPED = 'images?state=unstamped&limit=1';

let server: LoopbackServer;
/** Whether the store has signing turned on. */
let isSigning = false;
/** Images signed without a time stamp. */
let unstamped: readonly unknown[] = [];
afterEach(() => server.close());

/** Runs `images` against a service that returns these counts in order. */
async function images(counts: readonly Record<string, number>[], ...more: string[]) {
  const left = [...counts];
  server = await loopbackServer(({ path }) => {
    if (path.includes('state=unstamped')) return { body: { images: unstamped } };
    if (path.includes('state=retrying')) return { body: { images: [RETRIED] } };
    if (path.endsWith(`/stores/${STORE}`)) return { body: { ...STORE_RECORD, signImages: isSigning } };
    if (path.endsWith('/failed')) return { body: { images: [FAILED] } };
    if (path.endsWith('/retry')) return { body: { retried: 1 } };
    return { body: left.length > 1 ? left.shift() : left[0] };
  });
  return runCli(['images', STORE, '--service', server.url, '--key', 'k'.repeat(20), ...more]);
}

describe('touchstone images', () => {
  it('reports how many were scanned, and who certified them', async () => {
    const { code, out } = await images([COUNTS]);
    expect(code).toBe(0);
    expect(out).toContain('3 of 3 images scanned');
    expect(out).toContain('3 certified: 1 by their own manifest, 2 signed by this service');
    expect(server.asked[0]?.path).toBe(`/api/v1/registry/stores/${STORE}/images/progress`);
  });

  it('says how images without a manifest can be certified', async () => {
    const { out } = await images([{ ...COUNTS, certified: 1, signedByUs: 0 }]);
    expect(out).toContain('2 have no valid C2PA manifest.');
    expect(out).toContain(`/stores/${STORE} with {"signImages": true}`);
    await server.close();
    expect((await images([COUNTS])).out).not.toContain('signImages');
  });

  it('does not suggest what the store has already set', async () => {
    isSigning = true;
    const { out } = await images([{ ...COUNTS, certified: 1, signedByUs: 0 }]);
    isSigning = false;
    expect(out).toContain('2 have no valid C2PA manifest.\n');
    expect(out).not.toContain('signImages');
  });

  it('reports why images failed and what to do, and does not exit with success', async () => {
    const { code, out } = await images([{ ...COUNTS, done: 2, failed: 1 }]);
    expect(code).toBe(1);
    const { url, code: why, message, nextStep } = FAILED;
    for (const part of [url, why, message, nextStep]) expect(out).toContain(part);
  });

  it('watches until nothing waits, and rescans failed ones first on request', async () => {
    const ran = await images([{ ...COUNTS, done: 1, waiting: 2 }, COUNTS], '--watch', '--retry', '--json');
    expect(ran.json()).toEqual({ ...COUNTS, images: [], retried: [] });
    expect(server.asked.map(({ path }) => path.split('/').at(-1))).toEqual([
      'retry',
      'progress',
      'progress',
      UNSTAMPED,
    ]);
    expect(ran.code).toBe(0);
  });

  it('says without watching that some are still waiting, and whether something blocks them', async () => {
    const idle = await images([{ ...COUNTS, done: 1, waiting: 2 }]);
    expect(idle.code).toBe(2);
    expect(idle.out).not.toContain('retried');
    await server.close();
    const { out } = await images([{ ...COUNTS, done: 1, waiting: 2, retrying: 2 }]);
    expect(out).toContain('2 are retried:');
    for (const part of [
      RETRIED.url,
      RETRIED.problem.code,
      RETRIED.problem.message,
      RETRIED.problem.nextAttemptAt,
    ])
      expect(out).toContain(part);
    expect(out).toContain('… and 1 more');
  });

  it('says that signed files have no time stamp, and until when they validate', async () => {
    expect((await images([COUNTS])).out).not.toContain('time stamp');
    await server.close();
    const validUntil = '2031-03-01T12:00:00.000Z';
    const file = { url: 'https://certificates.example/a.jpg', uhash: 'a', mediaType: 'image/jpeg' };
    unstamped = [{ ...RETRIED, signedFile: { ...file, timeStamp: 'none', validUntil } }];
    const { out } = await images([COUNTS]);
    unstamped = [];
    expect(out).toContain('are valid until the signing certificate expires (2031-03-01)');
    expect(out).toContain(`/stores/${STORE}/images?state=unstamped`);
  });

  it('says that signed files are not served, and how to change that', async () => {
    const { out } = await images([{ ...COUNTS, certified: 1, signedByUs: 2, notServed: 2 }]);
    expect(out).toContain('1 certified: 1 by their own manifest, 0 signed by this service');
    expect(out).toContain(`so they do not count:\ntouchstone images pull ${STORE} --to signed/ downloads`);
    expect(out).not.toContain('no valid C2PA manifest');
  });
});
