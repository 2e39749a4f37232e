import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { createDatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { openProofKeys } from '../keys/open-proof-keys.ts';
import { createProofStore } from './proof-store.ts';
import type { ProofSubject } from './signed-document.ts';

const now = Date.UTC(2026, 0, 1);
const issuer = 'https://certificates.example';
const addresses = { baseUrl: issuer, namespaceUrl: `${issuer}/ns#` };
const masterKey = randomBytes(32);
const productId = randomUUID();
const subject: ProofSubject = {
  merchantId: randomUUID(),
  kind: 'product',
  id: productId,
  snapshot: {
    productId,
    externalProductId: 'cup-1',
    name: 'Cup',
    url: 'https://shop.example/products/cup',
    domain: 'shop.example',
    storeName: 'Shop',
    storeUrl: 'https://shop.example',
    attributes: [],
    images: [],
  },
};

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const records = () =>
  database.query<{ header: string; payload: string; signature: string | null }>(
    'select header, payload, signature from proofs',
  );

const node = async () => {
  const { db } = database.open();
  const clock = () => new Date(now + 60_000);
  const keys = await openProofKeys({ db, clock, secrets: createDatabaseSecrets(masterKey) });
  return createProofStore({ db, keys, addresses, clock });
};

test('if a node is killed (-9) between intent and signature, two others complete it: one record, one proof', async () => {
  const { connection } = database;
  const job = JSON.stringify({ connection, masterKey: masterKey.toString('hex'), addresses, now, subject });
  const script = fileURLToPath(new URL('testing/killed-node.ts', import.meta.url));
  const child = spawn(process.execPath, [script, job], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  const [intent] = await records();
  expect(intent?.signature).toBeNull();

  const nodes = [await node(), await node()];
  const [first, second] = await Promise.all(nodes.map((proofs) => proofs.proofFor(subject)));
  expect(first).toEqual(second);
  const [record, ...others] = await records();
  expect(others).toEqual([]);
  expect(first?.jwt).toBe(`${intent?.header}.${intent?.payload}.${record?.signature}`);
});
