import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestRegistry, testRegistry, testShop, useRegistryApi } from '../testing.ts';
import type { DomainProofPorts } from './find-proof.ts';
import { verifyDomain } from './verify-domain.ts';

const PER_HOST = 12;
const api = useRegistryApi({ fetchesPerHost: PER_HOST });

it('a host gets no more requests than its budget, however many keys of however many merchants verify it', async () => {
  const merchants = [await api.merchant('stranger.example'), await api.merchant('stranger.example')];
  const paths = merchants.map(({ key, store }) => ({
    key,
    path: `/stores/${store.id}/domains/stranger.example./verify`,
  }));
  const answers = [];
  for (let round = 0; round < PER_HOST; round += 1) {
    for (const { key, path } of paths) answers.push(await api.call(key, 'POST', path));
  }
  expect(answers[0]?.status).toBe(200);
  const refused = answers.filter(({ status }) => status !== 200);
  // one request that a budget refills meanwhile may lead to another
  expect(refused.length).toBeGreaterThan(PER_HOST);
  expect(new Set(refused.map(({ json }) => json.code))).toEqual(new Set(['fetch_budget_spent']));
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect(api.fetched.length).toBeLessThanOrEqual(2 * PER_HOST);
  // others are verified as before
  const other = await api.merchant('other.example');
  const { status } = await api.call(
    other.key,
    'POST',
    `/stores/${other.store.id}/domains/other.example/verify`,
  );
  expect(status).toBe(200);
});

let registry: TestRegistry;
beforeAll(async () => {
  registry = await testRegistry();
});
afterAll(() => registry.close());

it('of one merchant and hostname, one verification runs at a time; then the next one may', async () => {
  const shop = await testShop(registry, 'slow.example');
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let requests = 0;
  const slow: DomainProofPorts = {
    async fetchText(url) {
      requests += 1;
      asked.resolve();
      await held.promise;
      return { status: 200, finalUrl: url, body: shop.challenge };
    },
    resolveTxt: async () => ({ records: [] }),
  };
  const verify = () => verifyDomain(registry, slow, 'all', shop.storeId, shop.host);
  const first = verify();
  await asked.promise;
  await expect(verify()).rejects.toMatchObject({ code: 'conflict', retryAfter: 1 });
  expect(requests).toBe(1);
  held.resolve();
  expect(await first).toMatchObject({ verified: true });
  expect(await verify()).toMatchObject({ verified: true });
});
