import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { memoryOf } from '../kit/processes.ts';
import { openStore, operate, putProducts, UNLIMITED_FETCHES } from '../kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { openShop, productPage, type Shop } from '../kit/shop.ts';
import { type Attackers, HOSTILE_HOSTS, startAttackers } from './support/answers/attackers.ts';
import { type Client, createClient } from './support/client.ts';

const ROUNDS = 3;
/** Milliseconds of each quiet measurement. */
const QUIET = 4_000;
const BARRAGE = 8_000;
/** Milliseconds after the last response until memory must be released. */
const RECOVERY = 20_000;
const MB = 1_000_000;

const dataDir = useFolder('barrage');
let shop: Shop;
let attackers: Attackers;
let service: ServeProcess;
let client: Client;
let product: { readonly id: string; readonly url: string };
let certificate: unknown;

beforeAll(async () => {
  shop = await openShop();
  attackers = await startAttackers();
  const port = await freePort();
  const hostile = HOSTILE_HOSTS.map((host) => `${host}=127.0.0.1:${attackers.port}`);
  service = spawnServe({
    port,
    dataDir,
    env: {
      TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
      TOUCHSTONE_TRUST_PROXY: '127.0.0.0/8',
      TOUCHSTONE_FETCH_CONNECT_TO: [...hostile, `shop.example=127.0.0.1:${shop.port}`].join(','),
      // without rate limits, which would end the attack within seconds
      ...UNLIMITED_FETCHES,
    },
  });
  await untilReady(service);
  client = createClient(port);
  await addProduct();
});
afterAll(async () => {
  client?.close();
  await service?.stop();
  await attackers?.close();
  await shop?.close();
});

async function addProduct(): Promise<void> {
  const { id: storeId } = await openStore(service, 'http://shop.example/');
  const url = 'http://shop.example/products/kettle';
  const row = { externalProductId: 'kettle', url, name: 'A kettle', images: [] };
  const [id = ''] = await putProducts(service, storeId, [row]);
  product = { id, url };
  certificate = await operate(service, 'GET', `/api/v1/mc4p/products/${id}/certificate`);
  shop.put(url, productPage(certificate));
}

/** Calls of honest callers; each response is verified. */
const CALLS = {
  'GET certificate': () =>
    ask('GET', `/api/v1/mc4p/products/${product.id}/certificate`, undefined, /"proof"/),
  'POST verify': () =>
    ask(
      'POST',
      `/api/v1/mc4p/products/${product.id}/verify`,
      { productUrl: product.url, document: certificate },
      /"status":"verified"/,
    ),
  'check of a page': () =>
    ask('POST', '/api/v1/mc4p/page-checks', { url: product.url }, /"verdict":"verified"/),
} as const;
type Call = keyof typeof CALLS;
const NAMES = Object.keys(CALLS) as Call[];

async function ask(method: string, path: string, body: unknown, expected: RegExp): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.19.0.1' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await client.ask({ method, path, headers, ...sent });
  const text = answer.body.toString();
  expect(answer.status, text).toBe(200);
  expect(text).toMatch(expected);
  return answer.ms;
}

type Times = Record<Call, number[]>;
const noTimes = (): Times => ({ 'GET certificate': [], 'POST verify': [], 'check of a page': [] });

/** Makes the calls one after the other for this number of milliseconds. */
async function measure(times: Times, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    for (const name of NAMES) times[name].push(await CALLS[name]());
    await delay(5);
  }
}

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN;
}

/** Resident memory of the service in bytes, without its database, which is another process. */
const residentMemory = () => memoryOf(service.pid, 'now');

function watchMemory(): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMemory());
  }, 100);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

// other load can spoil one measurement; real slowness fails all three
it('under a load of hostile pages others are served as before, and memory is released', {
  retry: 2,
}, async () => {
  const [quiet, barrage] = [noTimes(), noTimes()];
  const outcomes: Record<string, number> = {};
  const attack = async (times: Times) => {
    attackers.attack(service.url);
    await delay(500);
    await measure(times, BARRAGE);
    for (const [end, count] of Object.entries(await attackers.cease()))
      outcomes[end] = (outcomes[end] ?? 0) + count;
  };
  await measure(noTimes(), QUIET);
  const cold = residentMemory();
  // one attack as a warm-up, for compiled code and working heaps
  await attack(noTimes());
  const before = await lowestMemory();
  const stopWatching = watchMemory();
  for (let round = 0; round < ROUNDS; round += 1) {
    await measure(quiet, QUIET);
    await attack(barrage);
  }
  const peak = stopWatching();
  // compiled code and working heaps take about 150 MB
  const bound = Math.min(before + 130 * MB, cold + 250 * MB);
  const after = await lowestMemory(bound);

  const table = NAMES.map((name) => {
    const [control, median] = [quantile(quiet[name], 0.5), quantile(barrage[name], 0.5)];
    return {
      name,
      control,
      median,
      ratio: median / control,
      p95: quantile(barrage[name], 0.95),
      n: barrage[name].length,
    };
  });
  const lines = table.map(
    ({ name, control, median, ratio, p95, n }) =>
      `${name}: median ${control.toFixed(1)} → ${median.toFixed(1)} ms (× ${ratio.toFixed(2)}), p95 ${p95.toFixed(1)} ms, n ${n}`,
  );
  const ends = Object.entries(outcomes).map(([end, count]) => `${end}: ${count}`);
  const megabytes = [cold, before, peak, after].map((bytes) => Math.round(bytes / MB));
  console.info(
    [...lines, `memory cold, before, peak, after: ${megabytes.join(', ')} MB`, ...ends].join('\n'),
  );

  expect(Object.keys(outcomes).filter((end) => /^(5|[^2-4])/.test(end))).toEqual([]);
  for (const { ratio, name } of table) expect(ratio, name).toBeLessThan(2);
  expect(after).toBeLessThan(bound);
});

/** The minimum memory during the recovery time, which ends early once it is low enough. */
async function lowestMemory(enough = 0): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (const end = performance.now() + RECOVERY; performance.now() < end && lowest >= enough; ) {
    // honest calls continue, so that garbage is collected as usual
    await measure(noTimes(), 500);
    lowest = Math.min(lowest, residentMemory());
  }
  return lowest;
}
