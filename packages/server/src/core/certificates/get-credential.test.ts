import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { verifyEnvelope } from '@touchstone/certificate/envelope';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { BASE_URL, parse, type TestNode, type TestShop, testNode, testShop } from './testing.ts';

const START = Date.UTC(2026, 0, 1);
const masterKey = randomBytes(32);
const now = new Date(START);

let database: TestDatabase;
let shop: TestShop;
const nodes: TestNode[] = [];

beforeAll(async () => {
  database = await testDatabase();
  shop = await testShop(database);
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});
afterAll(() => database.close());

async function startNode(): Promise<TestNode> {
  const node = await testNode(database, { masterKey, clock: () => now });
  nodes.push(node);
  return node;
}

test('every node gives the same credential, which contains the certificate that it gives', async () => {
  const [one, other] = [await startNode(), await startNode()];
  const { productId } = await shop.addProduct();
  const certificate = parse(await one.getCertificate(productId));
  const credential = await one.getCredential(productId);
  expect(await other.getCredential(productId.toUpperCase())).toEqual(credential);
  const jwks = parse(await one.getJwks());
  const finding = await verifyEnvelope(String(credential.body), { trustedIssuers: [BASE_URL], jwks, now });
  expect(finding).toMatchObject({ valid: true, certificate });
});

test('a credential that is in memory costs no signature, however often it is asked for', async () => {
  const node = await startNode();
  const { productId } = await shop.addProduct();
  for (;;) {
    const first = await node.getCredential(productId);
    await delay(20);
    if ((await node.getCredential(productId)) === first) break;
  }
  const { signatures, queries } = node.counts;
  await Promise.all(Array.from({ length: 100 }, () => node.getCredential(productId)));
  expect(node.counts).toMatchObject({ signatures, queries });
});

test('concurrent requests for one credential share its signature', async () => {
  const node = await startNode();
  const { productId } = await shop.addProduct();
  const answers = await Promise.all(Array.from({ length: 100 }, () => node.getCredential(productId)));
  expect(new Set(answers.map(({ etag }) => etag)).size).toBe(1);
  // the proof, and the envelope
  expect(node.counts.signatures).toBe(2);
});

test('a product that is not active has no credential, but its identity-only document', async () => {
  const node = await startNode();
  const { productId } = await shop.addProduct({ visible: false });
  const document = await node.getCredential(productId);
  expect(document.headers['content-type']).toBe('application/ld+json');
  expect(parse(document)).not.toHaveProperty('proof');
});
