import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo } from '../kit/database.ts';
import { UNLIMITED_FETCHES } from '../kit/registry.ts';
import { httpServer, type TestServer } from '../kit/servers.ts';
import { type ServiceProcess, startServiceProcess } from './support/service-process.ts';

/** Maximum growth of the database in bytes by ten thousand requests from one network. */
const MAX_GROWTH = 20_000_000;
/** Maximum milliseconds of work by the service before it responds to a health check. */
const MAX_HEALTH = 1_000;
const REQUESTS = 10_000;
const HOST = 'http://flood.example';

/** Every address `/<number>`, with any query, has one of these pages. */
let pages: readonly string[];
let shop: TestServer;

beforeAll(async () => {
  pages = Array.from({ length: 100 }, heavyPage);
  shop = await httpServer((request, response) => {
    const page = pages[Number(/^\/(\d+)(?:\?|$)/.exec(request.url ?? '')?.[1] ?? Number.NaN)];
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page);
  });
});

afterAll(() => shop?.close());

/** A service without fetch limits, so that its size limits must hold by themselves. */
async function startFlooded(settings: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const { TOUCHSTONE_PAGE_CHECK_MB_PER_CALLER: _, ...limits } = UNLIMITED_FETCHES;
  return await startServiceProcess({
    settings: {
      TOUCHSTONE_FETCH_CONNECT_TO: `flood.example=127.0.0.1:${shop.port}`,
      ...limits,
      TOUCHSTONE_PAGE_CACHE_SECONDS: '900',
      ...settings,
    },
    execArgv: ['--max-old-space-size=1024'],
  });
}

/** Incompressible characters. */
const noise = (length: number) => randomBytes(length).toString('base64').slice(0, length);

/** A page with the maximum of what is read: images, facts, certificate nodes, with no bytes repeated. */
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

function post(service: ServiceProcess, path: string, body: unknown, from = '192.0.2.1'): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': from };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(service.url + path, { method: 'POST', headers, body: text });
}

/** Sends a batch from the nth of many networks, and again while too many batches are in progress. */
async function postBatch(service: ServiceProcess, path: string, body: unknown, n: number): Promise<Response> {
  for (;;) {
    const answer = await post(service, path, body, `198.51.${n}.1`);
    if (answer.status !== 429) return answer;
    const { code } = (await answer.json()) as { code: string };
    expect(code).toBe('batches_busy');
    await delay(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

interface Waits {
  /** Milliseconds until the slowest response of /healthz. */
  readonly health: number;
  /** Maximum work of the service's main thread meanwhile, independent of other load. */
  readonly own: number;
}

/** Milliseconds that the main thread of a process has run so far, from the kernel, since the thread may be busy. */
async function mainThreadTime(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/task/${pid}/schedstat`, 'utf8');
  return Number(text.split(' ')[0]) / 1e6;
}

/** The durations of /healthz during `work`. */
async function healthWaits(service: ServiceProcess, work: Promise<unknown>): Promise<Waits> {
  let health = 0;
  let own = 0;
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const begun = performance.now();
    const worked = await mainThreadTime(service.pid);
    const { status } = await fetch(`${service.url}/healthz`);
    own = Math.max(own, (await mainThreadTime(service.pid)) - worked);
    health = Math.max(health, performance.now() - begun);
    expect(status).toBe(200);
    await delay(50);
  }
  await over;
  return { health, own };
}

interface BatchAnswer {
  readonly results: readonly {
    readonly status: number;
    readonly result?: object;
    readonly problem?: { readonly code: string };
  }[];
}

describe('twelve batches of a hundred concurrently', () => {
  let service: ServiceProcess;
  beforeAll(async () => {
    // enough space for every report, so that none is rejected because of it
    service = await startFlooded({
      TOUCHSTONE_PAGE_CHECK_MB_PER_CALLER: '2000',
      // each batch from another network, with the maximum number at a time
      TOUCHSTONE_TRUST_PROXY: '127.0.0.0/8',
    });
  });
  afterAll(() => service?.stop());

  it('of heavy pages, each answered up to the size limit, leave the service alive and responsive', async () => {
    const asking = Array.from({ length: 12 }, async (_, n) => {
      const items = Array.from({ length: 100 }, (__, page) => ({ url: `${HOST}/${page}` }));
      const answer = await postBatch(
        service,
        `${CHECK}/batch`,
        { items: n < 6 ? items : items.toReversed() },
        n,
      );
      const text = await answer.text();
      const { results } = JSON.parse(text) as BatchAnswer;
      const reports = results.flatMap(({ result }) =>
        result === undefined ? [] : [JSON.stringify(result).length],
      );
      const codes = new Set(results.flatMap(({ problem }) => problem?.code ?? []));
      return { status: answer.status, bytes: Buffer.byteLength(text), reports, codes: [...codes] };
    });
    const waits = await healthWaits(service, Promise.all(asking));
    const answers = await Promise.all(asking);
    const sizes = answers.flatMap(({ reports }) => reports);
    console.info(
      `${sizes.length} reports of ${Math.min(...sizes)} to ${Math.max(...sizes)} bytes, answers of ${Math.round(Math.min(...answers.map(({ bytes }) => bytes)) / 1e3)} to ${Math.round(Math.max(...answers.map(({ bytes }) => bytes)) / 1e3)} KB; refused: ${[...new Set(answers.flatMap(({ codes }) => codes))]}; /healthz at most ${Math.round(waits.health)} ms, ${Math.round(waits.own)} ms of work`,
    );
    for (const { status, bytes, codes } of answers) {
      expect(status).toBe(200);
      // full, but not more
      expect(bytes).toBeGreaterThan(4_000_000);
      expect(bytes).toBeLessThan(4_500_000);
      expect(codes).toEqual(['batch_answer_full']);
    }
    expect(service.crash()).toBeNull();
    expect(waits.own).toBeLessThan(MAX_HEALTH);
  });

  it('of deeply nested certificates and long lists do as well', async () => {
    const deep = `{"productId":"x","productUrl":"y","document":${'['.repeat(500)}${']'.repeat(500)}}`;
    const wide = `{"items":[${deep},${'[],'.repeat(1_390_000)}1]}`;
    const asking = Array.from({ length: 12 }, async (_, n) => {
      const answer = await postBatch(service, '/api/v1/mc4p/verify-batch', wide, n);
      return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
    });
    const waits = await healthWaits(service, Promise.all(asking));
    console.info(`/healthz at most ${Math.round(waits.health)} ms, ${Math.round(waits.own)} ms of work`);
    for (const { status, bytes } of await Promise.all(asking)) {
      expect([413, 422]).toContain(status);
      expect(bytes).toBeLessThan(100_000);
    }
    expect(service.crash()).toBeNull();
    expect(waits.own).toBeLessThan(MAX_HEALTH);
  });
});

it('ten thousand requests that each have something else to store grow the database by at most 20 MB', async () => {
  const service = await startFlooded({});
  const database = await connectTo(service.dataDir);
  const databaseBytes = async (): Promise<number> => {
    const { rows } = await database.query('select pg_database_size(current_database())::float8 as bytes');
    return rows[0].bytes;
  };
  const before = await databaseBytes();
  const bodies = [
    // heavy pages
    (n: number) => ({ url: `${HOST}/${n % 100}?${n % 3}` }),
    (n: number) => ({ url: `${HOST}/none?${n}${noise(20)}` }),
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
      const answer = await post(service, CHECK, bodies[n % bodies.length]?.(n));
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
  const crash = service.crash();
  await database.end();
  await service.stop();
  expect(statuses.get(500)).toBeUndefined();
  expect(crash).toBeNull();
  expect(growth).toBeLessThan(MAX_GROWTH);
});
