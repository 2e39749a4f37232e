import { randomBytes } from 'node:crypto';
import { JwksSchema } from '@touchstone/certificate/schema';
import type { Jwks } from '@touchstone/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createChangeHub } from '../../platform/cache/changes.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { ServiceError } from '../../platform/errors.ts';
import { createDatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { createGetJwks, type GetJwks } from './get-jwks.ts';
import { openProofKeys } from './open-proof-keys.ts';

const secrets = createDatabaseSecrets(randomBytes(32));
const clock = () => new Date(Date.UTC(2026, 0, 1));
let database: TestDatabase;
let nodes: GetJwks[];

beforeAll(async () => {
  database = await testDatabase();
  const node = async () =>
    createGetJwks({
      keys: await openProofKeys({ db: database.open().db, clock, secrets }),
      clock,
      hub: createChangeHub(),
    });
  nodes = [await node(), await node()];
});
afterAll(() => database.close());

test('the JWKS is valid by its schema, cacheable for an hour, and the same bytes on every node', async () => {
  const [one, two] = await Promise.all(nodes.map((getJwks) => getJwks()));
  expect(JwksSchema.safeParse(JSON.parse(String(one?.body))).error).toBeUndefined();
  expect(one?.headers).toEqual({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=3600',
    etag: one?.etag,
  });
  expect(two).toEqual(one);
});

test('it contains public members only', async () => {
  const text = String((await nodes[0]?.())?.body);
  for (const key of JSON.parse(text).keys) {
    expect(Object.keys(key)).toEqual(['kty', 'kid', 'use', 'alg', 'n', 'e']);
  }
});

/** A node whose database can be stopped, at a time that can be moved. */
function stoppableNode() {
  const hub = createChangeHub();
  const jwks: Jwks = { keys: [] };
  const state = { fault: undefined as Error | undefined, seconds: 0, isStale: false };
  const published = async () => {
    if (state.fault !== undefined) throw state.fault;
    return jwks;
  };
  const now = () => new Date(clock().getTime() + state.seconds * 1000);
  return {
    state,
    hub,
    getJwks: createGetJwks({ keys: { published, areStale: () => state.isStale }, clock: now, hub }),
  };
}
const unreachable = () => new ServiceError('database_unavailable', { retryAfter: 7 });
const REFUSED = { code: 'keys_unavailable', retryAfter: 7 };

test('if the database is not reachable, keys that were never read are unavailable; other faults are unchanged', async () => {
  const { getJwks, state } = stoppableNode();
  state.fault = unreachable();
  await expect(getJwks()).rejects.toMatchObject(REFUSED);
  state.fault = new TypeError('a bug');
  await expect(getJwks()).rejects.toThrow(TypeError);
});

test('cached keys are served for an hour more, and no cache may keep them for longer', async () => {
  const { getJwks, state } = stoppableNode();
  const first = await getJwks();
  state.fault = unreachable();
  for (const [seconds, left] of [
    [1, 3_599],
    [3_599, 1],
  ] as const) {
    state.seconds = seconds;
    const jwks = await getJwks();
    expect([jwks.etag, jwks.headers['cache-control']]).toEqual([first.etag, `public, max-age=${left}`]);
  }
  state.seconds = 3_600;
  await expect(getJwks()).rejects.toMatchObject(REFUSED);
  state.fault = undefined;
  expect((await getJwks()).headers['cache-control']).toBe('public, max-age=3600');
});

test('keys in memory are served at once, rendered once, and count as read', async () => {
  const jwks: Jwks = { keys: [] };
  const state = { seconds: 0, isInMemory: true };
  const getJwks = createGetJwks({
    keys: {
      published: () => (state.isInMemory ? jwks : Promise.reject(unreachable())),
      areStale: () => false,
    },
    clock: () => new Date(clock().getTime() + state.seconds * 1000),
    hub: createChangeHub(),
  });
  const first = getJwks();
  expect(first).toHaveProperty(['headers', 'cache-control'], 'public, max-age=3600');
  state.seconds = 3_000;
  expect(getJwks()).toBe(first);
  state.isInMemory = false;
  state.seconds = 3_600;
  expect((await getJwks()).headers['cache-control']).toBe('public, max-age=3000');
});

test('keys from before the database was lost are not given another hour', async () => {
  const { getJwks, state } = stoppableNode();
  await getJwks();
  state.seconds = 600;
  state.isStale = true;
  expect((await getJwks()).headers['cache-control']).toBe('public, max-age=3000');
  state.seconds = 3_600;
  await expect(getJwks()).rejects.toMatchObject({ code: 'keys_unavailable' });
});

test('an announced revocation takes effect at once: keys that were read before are no longer served', async () => {
  const { getJwks, state, hub } = stoppableNode();
  await getJwks();
  hub.publish('*');
  state.fault = unreachable();
  await expect(getJwks()).resolves.toBeDefined();
  hub.publish('k:leaked');
  await expect(getJwks()).rejects.toMatchObject(REFUSED);
});

test('keys whose reading a revocation overtook are not cached', async () => {
  const hub = createChangeHub();
  let finish: (jwks: Jwks) => void = () => {};
  let isReachable = true;
  const published = () =>
    isReachable ? new Promise<Jwks>((resolve) => (finish = resolve)) : Promise.reject(unreachable());
  const getJwks = createGetJwks({ keys: { published, areStale: () => false }, clock, hub });
  const reading = getJwks();
  hub.publish('k:leaked');
  finish({ keys: [] });
  await reading;
  isReachable = false;
  await expect(getJwks()).rejects.toMatchObject(REFUSED);
});
