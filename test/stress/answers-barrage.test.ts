import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { memoryOf, resetPeak } from '../kit/processes.ts';
import { openStore, operate, putProducts, UNLIMITED_FETCHES } from '../kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { openShop, productPage, type Shop } from '../kit/shop.ts';
import { type Attackers, HOSTILE_HOSTS, startAttackers } from './support/answers/attackers.ts';
import { type Client, createClient } from './support/client.ts';

const ROUNDS = 3;
/** Milliseconds of calls before the first attack. */
const QUIET = 4_000;
const BARRAGE = 8_000;
/** Milliseconds after the last response until memory must be released. */
const RECOVERY = 20_000;
const MB = 1_000_000;

/** A service with one product, whose page is in the shop. */
interface Served {
  readonly service: ServeProcess;
  readonly client: Client;
  readonly product: { readonly id: string; readonly url: string };
  readonly certificate: unknown;
}

const folders = { attacked: useFolder('barrage'), spared: useFolder('barrage-spared') };
let shop: Shop;
let attackers: Attackers;
const services: ServeProcess[] = [];
let attacked: Served;
/** The same at the same time without an attack: whatever else this machine does delays both. */
let spared: Served;

beforeAll(async () => {
  shop = await openShop();
  attackers = await startAttackers();
  attacked = await serve('attacked');
  spared = await serve('spared');
});
afterAll(async () => {
  for (const served of [attacked, spared]) served?.client.close();
  await Promise.all(services.map((service) => service.stop()));
  await attackers?.close();
  await shop?.close();
});

async function serve(name: keyof typeof folders): Promise<Served> {
  const port = await freePort();
  const hostile = HOSTILE_HOSTS.map((host) => `${host}=127.0.0.1:${attackers.port}`);
  const service = spawnServe({
    port,
    dataDir: folders[name],
    env: {
      TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
      TOUCHSTONE_TRUST_PROXY: '127.0.0.0/8',
      TOUCHSTONE_FETCH_CONNECT_TO: [...hostile, `shop.example=127.0.0.1:${shop.port}`].join(','),
      // without rate limits, which would end the attack within seconds
      ...UNLIMITED_FETCHES,
    },
  });
  services.push(service);
  await untilReady(service);
  const { id: storeId } = await openStore(service, 'http://shop.example/');
  const url = `http://shop.example/products/${name}`;
  const row = { externalProductId: name, url, name: 'A kettle', images: [] };
  const [id = ''] = await putProducts(service, storeId, [row]);
  const certificate = await operate(service, 'GET', `/api/v1/mc4p/products/${id}/certificate`);
  shop.put(url, productPage(certificate));
  return { service, client: createClient(port), product: { id, url }, certificate };
}

/** Calls of honest callers; each response is verified. */
const CALLS = {
  'GET certificate': (served: Served) =>
    ask(served, 'GET', `/api/v1/mc4p/products/${served.product.id}/certificate`, undefined, /"proof"/),
  'POST verify': (served: Served) =>
    ask(
      served,
      'POST',
      `/api/v1/mc4p/products/${served.product.id}/verify`,
      { productUrl: served.product.url, document: served.certificate },
      /"status":"verified"/,
    ),
  'check of a page': (served: Served) =>
    ask(served, 'POST', '/api/v1/mc4p/page-checks', { url: served.product.url }, /"verdict":"verified"/),
} as const;
type Call = keyof typeof CALLS;
const NAMES = Object.keys(CALLS) as Call[];
/** The check of a page takes as long as many of the others. */
const ORDER: readonly Call[] = [
  ...Array(4).fill(['GET certificate', 'POST verify']).flat(),
  'check of a page',
];

async function ask(
  { client }: Served,
  method: string,
  path: string,
  body: unknown,
  expected: RegExp,
): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.19.0.1' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await client.ask({ method, path, headers, ...sent });
  const text = answer.body.toString();
  expect(answer.status, text).toBe(200);
  expect(text).toMatch(expected);
  return answer.ms;
}

type Times = Record<Call, { attacked: number; spared: number }[]>;
const noTimes = (): Times => ({ 'GET certificate': [], 'POST verify': [], 'check of a page': [] });

/** Makes each call to both services, one after the other, for this number of milliseconds. */
async function measure(times: Times, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  for (let isFirst = true; performance.now() < end; isFirst = !isFirst) {
    for (const name of ORDER) {
      const before = isFirst ? await CALLS[name](attacked) : undefined;
      const other = await CALLS[name](spared);
      times[name].push({ attacked: before ?? (await CALLS[name](attacked)), spared: other });
    }
    await delay(5);
  }
}

function quantile(times: readonly number[], part: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN;
}

/** Resident memory of the service in bytes, without its database, which is another process. */
const residentMemory = (which: 'now' | 'peak' = 'now') => memoryOf(attacked.service.pid, which);

it('under a load of hostile pages others are served as by a service without it, and memory is released', async () => {
  const times = noTimes();
  const outcomes: Record<string, number> = {};
  const attack = async (into: Times) => {
    attackers.attack(attacked.service.url);
    await delay(500);
    await measure(into, BARRAGE);
    for (const [end, count] of Object.entries(await attackers.cease()))
      outcomes[end] = (outcomes[end] ?? 0) + count;
  };
  await measure(noTimes(), QUIET);
  const cold = residentMemory();
  // one attack as a warm-up, for compiled code and working heaps
  await attack(noTimes());
  const before = await lowestMemory();
  resetPeak(attacked.service.pid);
  for (let round = 0; round < ROUNDS; round += 1) await attack(times);
  const peak = residentMemory('peak');
  // compiled code and working heaps take about 150 MB
  const bound = Math.min(before + 130 * MB, cold + 250 * MB);
  const after = await lowestMemory(bound);

  const table = NAMES.map((name) => {
    const of = (which: 'attacked' | 'spared', part: number) =>
      quantile(
        times[name].map((both) => both[which]),
        part,
      );
    const [control, median] = [of('spared', 0.5), of('attacked', 0.5)];
    return {
      name,
      control,
      median,
      ratio: median / control,
      p95: of('attacked', 0.95),
      n: times[name].length,
    };
  });
  const lines = table.map(
    ({ name, control, median, ratio, p95, n }) =>
      `${name}: median ${median.toFixed(1)} ms, without attack ${control.toFixed(1)} ms (× ${ratio.toFixed(2)}), p95 ${p95.toFixed(1)} ms, n ${n}`,
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
