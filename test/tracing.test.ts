import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useFolder } from './kit/folder.ts';
import { ROOT } from './kit/imports.ts';
import { callService, openStore, operate } from './kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from './kit/serve-process.ts';
import { freePort, httpServer, type TestServer } from './kit/servers.ts';
import type { WrittenSpan } from './kit/tracing-to-file.ts';

const SHOP = 'http://shop.example';
const TRACE_OF_CALLER = '0af7651916cd43dd8448eb211c80319c';
const CALLER = `00-${TRACE_OF_CALLER}-b7ad6b7169203331-01`;

const folder = useFolder('tracing');
const file = join(folder, 'spans.ndjson');
const spans = async () =>
  (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as WrittenSpan);
const start = async (env: Record<string, string>) => {
  const port = await freePort();
  return spawnServe({
    port,
    dataDir: join(folder, String(port)),
    env: { TOUCHSTONE_LOG_LEVEL: 'info', ...env },
  });
};

describe('a service with a module for traces', () => {
  let service: ServeProcess;
  let shop: TestServer;
  const asked: (string | undefined)[] = [];
  beforeAll(async () => {
    // under root, the process that answers is another user's
    await writeFile(file, '');
    await chmod(folder, 0o711);
    await chmod(file, 0o666);
    shop = await httpServer(({ headers }, response) => {
      asked.push(headers.traceparent as string | undefined);
      response.writeHead(404).end();
    });
    service = await start({
      TOUCHSTONE_TRACING_MODULE: join(ROOT, 'test/kit/tracing-to-file.ts'),
      OTEL_TEST_FILE: file,
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example:80=127.0.0.1:${shop.port}`,
      TOUCHSTONE_TRUST_PROXY: '127.0.0.2',
    });
    await untilReady(service);
  });
  afterAll(async () => {
    await service?.stop();
    await shop?.close();
  });

  test('has one trace from a request through statements and the job that it orders to the fetch of the job', async () => {
    const { id } = await openStore(service, SHOP);
    await operate(service, 'POST', `/stores/${id}/imports`, { url: `${SHOP}/feed.csv`, kind: 'document' });
    const find = async (name: string) => (await spans()).filter((span) => span.name === name).at(-1);
    await expect.poll(() => find('job imports')).toBeDefined();
    const request = (await spans()).find(({ name }) => /^POST .*\/imports$/.test(name));
    expect(request).toMatchObject({ kind: 'SERVER', attributes: { 'http.response.status_code': 202 } });
    const trace = (await spans()).filter(({ traceId }) => traceId === request?.traceId);
    const job = trace.find(({ name }) => name === 'job imports');
    const fetched = trace.find(({ name }) => name === 'fetch');
    expect(fetched).toMatchObject({ kind: 'CLIENT', attributes: { 'server.address': 'shop.example' } });
    expect(fetched?.parent).toBe(job?.spanId);
    const statements = trace.filter(({ attributes }) => attributes['db.system.name'] === 'postgresql');
    expect(statements.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['insert into imports', 'insert into jobs']),
    );
    // no value of a statement, and no header to a stranger
    expect(JSON.stringify(statements)).not.toContain('shop.example');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((header) => header !== undefined)).toEqual([]);
    // by the log line of the request, its trace is found
    await expect.poll(() => service.output()).toContain(`"trace_id":"${request?.traceId}"`);
  });

  test('continues the trace of a trusted proxy only', async () => {
    const headers = { traceparent: CALLER };
    await fetch(`${service.url}/healthz`, { headers });
    const health = async () => (await spans()).filter(({ name }) => name === 'GET /healthz').at(-1);
    await expect.poll(health).toBeDefined();
    expect((await health())?.traceId).not.toBe(TRACE_OF_CALLER);
  });

  test('tells the status of a fault, too', async () => {
    const { status } = await callService(service, 'GET', '/api/v1/registry/stores/nothing');
    expect(status).toBe(422);
    const found = async () =>
      (await spans()).some(({ attributes }) => attributes['http.response.status_code'] === 422);
    await expect.poll(found).toBe(true);
  });
});

test('a module that registers nothing refuses the start, and says what to do', async () => {
  const service = await start({ TOUCHSTONE_TRACING_MODULE: join(ROOT, 'test/kit/folder.ts') });
  expect(await service.ended).toBe(3);
  expect(service.output()).toMatch(
    /TOUCHSTONE_TRACING_MODULE .* cannot be loaded|start an OpenTelemetry SDK in it/,
  );
});
