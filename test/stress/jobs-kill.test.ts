import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Receiver, testReceiver } from '../../packages/server/src/parts/webhooks/testing.ts';
import { queryStopped } from '../kit/database.ts';
import { useFolder } from '../kit/folder.ts';
import { seeded } from '../kit/random.ts';
import { openStore, operate, putProducts } from '../kit/registry.ts';
import { type ServeProcess, spawnServe, untilReady } from '../kit/serve-process.ts';
import { freePort } from '../kit/servers.ts';
import { openShop, type Shop } from '../kit/shop.ts';
import { openShopifyShop, type TestShopify } from '../kit/shopify.ts';

/** Long form: 100 (CONTRIBUTING.md). */
const ROUNDS = Number(process.env.TOUCHSTONE_JOB_KILL_ROUNDS ?? 4);
const SEED = Number(process.env.TOUCHSTONE_STRESS_SEED ?? Math.floor(Math.random() * 1e9));
/** Maximum milliseconds from the start of a round's work to its kill. */
const CALM = 2_500;
/** Timeout of a start in milliseconds, on a busy machine. */
const READY = 300_000;
const FEED = 'http://feed.example';
const STOREFRONT = 'http://kettles.example';
const PER_PAGE = 4;
const KETTLES = 60;

type Json = Record<string, unknown>;

const random = seeded(SEED);
const folder = useFolder('jobs-kill');
let shop: Shop;
let shopify: TestShopify;
let receiver: Receiver;
let port: number;
let service: ServeProcess;
let merchantId = '';
const stores: Record<'feed' | 'kettles' | 'told', string> = { feed: '', kettles: '', told: '' };

beforeAll(async () => {
  [shop, shopify, receiver] = await Promise.all([openShop(), openShopifyShop(STOREFRONT), testReceiver()]);
  await writeFile(join(folder, 'ca.pem'), shopify.authority);
  port = await freePort();
  service = serve();
  await untilReady(service, READY);
  stores.feed = await addStore(FEED);
  stores.kettles = await addStore(STOREFRONT);
  stores.told = await addStore('http://told.example');
  const events = ['product.state_changed'];
  await call('POST', '/webhooks', { merchantId, url: 'http://hooks.example/', events });
}, READY);

afterAll(async () => {
  await service?.stop();
  await Promise.all([shop?.close(), shopify?.close(), receiver?.close()]);
});

function serve(): ServeProcess {
  const at = { feed: shop.port, kettles: shop.port, told: shop.port, hooks: receiver.port };
  const hosts = Object.entries(at).map(([name, to]) => `${name}.example=127.0.0.1:${to}`);
  return spawnServe({
    port,
    dataDir: folder,
    env: {
      TOUCHSTONE_FETCH_CONNECT_TO: [...hosts, `${shopify.shop}=127.0.0.1:${shopify.port}`].join(','),
      TOUCHSTONE_FETCH_CA_FILE: join(folder, 'ca.pem'),
      TOUCHSTONE_IMPORT_INTERVAL_MS: '40',
      TOUCHSTONE_WEBHOOK_HTTP: 'true',
      TOUCHSTONE_SWEEPS: 'false',
    },
  });
}

const call = (method: string, path: string, body?: unknown) => operate(service, method, path, body);

/** Of the same merchant. */
async function addStore(url: string): Promise<string> {
  const store = await openStore(service, url, { ...(merchantId && { merchantId }) });
  ({ merchantId } = store);
  return store.id;
}

/** All items of a paginated list. */
async function all(path: string, name: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor = ''; ; ) {
    const page = await call('GET', `${path}?limit=500${cursor}`);
    items.push(...(page[name] as Json[]));
    if (page.nextCursor === undefined) return items;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

// ── a source that is read on a schedule

/** The shop's products: more in each round, without the oldest. */
let offered: number[] = [];
let everOffered = 0;
/** Number of products in the shop while an import read it. */
const sizes = new Map<string, number>();

function offer(): void {
  offered = offered.slice(2);
  for (let nth = 0; nth < 22; nth += 1) offered.push(++everOffered);
  const products = offered.map((id) => ({ id, title: `Cup ${id}`, handle: `cup-${id}`, images: [] }));
  const pages = Math.ceil(products.length / PER_PAGE) + 1;
  for (let page = 1; page <= pages; page += 1) {
    const some = products.slice((page - 1) * PER_PAGE, page * PER_PAGE);
    shop.put(`${FEED}/products.json?limit=250&page=${page}`, (_, response) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ products: some })),
    );
  }
}

const imports = () => all(`/stores/${stores.feed}/imports`, 'imports');

/** Makes the scheduled reading due; the shop changes only between two readings. */
async function readSource(): Promise<void> {
  const [last] = await imports();
  if (last !== undefined && last.finishedAt === undefined) return;
  offer();
  await call('PUT', `/stores/${stores.feed}/source`, { url: FEED, everyHours: 24, prune: 'always' });
  const [made] = await imports();
  sizes.set(String(made?.id), offered.length);
}

async function sourceFaults(): Promise<string[]> {
  const done = await imports();
  const faults = done.flatMap((one) => {
    const size = sizes.get(String(one.id));
    const isWhole = one.state === 'done' && one.done === size && one.failed === 0;
    return isWhole ? [] : [`of ${size} products: ${JSON.stringify(one)}`];
  });
  const created = done.reduce((sum, one) => sum + Number(one.created), 0);
  if (created > everOffered) faults.push(`${created} created of ${everOffered}`);
  const products = await all(`/stores/${stores.feed}/products`, 'products');
  const ids = products.map(({ externalProductId }) => Number(externalProductId)).toSorted((a, b) => a - b);
  expect(ids).toEqual(offered);
  return faults;
}

// ── events that are delivered

let toggled: readonly string[] = [];
/** Acknowledged changes of state. */
let changes = 0;

async function hideAndShow(round: number): Promise<void> {
  const rows = ['a', 'b', 'c'].map((name) => ({
    externalProductId: name,
    name,
    url: `http://told.example/${name}`,
    visible: round % 2 === 0,
  }));
  toggled = await putProducts(service, stores.told, rows);
  changes += 1;
}

const deliveries = async () => {
  const { webhooks } = (await call('GET', '/webhooks')) as { webhooks: { id: string }[] };
  return all(`/webhooks/${webhooks[0]?.id}/deliveries`, 'deliveries');
};

async function webhookFaults(): Promise<string[]> {
  const log = await deliveries();
  const logged = new Map(log.map((one) => [String(one.eventId), one]));
  const received = receiver.received.map(({ headers, body }) => ({
    id: String(headers['webhook-id']),
    body,
  }));
  const times = Map.groupBy(received, ({ id }) => id);
  const faults = log.flatMap(({ eventId, state, attempts }) => {
    const seen = times.get(String(eventId))?.length ?? 0;
    // a delivery killed before its result was recorded is not counted, and is repeated
    return state === 'delivered' && seen >= Number(attempts) && seen > 0
      ? []
      : [`${eventId}: ${state}, ${attempts} attempts in the log, ${seen} received`];
  });
  for (const [id, some] of times) {
    if (!logged.has(id)) faults.push(`${id} was sent and is not in the log`);
    if (new Set(some.map(({ body }) => body)).size > 1) faults.push(`${id} was sent with two bodies`);
  }
  // at least one event was delivered for each state of the products, and the last ones match their state
  const told = received.flatMap(({ body }) => {
    const { data } = JSON.parse(body) as { data: { products: { productId: string }[] } };
    return data.products.map(({ productId }) => productId);
  });
  for (const id of toggled) if (!told.includes(id)) faults.push(`nothing was told of ${id}`);
  return faults;
}

// ── certificates that are written into metafields

/** Changes all products of the shop while their certificates are written. */
async function changeKettles(round: number): Promise<void> {
  // alternately read by a bulk operation, as a large shop, and by pages
  shopify.counted = round % 2 === 0 ? 30_000 : null;
  if (round === 0) {
    for (let nth = 0; nth < KETTLES; nth += 1) shopify.add();
    const body = { shop: shopify.shop, accessToken: shopify.token, clientSecret: shopify.secret };
    await call('PUT', `/stores/${stores.kettles}/shopify`, body);
    return;
  }
  for (const product of shopify.products.values())
    product.variants = [{ sku: `K-${product.id}-${round}`, barcode: null }];
  await call('POST', `/stores/${stores.kettles}/shopify/read`);
}

const connection = () => call('GET', `/stores/${stores.kettles}/shopify`);

async function shopifyFaults(): Promise<string[]> {
  const faults: string[] = [];
  const ids = new Set<unknown>();
  for (const product of shopify.products.values()) {
    const written = shopify.certificateOf(product) ?? {};
    ids.add(written.productID);
    const served = await fetch(`${service.url}/api/v1/mc4p/products/${written.productID}/certificate`);
    const isServed = JSON.stringify(await served.json()) === JSON.stringify(written);
    const sku = product.variants[0]?.sku ?? '';
    if (!isServed || !JSON.stringify(written).includes(`"${sku}"`))
      faults.push(`${product.id}: ${isServed ? `without ${sku}` : 'not as it is served'}`);
  }
  if (ids.size !== KETTLES) faults.push(`${ids.size} products for ${KETTLES}`);
  // one subscription per topic, however often the connection was started
  const topics = shopify.subscriptions.map(({ topic }) => topic);
  if (new Set(topics).size !== topics.length) faults.push(`subscribed to ${topics}`);
  return faults;
}

it(
  `finishes what it began, loses nothing and does nothing twice over ${ROUNDS} kills (TOUCHSTONE_STRESS_SEED=${SEED})`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all([readSource(), hideAndShow(round), changeKettles(round)]);
      await delay(random.integer(CALM));
      service.kill('SIGKILL');
      await service.ended;
      service = serve();
      await untilReady(service, READY);
    }
    const openEnds = async () => [
      (await imports()).filter(({ finishedAt }) => finishedAt === undefined).length,
      (await deliveries()).filter(({ state }) => state === 'pending').length,
      (await connection()).state,
    ];
    await expect.poll(openEnds, { timeout: 120_000, interval: 250 }).toEqual([0, 0, 'current']);
    console.info(
      `${ROUNDS} kills, seed ${SEED}: ${sizes.size} imports, ${changes} changes told by ${receiver.received.length} requests, ` +
        `${shopify.asked.filter((name) => name === 'Set').length} writes of metafields`,
    );
    expect(await sourceFaults()).toEqual([]);
    expect(await webhookFaults()).toEqual([]);
    expect(await connection()).toMatchObject({ products: KETTLES, published: KETTLES, failed: 0 });
    expect(await shopifyFaults()).toEqual([]);
    service.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(await leftBehind()).toEqual({ seen: 0, twice: 0 });
  },
  READY + ROUNDS * 60_000,
);

/** Leftover data of finished imports, and products with two proofs for one state. */
async function leftBehind(): Promise<Json | undefined> {
  const [counts] = await queryStopped<Json>(
    folder,
    `select (select count(*)::int from import_products) as seen,
      (select count(*)::int from (
        select from proofs where kind = 'product' group by subject_id, snapshot_hash having count(*) > 1) p) as twice`,
  );
  return counts;
}
