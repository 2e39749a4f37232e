import { Credential } from '@touchstone/fetch/credential';
import { describe, expect, it } from 'vitest';
import { CliError } from './cli-error.ts';
import { createServiceClient } from './client.ts';
import { type Answer, idOf, loopbackServers, runCli } from './testing.ts';

const serve = loopbackServers();

/** Makes one call to a server that sends these responses in order and repeats the last one. */
async function call(answers: readonly Answer[], attempts = 5) {
  let turn = 0;
  const server = await serve(() => answers[Math.min(turn++, answers.length - 1)] ?? {});
  const waits: number[] = [];
  const client = createServiceClient({
    baseUrl: server.url,
    credential: new Credential(server.url, { authorization: 'Bearer tsk_secret' }),
    attempts,
    io: {
      fetch: globalThis.fetch,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      stop: new AbortController().signal,
    },
  });
  const outcome = await client
    .call('createMerchant', { body: { name: 'M', planCapacity: 1 } }, { idempotencyKey: 'k-1' })
    .catch((error: unknown) => error);
  return { outcome, waits, asked: server.asked, url: server.url };
}

const MERCHANT = {
  id: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b02',
  name: 'M',
  planCapacity: 1,
  slotsHeld: 0,
  productLimit: 100_000,
  products: 0,
  paused: false,
  createdAt: '2026-03-01T12:00:00.000Z',
};

const problem = (status: number, code: string, headers = {}): Answer => ({
  status,
  headers,
  body: { type: 'about:blank', title: 't', status, detail: 'What happened.', code, requestId: 'r-1' },
});

describe('the client of the service', () => {
  it('retries lost connections, 503 and 429 with the same Idempotency-Key, after the time that was asked for', async () => {
    const { outcome, waits, asked } = await call([
      { hangUp: true },
      problem(503, 'database_unavailable', { 'retry-after': '7' }),
      problem(429, 'fetch_budget_spent'),
      { status: 201, body: MERCHANT },
    ]);
    expect(outcome).toEqual(MERCHANT);
    expect(waits).toEqual([500, 7000, 2000]);
    expect(new Set(asked.map(({ headers }) => headers['idempotency-key']))).toEqual(new Set(['k-1']));
    expect(asked[0]).toMatchObject({
      method: 'POST',
      path: '/api/v1/registry/merchants',
      body: '{"name":"M","planCapacity":1}',
    });
    expect(asked[0]?.headers).toMatchObject({ authorization: 'Bearer tsk_secret' });
  });

  it('gives up after its attempts, and at once on errors that are not temporary', async () => {
    const lasting = await call([problem(503, 'database_unavailable', { 'retry-after': '5' })], 3);
    expect(lasting.asked).toHaveLength(3);
    expect(lasting.outcome).toMatchObject({ exitCode: 3, hint: 'Try again in 5 s.' });
    const forbidden = await call([problem(403, 'forbidden')]);
    expect(forbidden.asked).toHaveLength(1);
    expect(forbidden.outcome).toMatchObject({ exitCode: 3, hint: expect.stringContaining('TOUCHSTONE_KEY') });
    expect(String(forbidden.outcome)).not.toContain('tsk_secret');
  });

  it('reports all faults of a 422, as a usage error', async () => {
    const detail = [
      { loc: ['body', 'url'], msg: 'Input should be a URL', type: 'url_parsing', input: 'x' },
      { loc: ['body', 'freshness'], msg: 'Unknown value', type: 'literal_error' },
    ];
    const { outcome } = await call([{ status: 422, body: { detail } }]);
    expect(outcome).toBeInstanceOf(CliError);
    expect(outcome).toMatchObject({
      exitCode: 64,
      code: 'validation_failed',
      details: {
        errors: [
          { name: 'url', msg: 'Input should be a URL', input: 'x' },
          { name: 'freshness', msg: 'Unknown value' },
        ],
      },
    });
    expect(String(outcome)).toMatch(/ url: Input should be a URL, got "x"\n +freshness: Unknown value/);
  });

  it('recognises that something else answers at the address', async () => {
    for (const answer of [
      { body: '<h1>nginx</h1>' },
      { status: 404, body: 'gone' },
      { status: 301, headers: { location: '/y' } },
    ]) {
      expect((await call([answer], 1)).outcome).toMatchObject({ exitCode: 3 });
    }
  });

  it('does not wait if waiting cannot help: https where only http is spoken', async () => {
    const { url } = await serve(() => ({}));
    const waits: number[] = [];
    const client = createServiceClient({
      baseUrl: url.replace('http:', 'https:'),
      attempts: 5,
      io: {
        fetch: globalThis.fetch,
        sleep: async (milliseconds) => void waits.push(milliseconds),
        stop: new AbortController().signal,
      },
    });
    await expect(client.call('getJwks', {})).rejects.toThrow('it does not speak https there');
    expect(waits).toEqual([]);
  });

  it('says how to start the service when nothing answers', async () => {
    const server = await serve(() => ({}));
    await server.close();
    const io = { fetch: globalThis.fetch, sleep: async () => {}, stop: new AbortController().signal };
    const client = createServiceClient({ baseUrl: server.url, io });
    await expect(client.call('getJwks', {})).rejects.toMatchObject({
      exitCode: 3,
      message: expect.stringMatching(new RegExp(`${server.url}.*ECONNREFUSED`)),
      hint: expect.stringContaining('touchstone serve'),
    });
  });
});

describe('the API key', () => {
  const other = () => serve(() => ({ body: { stores: [] } }));
  const list = (service: string, more: readonly string[] = []) =>
    runCli(['stores', 'list', '--service', service, ...more], { env: { TOUCHSTONE_KEY: 'tsk_secret' } });

  it('is sent to the service, and along no redirect, which the error names', async () => {
    const hostile = await other();
    const service = await serve(() => ({ status: 307, headers: { location: `${hostile.url}/api` } }));
    const { code, err } = await list(service.url);
    expect([code, err]).toEqual([3, expect.stringContaining(`a redirect to ${hostile.url}/api`)]);
    expect(service.asked[0]?.headers.authorization).toBe('Bearer tsk_secret');
    expect(hostile.asked).toEqual([]);
  });

  it('is not sent over http, except to this machine', async () => {
    const { url, asked } = await other();
    for (const host of ['0.0.0.0', 'service.localhost']) {
      const { code, err } = await list(url.replace('127.0.0.1', host));
      expect([code, err]).toEqual([64, expect.stringContaining('The API key was not sent')]);
    }
    const pull = [
      'certificates',
      'pull',
      idOf(1),
      '--out',
      '/nowhere',
      '--service',
      url.replace('127.0.0.1', '0.0.0.0'),
    ];
    expect((await runCli(pull, { env: { TOUCHSTONE_KEY: 'tsk_secret' } })).code).toBe(64);
    expect(asked).toEqual([]);
    expect((await list(url.replace('127.0.0.1', 'localhost'))).code).toBe(0);
  });
});
