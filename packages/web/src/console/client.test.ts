import { expect, it } from 'vitest';
import { CallError } from './call-error.ts';
import { createConsoleClient } from './client.ts';
import { createConnection } from './connection.ts';
import { createSessionKeeper } from './session.ts';

const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { code, detail: `It is ${code}.`, requestId: 'r-1' }, headers);

/** A client of a service with scripted responses. */
function clientOf(answers: readonly (Response | 'nothing')[], renew?: () => Promise<void>) {
  const asked: Request[] = [];
  const waited: number[] = [];
  const states: string[] = [];
  const connection = createConnection();
  connection.subscribe(() => states.push(connection.state()));
  const client = createConsoleClient({
    fetch: async (url, request) => {
      asked.push(new Request(new URL(String(url), 'http://service.example'), request));
      const answer = answers[asked.length - 1];
      if (answer === undefined || answer === 'nothing') throw new TypeError('Failed to fetch');
      return answer;
    },
    connection,
    sleep: async (milliseconds) => void waited.push(milliseconds),
    credentials: { csrfToken: () => 'token', ...(renew === undefined ? {} : { renew }) },
  });
  return { client, asked, waited, states };
}

it('sends the token only with calls that change something', async () => {
  const { client, asked } = clientOf([json(200, { stores: [] }), json(201, { id: 's' })]);
  await client.call('listStores', { query: { limit: 2 } });
  await client.call('createStore', { body: { merchantId: 'm', name: 'n', url: 'https://shop.example' } });
  expect(asked.map(({ headers }) => headers.get('x-csrf-token'))).toEqual([null, 'token']);
  expect(asked[0]?.url).toBe('http://service.example/api/v1/registry/stores?limit=2');
  expect(asked[1]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
});

it('repeats a lost call, and reports it meanwhile', async () => {
  const { client, waited, states } = clientOf([
    'nothing',
    problem(503, 'overloaded', { 'retry-after': '2' }),
    json(200, { stores: [] }),
  ]);
  await client.call('listStores', {});
  expect(waited).toEqual([500, 2_000]);
  expect(states).toEqual(['lost', 'good']);
});

it('does not repeat a call that would create a second object', async () => {
  const { client, asked } = clientOf(['nothing']);
  const failed = await client
    .call('createApiKey', { params: { merchant_id: 'm' } })
    .catch((error: unknown) => error);
  expect(failed).toMatchObject({ kind: 'unreachable' });
  expect(asked).toHaveLength(1);
});

it('shows a fault in the words of the service, with the id of the request', async () => {
  const { client } = clientOf([problem(404, 'store_unknown')]);
  const failed = await client
    .call('getStore', { params: { store_id: 's' } })
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(CallError);
  expect(failed).toMatchObject({
    code: 'store_unknown',
    message: 'It is store_unknown.',
    requestId: 'r-1',
    status: 404,
  });
});

it('waits for a sign-in when the session has ended, then repeats the call', async () => {
  let renewed = 0;
  const { client } = clientOf(
    [problem(401, 'session_missing'), json(200, { stores: [] })],
    async () => void renewed++,
  );
  expect(await client.call('listStores', {})).toEqual({ stores: [] });
  expect(renewed).toBe(1);
});

it('gives up if a sign-in does not help', async () => {
  const { client } = clientOf(
    Array.from({ length: 9 }, () => problem(401, 'session_missing')),
    async () => undefined,
  );
  expect(await client.call('listStores', {}).catch((error: unknown) => error)).toMatchObject({ status: 401 });
});

const session = (merchantId: string, csrfToken: string) =>
  ({ role: 'merchant', merchantId, csrfToken }) as never;

it('continues with the session of another tab, and reports one of another merchant', async () => {
  const sessions = [session('m', 'first'), session('m', 'second'), session('other', 'third')];
  let others = 0;
  const keeper = createSessionKeeper({
    call: async () => sessions.shift() as never,
    onOther: () => void others++,
  });
  await keeper.start();
  expect(keeper.csrfToken()).toBe('first');
  await keeper.renew?.();
  expect(keeper.csrfToken()).toBe('second');
  void keeper.renew?.();
  await expect.poll(() => others).toBe(1);
  expect(keeper.state()).toMatchObject({ kind: 'ended', session: { merchantId: 'm' } });
});
