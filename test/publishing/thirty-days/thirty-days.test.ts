import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTrust, type Jwks, type Trust } from '@touchstone/certificate';
import { judgePage, type Observation, observePage, withoutRegistry } from '@touchstone/page';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openShopifyShop, type TestShopify } from '../../support/shopify.ts';
import { createCatalogue } from './catalogue.ts';
import { edgeShop, pluginShop, type Shop, staticShop } from './publishers.ts';
import { shopifyShop } from './shopify-shop.ts';
import { BASE_URL, HOUR, type Json, openWorld, type World } from './world.ts';

const DAYS = 30;
const STEPS_A_DAY = 4;
const PRODUCTS = 200;
/** By the step of six hours. The service is away for 48 hours, from noon of the twelfth day. */
const OUTAGE = { from: 46, to: 54 };
const REVOCATION = 81;
/** Pages of each shop that the service itself checks each time; all are checked by the SDK. */
const CHECKED_BY_SERVICE = 3;

const HOSTS = ['edge.example', 'static.example', 'plugin.example', 'shopify.example'] as const;

let world: World;
let folder: string;
let shopify: TestShopify;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-thirty-days-'));
  shopify = await openShopifyShop('http://shopify.example');
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, shopify.authority);
  world = await openWorld(HOSTS, { connectTo: `${shopify.shop}=127.0.0.1:${shopify.port}`, caFile });
});
afterAll(async () => {
  await world.close();
  await shopify.close();
  await rm(folder, { recursive: true, force: true });
});

interface Bad {
  readonly step: number;
  readonly shop: string;
  readonly path: string;
  readonly verdict: string;
}

/** What was found on the pages of thirty days. */
interface Record30 {
  readonly bad: Bad[];
  readonly verdicts: Map<string, number>;
  /** Pages of visible products without a verified certificate, by the step. */
  readonly without: Map<number, string[]>;
  byService: number;
}

const seen = new Map<string, { html: string; observation: Observation }>();

async function verdictOf(shop: Shop, path: string, trust: Trust): Promise<string> {
  const url = `http://${shop.catalogue.host}${path}`;
  const html = (await shop.page(path)) ?? '';
  const now = world.now();
  const options = withoutRegistry(trust, now);
  const known = seen.get(url);
  // what a page says does not change with the time, its verdict does
  const observation =
    known?.html === html
      ? known.observation
      : await observePage(url, {
          ...options,
          fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, body: html }),
        });
  seen.set(url, { html, observation });
  return (await judgePage(observation, options)).report.verdict;
}

async function checkPages(shops: readonly Shop[], step: number, jwks: Jwks, found: Record30): Promise<void> {
  const without: string[] = [];
  const trust = createTrust({ trustedIssuers: [BASE_URL], jwks });
  for (const shop of shops) {
    const items = shop.catalogue.items();
    for (const [index, { path, isVisible }] of items.entries()) {
      const verdict = await verdictOf(shop, path, trust);
      const key = `${shop.name} ${verdict}`;
      found.verdicts.set(key, (found.verdicts.get(key) ?? 0) + 1);
      if (isVisible && verdict !== 'verified') without.push(`${shop.name} ${path} ${verdict}`);
      if (verdict === 'certificate_expired' || verdict === 'checks_failed')
        found.bad.push({ step, shop: shop.name, path, verdict });
      const isSample = (index + step) % Math.ceil(items.length / CHECKED_BY_SERVICE) === 0;
      if (!world.isUp() || !isSample || !isVisible) continue;
      found.byService += 1;
      const report = await checkByService(`http://${shop.catalogue.host}${path}`);
      // the visit of the one may have renewed what the other sees
      if (shop.name !== 'edge') expect([path, report]).toEqual([path, verdict]);
    }
  }
  found.without.set(step, without);
}

async function checkByService(url: string): Promise<unknown> {
  const response = await world.fetch(`${BASE_URL}/api/v1/mc4p/page-checks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  return ((await response.json()) as Json).verdict;
}

async function revokeSigningKey(): Promise<void> {
  const { keys } = (await world.operate('GET', '/signing-keys')) as {
    keys: { kid: string; state: string; purpose: string }[];
  };
  const active = keys.find(({ state, purpose }) => state === 'active' && purpose === 'proofs');
  await world.operate('POST', `/signing-keys/${active?.kid}/revoke`);
}

it(`${DAYS} days of four shops: no page ever expired or failed, but while a revoked key is replaced`, async () => {
  const catalogue = (host: (typeof HOSTS)[number]) => createCatalogue(world, host, PRODUCTS);
  const shops = [
    edgeShop(world, catalogue('edge.example')),
    staticShop(world, catalogue('static.example'), folder),
    pluginShop(world, catalogue('plugin.example')),
    shopifyShop(world, catalogue('shopify.example'), shopify),
  ];
  const stores: { shop: Shop; storeId: string }[] = [];
  for (const shop of shops) {
    const { storeId } = await world.open(shop.catalogue.host, (path) => shop.page(path));
    stores.push({ shop, storeId });
  }
  const found: Record30 = { bad: [], verdicts: new Map(), without: new Map(), byService: 0 };
  let jwks: Jwks = { keys: [] };

  for (let step = 0; step < DAYS * STEPS_A_DAY; step += 1) {
    if (step === OUTAGE.from) await world.stop();
    if (step === OUTAGE.to) await world.start();
    for (const { shop, storeId } of stores) {
      if (step % STEPS_A_DAY === 0) {
        if (step > 0) shop.catalogue.work(step / STEPS_A_DAY);
        await shop.build();
      }
      await shop.catalogue.send(storeId);
      await shop.run(storeId);
    }
    // right after the shops have run: it takes longest until they run again
    if (step === REVOCATION) await revokeSigningKey();
    if (world.isUp())
      jwks = (await (await world.fetch(`${BASE_URL}/api/v1/.well-known/jwks.json`)).json()) as Jwks;
    await checkPages(shops, step, jwks, found);
    world.travel(6 * HOUR);
  }

  const windowOf = (name: string) => shops.find((shop) => shop.name === name)?.renewalWindow ?? 0;
  const outside = found.bad.filter(
    ({ step, shop }) => step < REVOCATION || step >= REVOCATION + windowOf(shop),
  );
  expect(outside).toEqual([]);
  // the revocation was felt: every page carried a certificate of that key, and has another one now
  for (const { name, catalogue } of shops) {
    const felt = found.bad.filter(({ step, shop }) => step === REVOCATION && shop === name);
    expect(felt.length).toBeGreaterThan(catalogue.items().length * 0.9);
  }
  const counts = Object.fromEntries(shops.map((shop) => [shop.name, shop.counts()]));
  process.stdout.write(
    JSON.stringify({ verdicts: Object.fromEntries(found.verdicts), counts, byService: found.byService }) +
      '\n',
  );
  expect(found.without.get(DAYS * STEPS_A_DAY - 1)).toEqual([]);
  expect(counts.static?.failedPulls).toBe(OUTAGE.to - OUTAGE.from);
  expect(counts.shopify?.failedWebhooks).toBeGreaterThan(0);
  expect(counts.plugin?.purges).toBeGreaterThan(PRODUCTS * 5);
});
