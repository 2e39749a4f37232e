import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emitterOf } from '../../parts.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { testSecrets } from '../../platform/secrets/testing.ts';
import { changeImage, changeProducts, type TestShop, testShop } from '../certificates/testing.ts';
import type { ChangedImage } from '../registry/events.ts';
import { CHANGED_IMAGE } from '../registry/products/product-table.ts';
import { countScans, imageProgress } from './scan-progress.ts';

const emit = emitterOf({ without: [] });

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());

const registry = () => ({
  db: database.db,
  clock: () => new Date(),
  secrets: testSecrets(),
  onChange: () => {},
  emit,
});
const progress = (shop: TestShop) => imageProgress(registry(), 'all', shop.storeId);

/** What the counts must be, read from every image. */
async function fullCount(shop: TestShop) {
  const [row] = await database.query(
    `select count(*)::int as total,
       count(*) filter (where j.result = 'done')::int as done,
       count(*) filter (where j.result = 'failed')::int as failed,
       count(*) filter (where j.result is null)::int as waiting,
       count(*) filter (where i.credentials->>'hasC2PA' = 'true'
         and not (i.signed_by_us and left(i.blob_key, 64) <> i.source_uhash))::int as certified,
       count(*) filter (where i.signed_by_us)::int as "signedByUs",
       count(*) filter (where i.signed_by_us and left(i.blob_key, 64) <> i.source_uhash)::int as "notServed",
       count(*) filter (where i.media_type not like 'image/%')::int as "noImage",
       count(*) filter (where j.failure is not null and j.result is distinct from 'failed')::int as retrying
     from jobs j join images i on i.id = j.subject join products p on p.id = i.product_id
     where j.queue = 'image-scans' and p.store_id = $1 and i.removed_at is null and p.deleted_at is null`,
    [shop.storeId],
  );
  return row;
}

const HASH = 'a'.repeat(64);
/** Selects the n-th image or product of the store, modulo their number. */
const nth = (table: string, which: string) =>
  `select id from (select ${table}.id, row_number() over (order by ${table}.id) - 1 as n, count(*) over () as of
     from ${which}) known where n = $2::int % of`;
const image = nth('images', 'images join products p on p.id = images.product_id where p.store_id = $1');
const product = nth('products', 'products where store_id = $1');

type Step = (shop: TestShop, which: number) => Promise<unknown>;

const plain =
  (statement: string): Step =>
  (shop, which) =>
    database.query(statement, [shop.storeId, which]);
const job = (set: string) =>
  plain(`update jobs set ${set} where queue = 'image-scans' and subject in (${image})`);
const idsOf = async (query: string, shop: TestShop, which: number) =>
  (await database.query<{ id: string }>(query, [shop.storeId, which])).map(({ id }) => id);
/** As the registry writes images. */
const writeImages =
  (statement: (id: string, which: number) => RawBuilder<unknown>, of = image): Step =>
  async ({ merchantId, storeId, ...shop }, which) => {
    const [id = ''] = await idsOf(of, { merchantId, storeId, ...shop }, which);
    await inTransaction(database.db, async (trx) => {
      const { rows } = await sql<ChangedImage>`${statement(id, which)} returning ${CHANGED_IMAGE}`.execute(
        trx,
      );
      await emit(trx, 'imagesChanged', { merchantId, storeId, images: rows });
    });
  };
const writeProducts =
  (set: string, of = product): Step =>
  async (shop, which) =>
    changeProducts(database, await idsOf(of, shop, which), set);
const scan =
  (values: Parameters<typeof changeImage>[2]): Step =>
  async (shop, which) => {
    for (const id of await idsOf(image, shop, which)) await changeImage(database, id, values);
  };
const ALL = 'select id from products where store_id = $1 and $2::int >= 0';
const CERTIFIED = { media_type: 'image/png', credentials: '{"hasC2PA": true}', source_uhash: HASH };

/** Changes that requests, scans and the passing of time make. */
const CHANGES: Readonly<Record<string, Step>> = {
  'image removed': writeImages((id) => sql`update images i set removed_at = now() where id = ${id}`),
  'image back': writeImages((id) => sql`update images i set removed_at = null where id = ${id}`),
  'product deleted': writeProducts('deleted_at = now()'),
  'product back': writeProducts('deleted_at = null'),
  'all deleted': writeProducts('deleted_at = now()', ALL),
  'all back': writeProducts('deleted_at = null', ALL),
  claimed: job(`state = 'running', lease = gen_random_uuid(), leased_until = now(), attempts = attempts + 1`),
  done: job(`state = 'idle', due_at = null, lease = null, leased_until = null, result = 'done', failure = null,
    finished_at = now()`),
  failed: job(`state = 'scheduled', due_at = now(), lease = null, leased_until = null, result = 'failed',
    failure = '{"code": "image_x"}', finished_at = now()`),
  'put off': job(`state = 'scheduled', due_at = now(), lease = null, leased_until = null,
    failure = '{"code": "image_x", "since": "2026-01-01T00:00:00Z"}'`),
  ordered:
    job(`state = case when state = 'running' then state else 'ready' end, due_at = now(), result = null,
    failure = null, orders = orders + 1`),
  certified: scan(CERTIFIED),
  signed: scan({ ...CERTIFIED, signed_by_us: true, blob_key: 'b' }),
  'no image': scan({ media_type: 'text/html', credentials: null, signed_by_us: false, blob_key: null }),
  'given up': scan({ given_up: true }),
  'an image more': writeImages(
    (id) => sql`insert into images as i (merchant_id, id, product_id, url, position)
      select merchant_id, gen_random_uuid(), id, gen_random_uuid()::text, 0
      from products where id = ${id} and deleted_at is null`,
    product,
  ),
  'seconds later': plain(
    `update image_counts set at = at - interval '4 seconds' where store_id = $1 and $2::int >= 0`,
  ),
  'a minute later': plain(
    `update image_counts set at = at - interval '61 seconds' where store_id = $1 and $2::int >= 0`,
  ),
  'added up': plain(`select fold_image_counts() where $1::uuid is not null and $2::int >= 0`),
};

it('counts equal those of reading every image, whatever happened to them in any order', async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(CHANGES)), fc.nat(7));
  let shops = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      shops += 1;
      const shop = await testShop(database, `shop-${shops}.example`);
      for (const images of [3, 1, 2]) await shop.addProduct({ images });
      for (const [name, which] of steps) {
        await CHANGES[name]?.(shop, which);
      }
      expect(await progress(shop)).toMatchObject((await fullCount(shop)) ?? {});
    }),
    { numRuns: 60 },
  );
});

it('counts exclude what was rolled back, and lose nothing when a node is killed while it sums up', async () => {
  const shop = await testShop(database, 'killed.example');
  await shop.addProduct({ images: 5 });
  const before = await progress(shop);
  expect(before).toMatchObject({ total: 5, waiting: 5 });
  await database.query(`update image_counts set at = at - interval '90 seconds' where at > '-infinity'`);
  const node = await database.open({ max: 1 }).pool.connect();
  node.on('error', () => {});
  await node.query('begin');
  await node.query('select fold_image_counts()');
  await node.query(`update jobs set result = 'done', finished_at = now() where owner = $1`, [shop.storeId]);
  // not visible to others before the commit, and other nodes do not wait for it
  expect(await progress(shop)).toEqual(before);
  expect(await database.query('select fold_image_counts() as folded')).toEqual([{ folded: false }]);
  const { rows } = await node.query('select pg_backend_pid() as pid');
  await database.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await expect(node.query('commit')).rejects.toThrow();
  node.release(true);
  expect(await progress(shop)).toEqual(before);
  expect(await fullCount(shop)).toMatchObject({ total: 5, waiting: 5 });
});

it('counts have one row per store if nothing has changed for a minute', async () => {
  const shop = await testShop(database, 'still.example');
  for (let count = 0; count < 5; count += 1) await shop.addProduct({ images: 2 });
  const rows = async () => {
    const [row] = await database.query('select count(*)::int as rows from image_counts where store_id = $1', [
      shop.storeId,
    ]);
    return row?.rows;
  };
  const later = (seconds: number) =>
    database.query(`update image_counts set at = at - make_interval(secs => $1) where store_id = $2`, [
      seconds,
      shop.storeId,
    ]);
  expect(await rows()).toBe(5);
  await later(90);
  await database.query('select fold_image_counts()');
  expect(await rows()).toBe(1);
  await shop.addProduct({ images: 2 });
  await later(90);
  await database.query('select fold_image_counts()');
  expect(await rows()).toBe(1);
  expect(await progress(shop)).toMatchObject({ total: 12, waiting: 12 });
});

it('counts include the scans finished per second, over the last minute', async () => {
  const shop = await testShop(database, 'rate.example');
  await shop.addProduct({ images: 6 });
  await database.query(`update jobs set result = 'done', finished_at = now() where owner = $1`, [
    shop.storeId,
  ]);
  expect(await progress(shop)).toMatchObject({ done: 6, perSecond: 0.1 });
  await database.query(`update image_counts set at = at - interval '30 seconds' where store_id = $1`, [
    shop.storeId,
  ]);
  await database.query('select fold_image_counts()');
  expect(await progress(shop)).toMatchObject({ done: 6, perSecond: 0.1 });
  await database.query(`update image_counts set at = at - interval '40 seconds' where store_id = $1`, [
    shop.storeId,
  ]);
  expect(await progress(shop)).toMatchObject({ done: 6, perSecond: 0 });
});

it('counts exclude a store that is being deleted', async () => {
  const shop = await testShop(database, 'deleted.example');
  await shop.addProduct({ images: 4 });
  const before = await countScans(database.db);
  await database.query('update stores set deleted_at = now() where id = $1', [shop.storeId]);
  expect(await countScans(database.db)).toMatchObject({ waiting: before.waiting - 4 });
});
