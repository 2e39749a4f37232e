import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShop, type Shop } from '../support/shop.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

/** Bytes by which the database may grow under ten thousand requests of one network. */
const MAX_GROWTH = 20_000_000;
/** Milliseconds for the service to say that it is well, on a machine that has nothing else to do. */
const MAX_HEALTH = 1_000;
const REQUESTS = 10_000;
const HOST = 'http://flood.example';

let shop: Shop;
let service: ServiceProcess;
let database: pg.Client;

beforeAll(async () => {
  shop = await openShop();
  service = await startServiceProcess({
    settings: {
      TOUCHSTONE_FETCH_CONNECT_TO: `flood.example=127.0.0.1:${shop.port}`,
      // what is counted in bytes must hold by itself
      TOUCHSTONE_FETCH_PER_CALLER: '1000000',
      TOUCHSTONE_FETCH_PER_HOST: '1000000',
      TOUCHSTONE_FETCH_TOTAL: '1000000',
      TOUCHSTONE_PAGE_CACHE_SECONDS: '900',
    },
    execArgv: ['--max-old-space-size=1024'],
  });
  for (let n = 0; n < 100; n += 1) shop.put(`${HOST}/${n}`, heavyPage());
  const folder = service.dataDir;
  const file = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8');
  const password = (await readFile(join(folder, 'postgres-password'), 'utf8')).trim();
  const host = file.split('\n')[4] ?? '';
  database = new pg.Client({ host, port: 5432, user: 'touchstone', password, database: 'touchstone' });
  await database.connect();
});

afterAll(async () => {
  await database?.end();
  await service?.stop();
  await shop?.close();
});

/** Characters that nothing compresses. */
const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length);

/** As much as is read of a page: images, facts, certificate nodes, and no byte twice. */
function heavyPage(): string {
  const source = { canonicalSource: { method: 'GET', url: 'https://elsewhere.example/api' } };
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: noise(500),
    description: noise(5_000),
    image: Array.from({ length: 50 }, () => `/${encodeURIComponent(noise(900))}.jpg`),
  };
  const node = () => ({
    '@type': 'Product',
    'svc:issuedFor': { domain: 'flood.example' },
    'svc:status': source,
    padding: noise(60_000),
  });
  const blocks = [product, ...Array.from({ length: 20 }, node)];
  return `<html><head>${blocks
    .map((block) => `<script type="application/ld+json">${JSON.stringify(block)}</script>`)
    .join('')}</head><h1>Cup</h1></html>`;
}

const CHECK = '/api/v1/mc4p/page-checks';

function post(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function databaseBytes(): Promise<number> {
  const { rows } = await database.query('select pg_database_size(current_database())::float8 as bytes');
  return rows[0].bytes;
}

/** Milliseconds that the slowest answer of /healthz took while `work` went on. */
async function slowestHealth(work: Promise<unknown>): Promise<number> {
  let slowest = 0;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const begun = performance.now();
    const { status } = await fetch(`${service.url}/healthz`);
    expect(status).toBe(200);
    slowest = Math.max(slowest, performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await over;
  return slowest;
}

it('twelve batches of a hundred heavy pages at once leave the service alive and answering', async () => {
  const [othersAtWork = 0] = loadavg();
  const items = Array.from({ length: 100 }, (_, n) => ({ url: `${HOST}/${n % 50}?${n}` }));
  const deep = {
    productId: 'x',
    productUrl: 'y',
    document: JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`),
  };
  const wide = `{"items":[${JSON.stringify(deep)},${'[],'.repeat(1_390_000)}1]}`;
  const asking = Array.from({ length: 12 }, async (_, n) => {
    const answers = [await post(`${CHECK}/batch`, { items: n < 6 ? items : items.toReversed() })];
    const headers = { 'content-type': 'application/json' };
    answers.push(
      await fetch(`${service.url}/api/v1/mc4p/verify-batch`, { method: 'POST', headers, body: wide }),
    );
    return Promise.all(
      answers.map(async (answer) => ({ status: answer.status, bytes: (await answer.text()).length })),
    );
  });
  const slowest = await slowestHealth(Promise.all(asking));
  const answers = (await Promise.all(asking)).flat();
  console.info(
    `answers ${JSON.stringify(answers.map(({ status }) => status))}, the largest ${Math.max(...answers.map(({ bytes }) => bytes))} bytes; /healthz at most ${Math.round(slowest)} ms`,
  );
  for (const { status, bytes } of answers) {
    expect([200, 413, 422, 429]).toContain(status);
    expect(bytes).toBeLessThan(4_500_000);
  }
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(service.crash()).toBeNull();
  // others at work on this machine are no fault of the service
  expect(slowest).toBeLessThan(MAX_HEALTH * Math.max(1, othersAtWork / availableParallelism()));
});

it('ten thousand requests that each want something else kept let the database grow by 20 MB at the most', async () => {
  const before = await databaseBytes();
  const bodies = [
    (n: number) => ({ url: `${HOST}/${n % 100}?${noise(20)}` }),
    (n: number) => ({ url: `${HOST}/0#${n}` }),
    (n: number) => ({ url: `${HOST}/0#!/${n}/${noise(4_000)}` }),
    () => ({ url: `http://user:${noise(50)}@${randomBytes(8).toString('hex')}.invalid/${noise(6_000)}` }),
    () => ({ url: noise(8_000) }),
    () => ({ url: '杯'.repeat(8_000) + noise(20) }),
    (n: number) => ({ url: `${HOST}/none-${n}`, images: 'match' }),
  ];
  const statuses = new Map<number, number>();
  let next = 0;
  const ask = async () => {
    for (let n = next++; n < REQUESTS; n = next++) {
      const answer = await post(CHECK, bodies[n % bodies.length]?.(n));
      await answer.arrayBuffer();
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 24 }, ask));
  const growth = (await databaseBytes()) - before;
  const { rows } = await database.query(
    `select relname, pg_total_relation_size(oid)::int as bytes from pg_class
     where relkind = 'r' and relnamespace = 'public'::regnamespace order by 2 desc limit 5`,
  );
  console.info(
    `statuses ${JSON.stringify([...statuses])}; grown by ${Math.round(growth / 1e6)} MB; ${JSON.stringify(rows)}`,
  );
  expect(statuses.get(500)).toBeUndefined();
  expect(service.crash()).toBeNull();
  expect(growth).toBeLessThan(MAX_GROWTH);
});
