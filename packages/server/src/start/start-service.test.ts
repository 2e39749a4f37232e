import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../../../test/kit/servers.ts';
import { readConfig } from '../parts.ts';
import { testDatabase } from '../platform/database/testing.ts';
import { StartError } from '../platform/lifecycle/start-error.ts';
import { databaseUrl, type TestService, testService, throughProxy } from '../testing.ts';
import { announceService } from './announce.ts';
import { startService } from './start-service.ts';

const SHOP = 'https://shop.example';

async function registerCup(service: TestService): Promise<string> {
  const registry = '/api/v1/registry';
  const merchant = (await service.operate('POST', `${registry}/merchants`, {
    name: 'M',
    planCapacity: 3,
  })) as { id: string };
  const store = (await service.operate('POST', `${registry}/stores`, {
    merchantId: merchant.id,
    name: 'S',
    url: SHOP,
  })) as { id: string };
  const rows = [{ externalProductId: '1', url: `${SHOP}/products/cup`, name: 'Cup', images: [] }];
  const { results } = (await service.operate('PUT', `${registry}/stores/${store.id}/products`, rows)) as {
    results: { id: string }[];
  };
  return results[0]?.id ?? '';
}

async function count(service: TestService, metric: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(
    new RegExp(`^touchstone_${metric}(?:\\{[^}]*\\})? (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN,
  );
}

async function readiness(service: {
  url: string;
}): Promise<{ status: number; detail?: string; code?: string }> {
  const response = await fetch(`${service.url}/readyz`);
  const body = (await response.json()) as { detail?: string; code?: string };
  return { ...body, status: response.status };
}

describe('a whole service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService();
  });
  afterAll(() => service.dispose());

  test('is alive, ready and described', async () => {
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect((await readiness(service)).status).toBe(200);
  });

  test('supports the way from merchant to verdict, and a cached certificate costs no signature and no query', async () => {
    const id = await registerCup(service);
    const url = `${service.url}/api/v1/mc4p/products/${id}/certificate`;
    const certificate = await (await fetch(url)).text();
    const costs = async () => [
      await count(service, 'signatures_total'),
      await count(service, 'database_queries_total'),
    ];
    // warm once the notice of the write itself has come by, and while this machine is not too busy to prove it
    await expect
      .poll(async () => {
        const before = await costs();
        for (let i = 0; i < 20; i++) expect(await (await fetch(url)).text()).toBe(certificate);
        const after = await costs();
        return after[0] === 1 && before[0] === 1 && after[1] === before[1];
      })
      .toBe(true);
    const verdict = await fetch(`${service.url}/api/v1/mc4p/products/${id}/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"productUrl":"${SHOP}/products/cup","document":${certificate}}`,
    });
    expect(((await verdict.json()) as { status: string }).status).toBe('verified');
  });

  test('answers a page check, with its permalink and the rate limit', async () => {
    const checked = await fetch(`${service.url}/api/v1/mc4p/page-checks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'http://127.0.0.1:9/', freshness: 'fresh' }),
    });
    const report = (await checked.json()) as { id: string; verdict: string };
    expect([checked.status, report.verdict]).toEqual([200, 'page_fetch_failed']);
    expect(checked.headers.get('ratelimit')).toMatch(/^"fresh";r=9;t=\d+$/);
    const permalink = await fetch(`${service.url}/api/v1/mc4p/page-checks/${report.id}`);
    expect(await permalink.json()).toEqual(report);
    expect(permalink.headers.get('cache-control')).toContain('immutable');
  });
});

test('logs one line with its address when it answers', async () => {
  const service = await testService();
  const lines = service.log.map((line) => JSON.parse(line) as { msg: string; url?: string });
  const told = lines.filter(({ msg }) => /ready|listening/i.test(msg));
  expect(told.map(({ msg, url }) => [msg, url])).toEqual([['listening', service.url]]);
  await service.dispose();
});

test('is announced as ready when /readyz answers 200 and not before, with the reason until then', async () => {
  let ahead = 60_000;
  const service = await testService({ overrides: { clock: () => new Date(Date.now() + ahead) } });
  const lines: string[] = [];
  const made = { ...service, madeOperatorKey: { key: 'tsk_new', path: '/data/operator.key' } };
  const stop = new AbortController();
  const announced = announceService(made, (line) => void lines.push(line), stop.signal);
  await expect.poll(() => lines.length).toBeGreaterThanOrEqual(3);
  expect((await readiness(service)).status).toBe(503);
  expect(lines[0]).toContain(`Touchstone has started at ${service.url}, but is not ready: `);
  expect(lines[0]).toContain('clock of this node');
  expect(lines[1]).toContain('tsk_new');
  expect(lines.join('\n')).not.toContain('is ready at');
  ahead = 0;
  await announced;
  expect(lines.filter((line) => line.includes(`is ready at ${service.url}`))).toHaveLength(1);
  expect((await readiness(service)).status).toBe(200);
  expect(lines.filter((line) => line.includes('tsk_new'))).toHaveLength(1);
  await service.dispose();
});

describe('the location of certified images', () => {
  const warned = ({ log }: TestService) => log.some((line) => line.includes('TOUCHSTONE_BLOBS'));

  test('causes a warning if other nodes could not find them, and not if the operator chose it', async () => {
    const service = await testService();
    expect(warned(service)).toBe(true);
    const chosen = await service.restart({ TOUCHSTONE_BLOBS: join(service.dataDir, 'blobs') });
    expect(warned(chosen)).toBe(false);
    await chosen.dispose();
  });

  test('causes none with an embedded database, which only one node can use', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-blobs-'));
    const log: string[] = [];
    const settings = { TOUCHSTONE_PORT: '0', TOUCHSTONE_DATA_DIR: dataDir, TOUCHSTONE_IMAGE_CONCURRENT: '0' };
    const logDestination = { write: (line: string) => void log.push(line) };
    const service = await startService(readConfig(settings), { logDestination, durable: false });
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
    expect(log.join('')).not.toContain('TOUCHSTONE_BLOBS');
  });
});

describe('the operator’s key', () => {
  test('is created once, shown once, readable by its owner only, and works after a restart', async () => {
    const first = await testService();
    const path = join(first.dataDir, 'operator.key');
    expect(first.madeOperatorKey).toEqual({ key: first.operatorKey, path });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).trim()).toBe(first.operatorKey);
    expect(first.log.join('')).not.toContain(first.operatorKey);
    const again = await first.restart();
    expect([again.operatorKey, again.madeOperatorKey]).toEqual([first.operatorKey, undefined]);
    await again.operate('POST', '/api/v1/registry/merchants', { name: 'M', planCapacity: 1 });
    const own = await again.restart({ TOUCHSTONE_OPERATOR_KEY: 'a-key-of-my-own-choice' });
    expect([own.operatorKey, own.madeOperatorKey]).toEqual(['a-key-of-my-own-choice', undefined]);
    await own.operate('POST', '/api/v1/registry/merchants', { name: 'M', planCapacity: 1 });
    await own.dispose();
  });
});

test('a service that listens beyond this machine warns of an issuer that only this machine can reach', async () => {
  const open = { TOUCHSTONE_HOST: '0.0.0.0' };
  const warning = 'TOUCHSTONE_BASE_URL is not set';
  const unnamed = await testService({ settings: open });
  expect(unnamed.log.join('')).toContain(warning);
  const named = await unnamed.restart({ ...open, TOUCHSTONE_BASE_URL: 'https://certificates.example' });
  expect(named.log.join('')).not.toContain(warning);
  const local = await named.restart();
  expect(local.log.join('')).not.toContain(warning);
  await local.dispose();
});

async function refusal(settings: Record<string, string>): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-refused-'));
  const common = { TOUCHSTONE_PORT: '0', TOUCHSTONE_LOG_LEVEL: 'silent', TOUCHSTONE_DATA_DIR: dataDir };
  try {
    const config = readConfig({ ...common, ...settings });
    const outcome = await startService(config).catch((error: unknown) => error);
    if (!(outcome instanceof StartError)) throw new Error(`not refused: ${String(outcome)}`);
    return outcome.message;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

describe('what prevents a start is reported with advice', () => {
  test('a port in use', async () => {
    const other = createServer();
    await listen(other);
    const { port } = other.address() as { port: number };
    expect(await refusal({ TOUCHSTONE_PORT: String(port) })).toMatch(
      new RegExp(`127.0.0.1:${port} already.*TOUCHSTONE_PORT`),
    );
    await new Promise((resolve) => other.close(resolve));
  });

  test('an address of another machine', async () => {
    expect(await refusal({ TOUCHSTONE_HOST: '192.0.2.1' })).toContain('TOUCHSTONE_HOST');
  });

  test('a database that is not reachable, without its password', async () => {
    const message = await refusal({ TOUCHSTONE_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:9/db' });
    expect(message).toContain('TOUCHSTONE_DATABASE_URL (127.0.0.1:9/db)');
    expect(message).not.toContain('hunter2');
  });

  test('a named master key that does not exist, and no operator key is created that nobody would see', async () => {
    const database = await testDatabase();
    const refused = await refusal({
      TOUCHSTONE_DATABASE_URL: databaseUrl(database),
      TOUCHSTONE_MASTER_KEY_FILE: '/nowhere/master.key',
    });
    expect(refused).toMatch(/no master key.*TOUCHSTONE_MASTER_KEY_FILE.*openssl rand -hex 32/);
    expect(await database.db.selectFrom('api_keys').select('id').execute()).toEqual([]);
    await database.close();
  });

  test('files that settings name, all at once and before anything is created', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'touchstone-named-'));
    const file = join(parent, 'no key and no certificate');
    await writeFile(file, 'too short', { mode: 0o600 });
    const refused = await refusal({
      TOUCHSTONE_DATA_DIR: join(parent, 'data'),
      TOUCHSTONE_MASTER_KEY_FILE: file,
      TOUCHSTONE_FETCH_CA_FILE: file,
      TOUCHSTONE_C2PA_CERT_FILE: file,
      TOUCHSTONE_C2PA_KEY_FILE: file,
      TOUCHSTONE_C2PA_TRUST_FILE: file,
    });
    for (const fault of [
      'The master key at',
      'TOUCHSTONE_FETCH_CA_FILE (',
      'holds no private key in PEM',
      'TOUCHSTONE_C2PA_TRUST_FILE (',
    ])
      expect(refused).toContain(fault);
    expect(await readdir(parent)).toEqual(['no key and no certificate']);
    await rm(parent, { recursive: true, force: true });
  });

  test('keys in the database whose master key is missing', async () => {
    const first = await testService();
    const { database } = first;
    await first.close();
    const refused = await refusal({ TOUCHSTONE_DATABASE_URL: databaseUrl(database) });
    expect(refused).toContain('TOUCHSTONE_MASTER_KEY_FILE');
    await first.dispose();
  });
});

describe('readiness', () => {
  test('a clock that differs much from the database’s is reported', async () => {
    const service = await testService({ overrides: { clock: () => new Date(Date.now() + 60_000) } });
    const { status, code, detail } = await readiness(service);
    expect([status, code]).toEqual([503, 'not_ready']);
    expect(detail).toMatch(/clock of this node is (59|60) s away/);
    await service.dispose();
  });

  test('a database that becomes unreachable: 503 everywhere, and it recovers without a restart', async () => {
    const database = await testDatabase();
    const proxy = await throughProxy(database);
    const settings = { TOUCHSTONE_STALE_SECONDS: '0' };
    const service = await testService({ databaseUrl: proxy.url, settings });
    const id = await registerCup(service);
    const certificate = `${service.url}/api/v1/mc4p/products/${id}/certificate`;
    expect((await fetch(certificate)).status).toBe(200);
    proxy.cut();
    await expect.poll(async () => (await fetch(certificate)).status).toBe(503);
    const away = await fetch(certificate);
    expect(away.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(away.headers.get('cache-control')).toBe('no-store');
    expect(((await away.json()) as { code: string }).code).toBe('database_unavailable');
    expect((await readiness(service)).detail).toContain('the database does not answer');
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    await proxy.restore();
    await expect.poll(async () => (await readiness(service)).status).toBe(200);
    expect((await fetch(certificate)).status).toBe(200);
    await service.dispose();
    await proxy.close();
    await database.close();
  });
});
