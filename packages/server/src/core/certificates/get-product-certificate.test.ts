import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createKeySet, verify } from '@touchstone/certificate';
import { ProductCertificateSchema } from '@touchstone/certificate/schema';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { BASE_URL, parse, type TestNode, type TestShop, testNode, testShop, warm } from './testing.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const masterKey = randomBytes(32);

let database: TestDatabase;
let shop: TestShop;
let now: Date;
const nodes: TestNode[] = [];

beforeAll(async () => {
  database = await testDatabase();
  shop = await testShop(database);
});
beforeEach(() => {
  now = new Date(START);
});
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});
afterAll(() => database.close());

const clock = () => now;

async function startNode(options: Parameters<typeof testNode>[1] = { clock }): Promise<TestNode> {
  const node = await testNode(database, { masterKey, ...options });
  nodes.push(node);
  return node;
}

describe('a product certificate', () => {
  test('of an active product is full, valid by its schema and verified on its page', async () => {
    const node = await startNode();
    const { productId, url } = await shop.addProduct();
    const document = parse(await node.getCertificate(productId));
    expect(ProductCertificateSchema.safeParse(document).error).toBeUndefined();
    expect(document).toMatchObject({
      productID: productId,
      url,
      'svc:trust': { certifiedAssets: 0, totalAssets: 2, coveragePercent: 0 },
      proof: { type: 'JsonWebSignature2020', algorithm: 'RS256' },
    });
    expect(document).not.toHaveProperty('name');
    const keySet = createKeySet(parse(await node.getJwks()));
    const result = await verify({ document, pageUrl: url, productId, keySet, issuers: [BASE_URL], now });
    expect(result.status).toBe('verified');
  });

  test('has its headers and a strong ETag of its bytes', async () => {
    const node = await startNode();
    const { productId } = await shop.addProduct();
    const certificate = await node.getCertificate(productId);
    const { etag } = certificate;
    expect(certificate.headers).toEqual({
      'content-type': 'application/ld+json',
      'cache-control': 'public, max-age=86400',
      'cdn-cache-control': 'public, max-age=86400, stale-if-error=60',
      'surrogate-key': `product-${productId}`,
      etag,
    });
    expect(etag).toMatch(/^"[\w-]{20,}"$/);
  });

  test('is found by its id in upper or lower case', async () => {
    const node = await startNode();
    const { productId } = await shop.addProduct();
    expect(await node.getCertificate(productId.toUpperCase())).toEqual(await node.getCertificate(productId));
  });
});

describe('a cached certificate', () => {
  test('costs 0 signatures and 0 queries', async () => {
    const node = await startNode();
    const { productId } = await shop.addProduct();
    const hidden = await shop.addProduct({ visible: false });
    const first = await warm(node, productId);
    await warm(node, hidden.productId);
    expect(node.counts.signatures).toBe(1);
    const before = { ...node.counts };
    for (let i = 0; i < 100; i += 1) {
      expect(await node.getCertificate(productId)).toBe(first);
      await node.getCertificate(hidden.productId);
    }
    expect(node.counts).toEqual({ ...before, memory: before.memory + 200 });
  });

  test('that is requested concurrently before it is cached costs one signature', async () => {
    const node = await startNode();
    const { productId } = await shop.addProduct();
    const answers = await Promise.all(Array.from({ length: 100 }, () => node.getCertificate(productId)));
    expect(new Set(answers).size).toBe(1);
    expect(node.counts.signatures).toBe(1);
  });

  test('is issued again once its proof has less than 2 days left', async () => {
    const node = await startNode();
    const { productId } = await shop.addProduct();
    const first = await node.getCertificate(productId);
    now = new Date(START + 5 * DAY);
    expect(await node.getCertificate(productId)).toEqual(first);
    now = new Date(START + 5 * DAY + 1);
    const second = await node.getCertificate(productId);
    expect(parse(second).proof.jwt).not.toBe(parse(first).proof.jwt);
    expect(second.etag).not.toBe(first.etag);
  });

  test('survives a restart: the same bytes without a signature', async () => {
    const { productId } = await shop.addProduct();
    const first = await (await startNode()).getCertificate(productId);
    now = new Date(START + DAY);
    const restarted = await startNode();
    expect(await restarted.getCertificate(productId)).toEqual(first);
    expect(restarted.counts.signatures).toBe(0);
  });
});

describe('a signer that is unavailable', () => {
  test('causes a 503 for an active product without a proof, never a 200 without one', async () => {
    const node = await startNode();
    const { productId } = await shop.addProduct();
    const served = await node.getCertificate(productId);
    const { productId: fresh } = await shop.addProduct();
    const hidden = await shop.addProduct({ visible: false });
    // no key can sign
    const { keys } = parse(await node.getJwks());
    await database.query('update signing_keys set private_key = null');
    const other = await startNode();
    await expect(other.getCertificate(fresh)).rejects.toMatchObject({ code: 'signer_unavailable' });
    expect(await other.getCertificate(productId)).toEqual(served);
    expect(parse(await other.getCertificate(hidden.productId))).not.toHaveProperty('proof');
    expect(parse(await other.getJwks()).keys).toEqual(keys);
    await database.query('delete from signing_keys');
  });
});

const kids = async (node: TestNode) =>
  parse(await node.getJwks()).keys.map((key: { kid: string }) => key.kid);

describe('a revoked key', () => {
  test('disappears at once on this node with its certificates, and within a second on others', async () => {
    const [one, two] = [await startNode(), await startNode()];
    const { productId } = await shop.addProduct();
    const before = await one.getCertificate(productId);
    await two.getCertificate(productId);
    const { kid } = await one.keys.signer();
    now = new Date(START + DAY);
    await one.keys.revoke(kid);
    expect(await kids(one)).not.toContain(kid);
    const after = await one.getCertificate(productId);
    expect(parse(after).proof.jwt).not.toBe(parse(before).proof.jwt);
    const revoked = performance.now();
    for (let asked = revoked; ; asked = performance.now()) {
      if (!(await kids(two)).includes(kid) && (await two.getCertificate(productId)).etag === after.etag)
        break;
      expect(asked - revoked).toBeLessThan(1_000);
      await delay(5);
    }
  });
});
