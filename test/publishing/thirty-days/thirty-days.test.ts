import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Jwks } from '@touchstone/certificate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFolder } from '../../kit/folder.ts';
import { createPageJudge } from '../../kit/page-judge.ts';
import { openShopifyShop, type TestShopify } from '../../kit/shopify.ts';
import { createCatalogue } from './catalogue.ts';
import { edgeShop, pluginShop, type Shop, staticShop } from './publishers.ts';
import { shopifyShop } from './shopify-shop.ts';
import { createWithdrawals } from './withdrawals.ts';
import { BASE_URL, HOUR, type Json, openWorld, type World } from './world.ts';

const DAYS = 30;
const STEPS_A_DAY = 4;
const PRODUCTS = 200;
/** In steps of six hours. The service is unavailable for 48 hours, from noon of the twelfth day. */
const OUTAGE = { from: 46, to: 54 };
const REVOCATION = 81;
/** Quarter of the day in which the operator withdraws certificates, while the service is reachable. */
const WITHDRAWAL = 2;
/** Pages of each shop that the service checks in each step; the SDK checks all. */
const CHECKED_BY_SERVICE = 3;

const HOSTS = ['edge.example', 'static.example', 'plugin.example', 'shopify.example'] as const;

let world: World;
const folder = useFolder('thirty-days');
let shopify: TestShopify;
beforeAll(async () => {
  shopify = await openShopifyShop('http://shopify.example');
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, shopify.authority);
  world = await openWorld(HOSTS, { connectTo: `${shopify.shop}=127.0.0.1:${shopify.port}`, caFile });
});
afterAll(async () => {
  await world.close();
  await shopify.close();
});

interface Bad {
  readonly step: number;
  readonly shop: string;
  readonly path: string;
  readonly verdict: string;
}

interface OpenShop {
  readonly shop: Shop;
  readonly storeId: string;
}

/** The results of checking pages on thirty days. */
interface Record30 {
  readonly bad: Bad[];
  readonly verdicts: Map<string, number>;
  /** Pages of visible products without a verified certificate, by step. */
  readonly without: Map<number, string[]>;
  byService: number;
}

const judge = createPageJudge(BASE_URL);

async function verdictOf(shop: Shop, path: string, jwks: Jwks): Promise<string> {
  const html = (await shop.page(path)) ?? '';
  return judge({ url: `http://${shop.catalogue.host}${path}`, html, jwks, now: world.now() });
}

async function checkPages(shops: readonly Shop[], step: number, jwks: Jwks, found: Record30): Promise<void> {
  const without = await Promise.all(shops.map((shop) => checkShop(shop, step, jwks, found)));
  found.without.set(step, without.flat());
}

/** @returns visible products without a verified certificate */
async function checkShop(shop: Shop, step: number, jwks: Jwks, found: Record30): Promise<string[]> {
  const without: string[] = [];
  const items = shop.catalogue.items();
  for (const [index, { path, isVisible }] of items.entries()) {
    const verdict = await verdictOf(shop, path, jwks);
    const key = `${shop.name} ${verdict}`;
    found.verdicts.set(key, (found.verdicts.get(key) ?? 0) + 1);
    if (isVisible && verdict !== 'verified') without.push(`${shop.name} ${path} ${verdict}`);
    if (verdict === 'certificate_expired' || verdict === 'checks_failed')
      found.bad.push({ step, shop: shop.name, path, verdict });
    const isSample = (index + step) % Math.ceil(items.length / CHECKED_BY_SERVICE) === 0;
    if (!world.isUp() || !isSample || !isVisible) continue;
    found.byService += 1;
    const report = await checkByService(`http://${shop.catalogue.host}${path}`);
    // one check may have triggered the renewal that the other sees
    if (shop.name !== 'edge') expect([path, report]).toEqual([path, verdict]);
  }
  return without;
}

async function checkByService(url: string): Promise<unknown> {
  const response = await world.fetch(`${BASE_URL}/api/v1/mc4p/page-checks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  });
  return ((await response.json()) as Json).verdict;
}

/** Just before, every page was visited. */
async function revokeSigningKey(shops: readonly Shop[]): Promise<void> {
  for (const shop of shops) for (const { path } of shop.catalogue.items()) await shop.page(path);
  const { keys } = (await world.operate('GET', '/signing-keys')) as {
    keys: { kid: string; state: string; purpose: string }[];
  };
  const active = keys.find(({ state, purpose }) => state === 'active' && purpose === 'proofs');
  await world.operate('POST', `/signing-keys/${active?.kid}/revoke`);
}

/** The published keys; the same object while they are unchanged. */
async function presentKeys(before: Jwks): Promise<Jwks> {
  const published = await (await world.fetch(`${BASE_URL}/api/v1/.well-known/jwks.json`)).json();
  return JSON.stringify(published) === JSON.stringify(before) ? before : (published as Jwks);
}

/** @param day - whose first quarter this is; `null`: another quarter */
async function sixHours({ shop, storeId }: OpenShop, day: number | null): Promise<void> {
  if (day !== null) {
    if (day > 0) shop.catalogue.work(day);
    await shop.build();
  }
  await shop.catalogue.send(storeId);
  await shop.run(storeId);
}

it(`${DAYS} days of four shops: no page ever expired or failed, except while a revoked key is replaced, or had a withdrawn certificate for longer than its publisher states`, async () => {
  const catalogueOf = (host: (typeof HOSTS)[number]) => createCatalogue(world, host, PRODUCTS);
  const shops = [
    edgeShop(world, catalogueOf('edge.example')),
    staticShop(world, catalogueOf('static.example'), folder),
    pluginShop(world, catalogueOf('plugin.example')),
    shopifyShop(world, catalogueOf('shopify.example'), shopify),
  ];
  const stores: OpenShop[] = [];
  for (const shop of shops) {
    const { storeId } = await world.open(shop.catalogue.host, (path) => shop.page(path));
    stores.push({ shop, storeId });
  }
  const found: Record30 = { bad: [], verdicts: new Map(), without: new Map(), byService: 0 };
  let jwks: Jwks = { keys: [] };
  const withdrawals = createWithdrawals(world);

  for (let step = 0; step < DAYS * STEPS_A_DAY; step += 1) {
    if (step === OUTAGE.from) await world.stop();
    if (step === OUTAGE.to) await world.start();
    const day = step % STEPS_A_DAY === 0 ? step / STEPS_A_DAY : null;
    await withdrawals.visit();
    if (step % STEPS_A_DAY === WITHDRAWAL && world.isUp()) await withdrawals.restore();
    await Promise.all(stores.map((store) => sixHours(store, day)));
    // directly after the shops have run, so that the next run is furthest away
    if (step === REVOCATION) await revokeSigningKey(shops);
    if (world.isUp()) jwks = await presentKeys(jwks);
    await checkPages(shops, step, jwks, found);
    const isQuiet = step >= (DAYS - 1) * STEPS_A_DAY || !world.isUp();
    if (step % (2 * STEPS_A_DAY) === WITHDRAWAL && !isQuiet) await withdrawals.withdraw(stores, step);
    else withdrawals.pass(6 * HOUR);
  }

  expect(found.bad.filter(({ step }) => step !== REVOCATION)).toEqual([]);
  expect(withdrawals.late).toEqual([]);
  expect(withdrawals.count()).toBeGreaterThan(DAYS * shops.length);
  // every publisher was seen with one, so that an interval of none would have been noticed
  const longestSeen = Object.fromEntries(withdrawals.longest);
  // the revocation had an effect: every page had a certificate of that key, and now has another one
  for (const { name, catalogue } of shops) {
    const felt = found.bad.filter(({ step, shop }) => step === REVOCATION && shop === name);
    const visible = catalogue.items().filter(({ isVisible }) => isVisible);
    expect(felt.length).toBeGreaterThan(visible.length * 0.9);
  }
  const counts = Object.fromEntries(shops.map((shop) => [shop.name, shop.counts()]));
  process.stdout.write(
    `${JSON.stringify({
      verdicts: Object.fromEntries(found.verdicts),
      counts,
      byService: found.byService,
      withdrawals: { certificates: withdrawals.count(), longestSeenMinutes: longestSeen },
    })}\n`,
  );
  expect(found.without.get(DAYS * STEPS_A_DAY - 1)).toEqual([]);
  expect(counts.static?.failedPulls).toBe(OUTAGE.to - OUTAGE.from);
  expect(counts.shopify?.failedWebhooks).toBeGreaterThan(0);
  expect(counts.plugin?.purges).toBeGreaterThan(PRODUCTS * 5);
});
