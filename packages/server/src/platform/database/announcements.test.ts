import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Change, changesOf } from '../cache/changes.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

const COUNT = 450;

let database: TestDatabase;
let listener: pg.Client;
let payloads: string[];
const store = randomUUID();
const ids = Array.from({ length: COUNT }, () => randomUUID());

beforeAll(async () => {
  database = await testDatabase();
  const merchant = randomUUID();
  await database.query(`insert into merchants (id, name, plan_capacity) values ($1, 'M', 9)`, [merchant]);
  await database.query(
    `with known as (insert into directory values ($1, $2))
     insert into stores (id, merchant_id, name, url) values ($1, $2, 'S', 'https://s.example')`,
    [store, merchant],
  );
  listener = new pg.Client(database.connection);
  await listener.connect();
  listener.on('notification', ({ payload = '' }) => payloads.push(payload));
  await listener.query('listen touchstone_changed');
});
afterAll(async () => {
  await listener.end();
  await database.close();
});

/** What was announced by the time that the statement was answered. */
async function announced(sql: string, values: unknown[]): Promise<{ changes: Change[]; messages: number }> {
  payloads = [];
  await database.query(sql, values);
  // a session delivers pending notifications before it answers
  await listener.query('select');
  return { changes: payloads.flatMap((payload) => changesOf(payload)).toSorted(), messages: payloads.length };
}

const all = ids.map((id) => `p:${id}`).toSorted();

it.each([
  [
    'insertion of products',
    `insert into products (id, store_id, merchant_id, external_product_id, name, url, host)
     select id, $2, (select merchant_id from stores where id = $2), id, 'P', 'https://s.example/' || id, 's.example'
     from unnest($1::uuid[]) as id`,
  ],
  [
    'insertion of images, two for each product',
    `insert into images (merchant_id, id, product_id, url, position)
     select merchant_id, gen_random_uuid(), id, 'https://s.example/' || n, n from products, generate_series(1, 2) n
     where id = any($1::uuid[]) and $2::uuid is not null`,
  ],
  [
    'update of images',
    `update images set width = 1 where product_id = any($1::uuid[]) and $2::uuid is not null`,
  ],
  ['update of products', `update products set name = 'Q' where id = any($1::uuid[]) and store_id = $2`],
])('the %s in one statement is announced in few messages that name every product once', async (_, sql) => {
  expect(await announced(sql, [ids, store])).toEqual({ changes: all, messages: 3 });
});

it('names a single product in the earlier format, and announces nothing if no row changed', async () => {
  const update = `update products set name = 'R' where id = any($1::uuid[])`;
  await announced(update, [ids.slice(0, 1)]);
  expect(payloads).toEqual([`p:${ids[0]}`]);
  await announced(update, [[]]);
  expect(payloads).toEqual([]);
});

it('announces what is deleted', async () => {
  await database.query('delete from jobs', []);
  expect(await announced('delete from images where product_id = any($1::uuid[])', [ids])).toEqual({
    changes: all,
    messages: 3,
  });
  expect(await announced('delete from products where id = any($1::uuid[])', [ids])).toEqual({
    changes: all,
    messages: 3,
  });
});
