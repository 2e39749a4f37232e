import { randomBytes } from 'node:crypto';
import { CHECK_NAMES } from '@touchstone/certificate';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { provenOwner, writeOwner } from '../../platform/database/hostname-owners.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { BASE_URL, type TestShop, testShop } from '../certificates/testing.ts';
import { patchProduct } from '../registry/products/change-product.ts';
import { registryOf } from '../registry/testing.ts';
import { withdrawProduct } from '../registry/withdrawals/withdraw-product.ts';
import { openVerification } from './open-verification.ts';
import { verifyingNode } from './testing.ts';
import { createVerifyProduct } from './verify-product.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const masterKey = randomBytes(32);
let now: Date;
let database: TestDatabase;
let shop: TestShop;
let node: Awaited<ReturnType<typeof verifyingNode>>;

beforeAll(async () => {
  now = new Date(START);
  database = await testDatabase();
  shop = await testShop(database);
  node = await verifyingNode(database, { clock: () => now, masterKey });
});
beforeEach(() => {
  now = new Date(START);
});
afterAll(async () => {
  await node.close();
  await database.close();
});

const documentOf = async (productId: string, from = node) =>
  JSON.parse(String((await from.getCertificate(productId)).body));

async function signedProduct() {
  const { productId, url } = await shop.addProduct();
  return { productId, pageUrl: url, document: await documentOf(productId) };
}

test('a genuine certificate on its own page is verified, every check with its reason', async () => {
  const result = await node.verifyProduct(await signedProduct());
  expect(result).toMatchObject({ status: 'verified', issuedFor: 'shop.example', errors: [] });
  expect(Object.keys(result.checkDetails).toSorted()).toEqual([...CHECK_NAMES].toSorted());
  expect(result.checks).toMatchObject({ domainKnown: true, domainVerified: false, trustDataCurrent: true });
});

test('product and keys are asked for at once, so that a database that does not answer is waited for once', async () => {
  const asked: string[] = [];
  const never = (what: string) => () => {
    asked.push(what);
    return new Promise<never>(() => {});
  };
  const keys = {
    trusted: never('keys'),
    trustedNow: never('now'),
    revoked: never('revoked'),
    areStale: () => false,
  };
  const verifyProduct = createVerifyProduct({
    keys,
    productFacts: never('product'),
    issuers: [BASE_URL],
    clock: () => now,
  });
  void verifyProduct({ productId: 'p', pageUrl: 'https://shop.example/p' });
  expect(asked).toEqual(['product', 'keys']);
});

test('domainVerified becomes true with the proof of the domain', async () => {
  const own = await testShop(database, 'proven.example');
  const { productId, url } = await own.addProduct();
  const input = { productId, pageUrl: url };
  expect((await node.verifyProduct(input)).checks.domainVerified).toBe(false);
  const owner = { hostname: 'proven.example', merchant_id: own.merchantId, method: 'well_known' } as const;
  await writeOwner(database.db, node.secrets.rows, provenOwner(owner, now), now);
  node.changes.publish(`m:${own.merchantId}`);
  expect((await node.verifyProduct(input)).checks.domainVerified).toBe(true);
});

test('a proof issued under a configured former base address is ours, under another it is not', async () => {
  const { productId, url } = await shop.addProduct();
  const addresses = { baseUrl: 'https://former.example', namespaceUrl: `${BASE_URL}/ns#` };
  const former = await verifyingNode(database, { clock: () => now, masterKey, addresses });
  const document = await documentOf(productId, former);
  await former.close();
  const aware = await verifyingNode(database, {
    clock: () => now,
    masterKey,
    formerIssuers: ['https://former.example'],
  });
  const input = { productId, pageUrl: url, document };
  expect((await aware.verifyProduct(input)).status).toBe('verified');
  await aware.close();
  const unaware = await node.verifyProduct(input);
  expect(unaware.checkDetails.certificateIntegrity.reason).toBe('issuer_untrusted');
});

test('a repeated verification sends no query to the database', async () => {
  const input = await signedProduct();
  // once the notice of the write itself has come by, and while this machine is not too busy to prove that nothing changed
  const queriesOfTwenty = async () => {
    await node.verifyProduct(input);
    const { queries } = node.counts;
    for (let i = 0; i < 20; i += 1) await node.verifyProduct(input);
    return node.counts.queries - queries;
  };
  await expect.poll(queriesOfTwenty, { interval: 50 }).toBe(0);
});

test('a proof of a key that left the JWKS long ago is expired, not forged', async () => {
  const input = await signedProduct();
  const { kid } = await node.keys.signer();
  now = new Date(START + 90 * DAY);
  await node.keys.rotate();
  now = new Date(START + 500 * DAY);
  expect((await node.keys.published()).keys.map((key) => key.kid)).not.toContain(kid);
  const { checks } = await node.verifyProduct(input);
  expect(checks).toMatchObject({ signatureValid: true, certificateIntegrity: true, timestampValid: false });
});

test('a proof of a revoked key fails at once', async () => {
  now = new Date(START + 501 * DAY);
  const { productId, pageUrl, document } = await signedProduct();
  const before = await node.verifyProduct({ productId, pageUrl, document });
  expect(before.checks.signatureValid).toBe(true);
  const { kid } = await node.keys.signer();
  await node.keys.revoke(kid);
  const after = await node.verifyProduct({ productId, pageUrl, document });
  expect(after.status).toBe('failed');
  expect(after.checkDetails.signatureValid).toMatchObject({ result: false, reason: 'key_unknown' });
  // nothing that whoever stole the key may have signed is told as signed
  expect(after).not.toHaveProperty('signed');
  expect(after.withdrawal).toEqual({ status: 'invalid', reason: 'key_revoked' });
  expect(after.checkDetails.boundToDomain).toEqual({ result: false, reason: 'certificate_withdrawn' });
  expect(after.conclusion).toMatchObject({ level: 'bad', code: 'withdrawn' });
  // a key that never was one of ours is not a revoked one
  const { jwt } = document.proof;
  const header = Buffer.from(JSON.stringify({ ...headerOf(jwt), kid: 'no-such-key' })).toString('base64url');
  const forged = {
    ...document,
    proof: { ...document.proof, jwt: [header, ...jwt.split('.').slice(1)].join('.') },
  };
  const unknown = await node.verifyProduct({ productId, pageUrl, document: forged });
  expect(unknown.withdrawal).toEqual({ status: null, reason: 'not_looked_at' });
});

const headerOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString());

test('a withdrawn certificate is not bound to its domain any more, a new one is; what is suspended keeps its checks, and is told first', async () => {
  now = new Date(START + 501 * DAY);
  const input = await signedProduct();
  expect((await node.verifyProduct(input)).withdrawal).toEqual({ status: 'valid', reason: 'not_withdrawn' });
  const registry = { ...registryOf(database), clock: () => now };
  await patchProduct(registry, 'all', input.productId, { visible: false });
  node.changes.publish(`p:${input.productId}`);
  const suspended = await node.verifyProduct(input);
  expect(suspended).toMatchObject({
    status: 'verified',
    withdrawal: { status: 'suspended', reason: 'suspended' },
  });
  expect(suspended.warnings[0]).toMatch(/^certificate_suspended: /);
  expect(suspended.conclusion).toMatchObject({ level: 'caution', code: 'suspended' });
  await withdrawProduct(registry, 'all', input.productId, {});
  await patchProduct(registry, 'all', input.productId, { visible: true });
  node.changes.publish(`p:${input.productId}`);
  const withdrawn = await node.verifyProduct({ ...input, pageUrl: 'https://elsewhere.example/' });
  expect(withdrawn).toMatchObject({
    status: 'failed',
    withdrawal: { status: 'invalid', reason: 'withdrawn' },
    conclusion: { level: 'bad', code: 'withdrawn' },
  });
  expect(withdrawn.checkDetails.boundToDomain).toEqual({ result: false, reason: 'certificate_withdrawn' });
  expect((await node.verifyProduct({ ...input, document: await documentOf(input.productId) })).status).toBe(
    'verified',
  );
});

test('a key that another node has just created is read before its proofs are judged', async () => {
  now = new Date(START + 502 * DAY);
  const cached = await node.keys.trusted();
  for (const { kid } of (await node.keys.published()).keys) await node.keys.revoke(kid);
  const input = await signedProduct();
  const behind = openVerification({
    ...node,
    keys: { ...node.keys, trusted: () => cached },
    clock: () => now,
    addresses: { baseUrl: BASE_URL, namespaceUrl: `${BASE_URL}/ns#` },
    formerIssuers: [],
    caching: { hub: node.changes, freshness: node.listener },
  });
  expect((await behind.verifyProduct(input)).status).toBe('verified');
  expect(await behind.readSigned(input.document.proof.jwt)).toMatchObject({ productId: input.productId });
  const [imageId = ''] = (await shop.addProduct()).imageIds;
  expect(await behind.verifyImage({ imageId, domain: 'shop.example' })).toMatchObject({ imageId });
});

test('concurrently requested products are loaded by two statements, each with its own hosts', async () => {
  const [one, other] = [await testShop(database, 'one.example'), await testShop(database, 'other.example')];
  const products = [
    await one.addProduct(),
    await other.addProduct(),
    await one.addProduct(),
    await other.addProduct(),
  ];
  const taken = await testShop(database, 'taker.example');
  const owner = { hostname: 'other.example', merchant_id: taken.merchantId, method: 'well_known' } as const;
  await writeOwner(database.db, node.secrets.rows, provenOwner(owner, now), now);
  const fresh = await verifyingNode(database, { clock: () => now, masterKey });
  try {
    await fresh.keys.trusted();
    const before = fresh.counts.queries;
    const facts = await Promise.all(products.map(({ productId }) => fresh.productFacts(productId)));
    expect(fresh.counts.queries - before).toBe(2);
    expect(facts.map(({ issuedFor, lostHosts }) => ({ issuedFor, lostHosts }))).toEqual(
      ['one.example', 'other.example', 'one.example', 'other.example'].map((issuedFor) => ({
        issuedFor,
        lostHosts: issuedFor === 'other.example' ? ['other.example'] : [],
      })),
    );
  } finally {
    await fresh.close();
  }
});
