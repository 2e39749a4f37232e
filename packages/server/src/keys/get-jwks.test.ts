import { randomBytes } from 'node:crypto';
import { JwksSchema } from '@touchstone/certificate/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../platform/database/testing.ts';
import { ServiceError } from '../platform/errors.ts';
import { createGetJwks, type GetJwks } from './get-jwks.ts';
import { openKeys } from './open-keys.ts';

const masterKey = randomBytes(32);
const clock = () => new Date(Date.UTC(2026, 0, 1));
let database: TestDatabase;
let nodes: GetJwks[];

beforeAll(async () => {
  database = await testDatabase();
  const node = async () =>
    createGetJwks({ keys: await openKeys({ db: database.open().db, clock, masterKey }) });
  nodes = [await node(), await node()];
});
afterAll(() => database.close());

test('the JWKS is schema-valid, fresh for an hour, and the same bytes on every node', async () => {
  const [one, two] = await Promise.all(nodes.map((getJwks) => getJwks()));
  expect(JwksSchema.safeParse(JSON.parse(Buffer.from(one?.body ?? []).toString())).error).toBeUndefined();
  expect(one?.headers).toEqual({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=3600',
    etag: one?.etag,
  });
  expect(two).toEqual(one);
});

test('it holds public members only', async () => {
  const text = Buffer.from((await nodes[0]?.())?.body ?? []).toString();
  for (const key of JSON.parse(text).keys) {
    expect(Object.keys(key)).toEqual(['kty', 'kid', 'use', 'alg', 'n', 'e']);
  }
});

const failing = (error: Error) => createGetJwks({ keys: { published: () => Promise.reject(error) } });

test('an unreachable database makes the keys unavailable; other faults stay what they are', async () => {
  const unreachable = failing(new ServiceError('database_unavailable', { retryAfter: 7 }));
  await expect(unreachable()).rejects.toMatchObject({ code: 'keys_unavailable', retryAfter: 7 });
  await expect(failing(new TypeError('a bug'))()).rejects.toThrow(TypeError);
});
