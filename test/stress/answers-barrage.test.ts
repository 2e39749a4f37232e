import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { memoryOf, processesOf, resetPeak } from '../kit/processes.ts';
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
/** Milliseconds after the last response until memory must be released, however busy the machine. */
const RECOVERY = 60_000;
const MB = 1_000_000;

/** A service with one product, whose page is in the shop. */
interface Served {
  readonly service: ServeProcess;
  /** The process that answers; the service itself has started it. */
  readonly pid: number;
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
  const [pid = 0] = processesOf(service.pid);
  return { service, pid, client: createClient(port), product: { id, url }, certificate };
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
  ...Array.from({ length: 4 }, () => ['GET certificate', 'POST verify'] as const).flat(),
  'check of a page',
];

async function ask(
  { client, pid }: Served,
  method: string,
  path: string,
  body: unknown,
  expected: RegExp,
): Promise<Time> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': '198.19.0.1' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const before = processorWait(pid);
  const answer = await client.ask({ method, path, headers, ...sent });
  const waited = processorWait(pid) - before;
  const text = answer.body.toString();
  expect(answer.status, text).toBe(200);
  expect(text).toMatch(expected);
  return { ms: answer.ms, ownMs: Math.max(0, answer.ms - waited) };
}

interface Time {
  readonly ms: number;
  /** Without what the thread that answers has waited for a processor, which other load takes. */
  readonly ownMs: number;
}

/** Milliseconds for which the main thread of a process has waited for a processor (proc(5), schedstat); Linux only. */
function processorWait(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}

type Times = Record<Call, { attacked: Time; spared: Time }[]>;
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

it('under a load of hostile pages others are served as by a service without it, the load itself waits, and memory is released', async () => {
  const times = noTimes();
  const outcomes: Record<string, number> = {};
  const hostile: number[] = [];
  const { pid } = attacked;
  const attack = async (into: Times) => {
    attackers.attack(attacked.service.url);
    await delay(500);
    await measure(into, BARRAGE);
    const { checks, read } = await attackers.cease();
    hostile.push(...read);
    for (const [end, count] of Object.entries(checks)) outcomes[end] = (outcomes[end] ?? 0) + count;
  };
  await measure(noTimes(), QUIET);
  const cold = memoryOf(pid, 'now');
  // one attack as a warm-up, for compiled code and working heaps
  await attack(noTimes());
  const before = await lowestMemory(pid, { milliseconds: 8_000 });
  resetPeak(pid);
  for (let round = 0; round < ROUNDS; round += 1) await attack(times);
  const peak = memoryOf(pid, 'peak');
  // compiled code and working heaps take about 150 MB
  const bound = Math.min(before + 130 * MB, cold + 250 * MB);
  const after = await lowestMemory(pid, { milliseconds: RECOVERY, enough: bound });

  const median = (name: Call, which: 'attacked' | 'spared', time: keyof Time) =>
    quantile(
      times[name].map((both) => both[which][time]),
      0.5,
    );
  const table = NAMES.map((name) => {
    const [here, there] = [median(name, 'attacked', 'ownMs'), median(name, 'spared', 'ownMs')];
    return { name, here, there, ratio: here / there, n: times[name].length };
  });
  const lines = table.map(
    ({ name, here, there, ratio, n }) =>
      `${name}: median ${median(name, 'attacked', 'ms').toFixed(1)} ms, of which ${here.toFixed(2)} not for want of a processor, without attack ${there.toFixed(2)} (× ${ratio.toFixed(2)}), n ${n}`,
  );
  const share = median('check of a page', 'attacked', 'ms') / quantile(hostile, 0.5);
  lines.push(
    `check of a hostile page: median ${quantile(hostile, 0.5).toFixed(0)} ms (× ${share.toFixed(2)}), n ${hostile.length}`,
  );
  const ends = Object.entries(outcomes).map(([end, count]) => `${end}: ${count}`);
  const megabytes = [cold, before, peak, after].map((bytes) => Math.round(bytes / MB));
  console.info(
    [...lines, `memory cold, before, peak, after: ${megabytes.join(', ')} MB`, ...ends].join('\n'),
  );

  expect(Object.keys(outcomes).filter((end) => /^(5|[^2-4])/.test(end))).toEqual([]);
  // reading pages takes what processor time is left, whoever sends them
  for (const { ratio, name } of table) if (name !== 'check of a page') expect(ratio, name).toBeLessThan(2);
  expect(share, 'check of a page, compared with hostile ones at the same time').toBeLessThan(0.5);
  expect(after).toBeLessThan(bound);
});

/** The minimum memory during this time, which ends early once it is low enough. */
async function lowestMemory(
  pid: number,
  { milliseconds, enough = 0 }: { readonly milliseconds: number; readonly enough?: number },
): Promise<number> {
  let lowest = Number.POSITIVE_INFINITY;
  for (const end = performance.now() + milliseconds; performance.now() < end && lowest >= enough; ) {
    // honest calls continue, so that garbage is collected as usual
    await measure(noTimes(), 500);
    lowest = Math.min(lowest, memoryOf(pid, 'now'));
  }
  return lowest;
}
