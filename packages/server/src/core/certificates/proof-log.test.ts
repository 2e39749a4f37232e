import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { createDatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { openProofKeys } from '../keys/open-proof-keys.ts';
import type { ProofLog } from './proof-log.ts';
import { createProofStore } from './proof-store.ts';
import type { ProofSubject } from './signed-document.ts';

const issuer = 'https://certificates.example';
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
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database.close());

async function node(enter: ProofLog['enter']) {
  const { db } = database.open();
  const clock = () => new Date(Date.UTC(2026, 0, 1));
  const keys = await openProofKeys({ db, clock, secrets: createDatabaseSecrets(masterKey) });
  const addresses = { baseUrl: issuer, namespaceUrl: `${issuer}/ns#` };
  return createProofStore({
    db,
    keys,
    addresses,
    clock,
    proofLog: { enter, placeOf: async () => null, findings: () => [] },
  });
}

test('what a document carries of the log is decided once: by the node that records the signature first', async () => {
  const both = Promise.withResolvers<void>();
  let entered = 0;
  // both have signed the proof before either has recorded it
  const nodes = await Promise.all(
    ['of a', null].map((text) =>
      node(async (entering) => {
        entered += 1;
        if (entered === 2) both.resolve();
        await both.promise;
        return entering.map(() => text);
      }),
    ),
  );
  const [first, second] = await Promise.all(nodes.map((proofs) => proofs.proofFor(subject)));
  expect(first).toEqual(second);
  const later = await node(async (entering) => entering.map(() => 'of another time'));
  expect(await later.proofFor(subject)).toEqual(first);
});

test('a proof that cannot be entered is not published, and is entered again by the next node that is asked', async () => {
  const failing = await node(() => Promise.reject(new Error('the database does not answer')));
  await expect(failing.proofFor(subject)).rejects.toThrow();
  expect(await database.query('select signature, log_proof from proofs')).toEqual([
    { signature: null, log_proof: null },
  ]);
  const seen: string[] = [];
  const other = await node(async (entering) => {
    seen.push(...entering.map(({ jwt }) => jwt));
    return entering.map(() => 'the inclusion');
  });
  const proof = await other.proofFor(subject);
  expect([proof.jwt, proof.logProof]).toEqual([seen[0], 'the inclusion']);
});
