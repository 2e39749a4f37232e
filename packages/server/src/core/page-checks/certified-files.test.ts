import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { provenOwner, writeOwner } from '../../platform/database/hostname-owners.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { testSecrets } from '../../platform/secrets/testing.ts';
import { type TestShop, testShop } from '../certificates/testing.ts';
import { certifiedElsewhere } from './certified-files.ts';

const { rows: trusted } = testSecrets();
const PAGE = 'https://copy.example/cup';
const DAY = 86_400_000;
const FIRST = Date.parse('2026-03-03T12:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  await database.query('truncate merchants, hostname_owners cascade');
});

async function prove(host: string, merchant_id: string, rows = trusted): Promise<void> {
  const owner = provenOwner({ hostname: host, merchant_id, method: 'dns_txt' }, new Date(FIRST));
  await writeOwner(database.db, rows, owner, new Date(FIRST + DAY));
}

/** A product of the shop with one image of these bytes, certified on a day; made from another file if `source` is given. */
async function certify(
  { merchantId, addProduct }: TestShop,
  hash: string,
  { day = 0, source = hash, ...changes }: { day?: number; source?: string; seat?: boolean } = {},
): Promise<void> {
  const { imageIds } = await addProduct({ images: 1, ...changes });
  const [image_id = ''] = imageIds;
  const blob_key = `${hash}.jpg`;
  const at = new Date(FIRST + day * DAY);
  const times = { certified_at: at, first_certified_at: at, signed_until: null };
  const row = { image_id, source_uhash: source, blob_key, signed_by_us: source !== hash };
  await database.db
    .updateTable('images')
    .set({ blob_key, source_uhash: source })
    .where('id', '=', image_id)
    .execute();
  await database.db
    .insertInto('image_certifications')
    .values({ ...row, ...times, merchant_id: merchantId })
    .execute();
}

const hashOf = (digit: string) => digit.repeat(64);
const found = (...hashes: readonly string[]) =>
  certifiedElsewhere(hashes, PAGE, { db: database.db, trusted });

it('names each host with the day of its first published certification of the pictures', async () => {
  const shop = await testShop(database);
  await prove('shop.example', shop.merchantId);
  await certify(shop, hashOf('a'), { day: 5 });
  await certify(shop, hashOf('a'), { day: 0, seat: false });
  await certify(shop, hashOf('b'), { day: 7, source: hashOf('c') });
  const [one, ...others] = await found(hashOf('a'), hashOf('c'), hashOf('d'));
  expect(one).toMatch(/^pictures_certified_elsewhere: .*: shop\.example, since 2026-03-08; 2 pictures$/);
  expect(others).toEqual([]);
});

it('finds the shop that publishes a file behind thousands of images of others that publish none', async () => {
  const unproven = await testShop(database, 'unproven.example');
  await certify(unproven, hashOf('a'));
  await database.query(`
    with made as (
      insert into images (merchant_id, id, product_id, position, url, blob_key, source_uhash)
      select i.merchant_id, gen_random_uuid(), i.product_id, n, i.url || n, i.blob_key, i.source_uhash
      from images i, generate_series(1, 5000) n returning id, blob_key, source_uhash)
    insert into image_certifications
      (image_id, source_uhash, blob_key, signed_by_us, certified_at, merchant_id, first_certified_at)
    select id, source_uhash, blob_key, false, now(), '${unproven.merchantId}', now() from made`);
  expect(await found(hashOf('a'))).toEqual([expect.stringMatching(/^pictures_not_certified: /)]);
  const shop = await testShop(database);
  await prove('shop.example', shop.merchantId);
  await certify(shop, hashOf('a'), { day: 100 });
  expect(await found(hashOf('a'))).toEqual([
    expect.stringMatching(/: shop\.example, since 2026-06-11; 1 picture$/),
  ]);
});

it('says nothing of a host whose row the service did not write, nor of one that another merchant has proven', async () => {
  const shop = await testShop(database);
  await certify(shop, hashOf('a'));
  await prove('shop.example', shop.merchantId, testSecrets().rows);
  expect(await found(hashOf('a'))).toEqual([expect.stringMatching(/^pictures_not_certified: /)]);
  const other = randomUUID();
  await database.db.insertInto('merchants').values({ id: other, name: 'Other', plan_capacity: 1 }).execute();
  await prove('shop.example', other);
  expect(await found(hashOf('a'))).toEqual([expect.stringMatching(/^pictures_not_certified: /)]);
});
