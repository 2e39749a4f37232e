import { randomBytes } from 'node:crypto';
import { JwksSchema } from '@touchstone/certificate/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestNode, testNode } from '../certificates/testing.ts';
import { type TestDatabase, testDatabase } from '../platform/database/testing.ts';
import { ServiceError } from '../platform/errors.ts';
import { createGetJwks } from './get-jwks.ts';

const masterKey = randomBytes(32);
const clock = () => new Date(Date.UTC(2026, 0, 1));
let database: TestDatabase;
let nodes: TestNode[];

beforeAll(async () => {
  database = await testDatabase();
  nodes = [await testNode(database, { clock, masterKey }), await testNode(database, { clock, masterKey })];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await database.close();
});

test('the JWKS is schema-valid, fresh for an hour, and the same bytes on every node', async () => {
  const [one, two] = await Promise.all(nodes.map((node) => node.getJwks()));
  expect(JwksSchema.safeParse(JSON.parse(Buffer.from(one?.body ?? []).toString())).error).toBeUndefined();
  expect(one?.headers).toEqual({
    'content-type': 'application/json',
    'cache-control': 'public, max-age=3600',
    etag: one?.etag,
  });
  expect(two).toEqual(one);
});

test('it holds public members only', async () => {
  const text = Buffer.from((await nodes[0]?.getJwks())?.body ?? []).toString();
  for (const key of JSON.parse(text).keys) {
    expect(Object.keys(key)).toEqual(['kty', 'kid', 'use', 'alg', 'n', 'e']);
  }
});

const failing = (error: Error) => createGetJwks({ keys: { published: () => Promise.reject(error) } });

test('a database that is away makes the keys unavailable, and other faults are told as they are', async () => {
  const away = failing(new ServiceError('database_unavailable', { retryAfter: 7 }));
  await expect(away()).rejects.toMatchObject({ code: 'keys_unavailable', retryAfter: 7 });
  await expect(failing(new TypeError('a bug'))()).rejects.toThrow(TypeError);
});
