import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, registry, type ServeProcess, spawnServe, untilReady } from '../support/serve-process.ts';

const ROUNDS = Number(process.env.TOUCHSTONE_KILL_ROUNDS ?? 50);
const TARGETS = ['service', 'database', 'both'] as const;

let dataDir: string;
let port: number;
let service: ServeProcess;
let storeId: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'touchstone-kill-'));
  port = await freePort();
  service = spawnServe({ port, dataDir });
  await untilReady(service);
  const merchant = await registry(service.url, 'POST', '/merchants', { name: 'M', planCapacity: 1_000_000 });
  const { id: merchantId } = merchant.body as { id: string };
  const store = await registry(service.url, 'POST', '/stores', {
    merchantId,
    name: 'S',
    url: 'https://shop.example',
  });
  storeId = (store.body as { id: string }).id;
});

afterAll(async () => {
  service?.kill('SIGTERM');
  await Promise.race([service?.ended, delay(20_000)]);
  killNow(await databasePid());
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

/** Writes ever new products as fast as answers come, and keeps which were acknowledged: external id → name. */
function startWriter(worker: string, acknowledged: Map<string, string>) {
  let stopped = false;
  const running = (async () => {
    for (let turn = 0; !stopped; turn++) {
      const externalProductId = `${worker}-${turn}`;
      const name = `${worker} ${turn} ${Math.random()}`;
      const row = { externalProductId, name, url: `https://shop.example/products/${externalProductId}` };
      const answer = await registry(service.url, 'PUT', `/stores/${storeId}/products`, [row]).catch(
        () => null,
      );
      const results = (answer?.body as { results?: { status: string }[] } | undefined)?.results;
      if (answer?.status === 200 && results?.[0]?.status === 'created')
        acknowledged.set(externalProductId, name);
      else await delay(20);
    }
  })();
  return async () => {
    stopped = true;
    await running;
  };
}

async function databasePid(): Promise<number> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || 0;
}

function killNow(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL');
  } catch {
    // it had ended already
  }
}

async function storedNames(): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await registry(service.url, 'GET', `/stores/${storeId}/products${query}`);
    expect(status).toBe(200);
    const page = body as { products: { externalProductId: string; name: string }[]; nextCursor?: string };
    for (const { externalProductId, name } of page.products) names.set(externalProductId, name);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return names;
}

it(`loses no acknowledged write over ${ROUNDS} kills, and every next start needs no hand`, async () => {
  const acknowledged = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round++) {
    const target = TARGETS[round % TARGETS.length];
    const stops = ['a', 'b', 'c'].map((name) => startWriter(`${round}-${name}`, acknowledged));
    await delay(50 + Math.random() * 700);
    const database = await databasePid();
    if (target !== 'database') service.kill('SIGKILL');
    if (target !== 'service') killNow(database);
    if (target === 'database') await delay(100);
    else {
      await service.ended;
      service = spawnServe({ port, dataDir });
    }
    await untilReady(service);
    await Promise.all(stops.map((stop) => stop()));
  }
  const stored = await storedNames();
  const lost = [...acknowledged].filter(([id, name]) => stored.get(id) !== name);
  console.info(`${ROUNDS} kills, ${acknowledged.size} acknowledged writes, ${lost.length} lost`);
  expect(lost).toEqual([]);
  expect(acknowledged.size).toBeGreaterThan(ROUNDS);
});

it('refuses a second service on the same data folder, naming the first', async () => {
  const second = spawnServe({ port: await freePort(), dataDir });
  expect(await second.ended).not.toBe(0);
  expect(second.output()).toContain(String(service.pid));
  expect(second.output()).toContain(service.url);
});

it('drains and exits 0 on SIGTERM, leaving no database behind', async () => {
  const database = await databasePid();
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
  expect(() => process.kill(database, 0)).toThrow();
});
