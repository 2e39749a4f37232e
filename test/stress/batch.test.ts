import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';
import { openStore, operate, putProducts, UNLIMITED_FETCHES } from '../kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { openShop, productPage, type Shop } from '../kit/shop.ts';

const CONCURRENCY = 8;
const HOST = 'http://shop.example';
const GATE =
  '<html><body class="template-password"><form method="post" action="/password" id="login_form"><input type="password" name="password"></form></body></html>';

/** The expected verdicts of the thousand pages, by their number. */
const EXPECTED: readonly (readonly [verdict: string, from: number, to: number])[] = [
  ['verified', 0, 700],
  ['checks_failed', 700, 800],
  ['unverified', 800, 850],
  ['no_certificate', 850, 900],
  ['password_protected', 900, 950],
  ['page_fetch_failed', 950, 1000],
];

const folder = useFolder('batch');
let service: ServeProcess;
let shop: Shop;
let list: string;

beforeAll(async () => {
  shop = await openShop();
  service = spawnServe({
    port: await freePort(),
    dataDir: join(folder, 'data'),
    env: {
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${shop.port}`,
      ...UNLIMITED_FETCHES,
      // low enough to reach the host's limit, so that every page waits
      TOUCHSTONE_FETCH_PER_HOST: '600',
      // the service itself would ask for pages again
      TOUCHSTONE_SWEEPS: 'false',
    },
  });
  await untilReady(service);
  await fillShop();
  list = join(folder, 'pages.txt');
  await writeFile(list, Array.from({ length: 1000 }, (_, n) => pageOf(n)).join('\n'));
});

afterAll(async () => {
  await service?.stop();
  await shop?.close();
});

const pageOf = (n: number) => `${HOST}/products/${n}`;

async function fillShop(): Promise<void> {
  const { id } = await openStore(service, HOST);
  const rows = Array.from({ length: 850 }, (_, n) => ({
    externalProductId: String(n),
    name: `Cup ${n}`,
    url: pageOf(n),
  }));
  const certificates: Record<string, unknown>[] = [];
  for (const productId of await putProducts(service, id, rows))
    certificates.push(await operate(service, 'GET', `/api/v1/mc4p/products/${productId}/certificate`));
  for (let n = 0; n < 1000; n++) {
    const { proof, ...identity } = certificates[n] ?? {};
    if (n < 700) shop.put(pageOf(n), productPage({ ...identity, proof }));
    else if (n < 800) shop.put(pageOf(n), productPage(certificates[n - 700]));
    else if (n < 850) shop.put(pageOf(n), productPage(identity));
    else if (n < 900) shop.put(pageOf(n), productPage({ '@type': 'Product', name: 'Cup' }));
    else if (n < 950) shop.put(pageOf(n), GATE);
  }
}

function batch(out: string): ChildProcess & { readonly ended: Promise<number | null> } {
  // the host is not proven, and every page has one heading
  const accepted = ['--accept-unproven', '--ignore-page-facts'];
  const argv = ['batch', list, '--out', out, '--concurrency', String(CONCURRENCY), '--json', ...accepted];
  const child = spawn(process.execPath, [join(ROOT, 'packages/cli/bin/touchstone.js'), ...argv], {
    env: { PATH: process.env.PATH ?? '', TOUCHSTONE_SERVICE: service.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return Object.assign(child, { ended: once(child, 'close').then(([code]) => code as number | null) });
}

interface Line {
  readonly url: string;
  readonly verdict: string;
}

/** The complete lines; the rest is still being written. */
async function resultsIn(out: string): Promise<Line[]> {
  const text = await readFile(out, 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

async function untilResults(out: string, count: number): Promise<void> {
  while ((await resultsIn(out)).length < count) await delay(20);
}

it('a thousand pages, interrupted by Ctrl-C and by kill -9 and resumed, give the correct counts, without checking any twice', async () => {
  const out = join(folder, 'results.ndjson');
  const askedBefore = shop.asked.length;
  let interruptions = 0;
  for (const [signal, at] of [
    ['SIGINT', 150],
    ['SIGKILL', 350],
    ['SIGKILL', 500],
    ['SIGINT', 700],
  ] as const) {
    const child = batch(out);
    await untilResults(out, at);
    child.kill(signal);
    expect(await child.ended).toBe(signal === 'SIGINT' ? 3 : null);
    interruptions++;
    // finished results are never requested again
    const settled = new Set((await resultsIn(out)).map(({ url }) => url.slice('http://'.length)));
    const from = shop.asked.length;
    const next = batch(out);
    await untilResults(out, settled.size + 20);
    next.kill('SIGINT');
    await next.ended;
    interruptions++;
    expect(shop.asked.slice(from).filter((asked) => settled.has(asked))).toEqual([]);
  }
  const last = batch(out);
  let told = '';
  let progress = '';
  last.stdout?.on('data', (piece) => (told += String(piece)));
  last.stderr?.on('data', (piece) => (progress += String(piece)));
  expect(await last.ended).toBe(1);
  const counts = Object.fromEntries(EXPECTED.map(([verdict, from, to]) => [verdict, to - from]));
  expect(JSON.parse(told)).toMatchObject({ pages: 1000, done: 1000, outcomes: counts });
  expect(progress).toMatch(/\d+ of \d+ pages, \d+ failed, .* a second, \d+ s left/);

  const lines = await resultsIn(out);
  expect(lines).toHaveLength(1000);
  const verdicts = new Map(lines.map(({ url, verdict }) => [url, verdict]));
  const wrong = EXPECTED.flatMap(([verdict, from, to]) =>
    Array.from({ length: to - from }, (_, i) => pageOf(from + i)).filter(
      (url) => verdicts.get(url) !== verdict,
    ),
  );
  expect(wrong).toEqual([]);
  // only requests in progress when a run was killed were repeated
  expect(shop.asked.length - askedBefore).toBeLessThanOrEqual(1000 + interruptions * CONCURRENCY);
});
