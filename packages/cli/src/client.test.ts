import { describe, expect, it } from 'vitest';
import { CliError } from './cli-error.ts';
import { createServiceClient } from './client.ts';
import { type Answer, loopbackServers } from './testing.ts';

const serve = loopbackServers();

/** Makes one call to a server that sends these responses in order and repeats the last one. */
async function call(answers: readonly Answer[], attempts = 5) {
  let turn = 0;
  const server = await serve(() => answers[Math.min(turn++, answers.length - 1)] ?? {});
  const waits: number[] = [];
  const client = createServiceClient({
    baseUrl: server.url,
    key: 'tsk_secret',
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
