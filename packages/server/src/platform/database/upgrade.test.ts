import { randomUUID } from 'node:crypto';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { migrate } from './migrate.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

let database: TestDatabase;
const folder = useFolder('release-before');
const images = new Map<string, string>();

/** Adds an image in the format of the previous release. */
async function image(name: string, look: string, url = `https://CDN.example:8443/${name}.jpg?v=1`) {
  const id = randomUUID();
  images.set(name, id);
  const gone = name === 'removed' ? 'now()' : 'null';
  const product = name === 'of a deleted product' ? 'gone' : 'cup';
  await database.query(
    `insert into images (id, product_id, url, position, removed_at)
     select $1, id, $2, 0, ${gone} from products where external_product_id = $3`,
    [id, url, product],
  );
  await database.query(`update image_looks set ${look} where image_id = $1`, [id]);
}

async function jobOf(name: string) {
  const [job] = await database.query(
    `select state, orders, attempts, interrupted, result, failure->>'code' as code, resource, etag,
       round(extract(epoch from due_at - now()) / 60)::int as minutes,
       owner = p.store_id as owned
     from jobs join images i on i.id = subject join products p on p.id = i.product_id
     where queue = 'image-scans' and subject = $1`,
    [images.get(name)],
  );
  return job;
}

// a database of the release before, with an order in each state that it knew
beforeAll(async () => {
  database = await testDatabase();
  await database.query('drop schema public cascade');
  await database.query('create schema public');
  const all = join(import.meta.dirname, 'migrations');
  for (const name of (await readdir(all)).filter((file) => file < '0006')) {
    await cp(join(all, name), join(folder, name));
  }
  await migrate(database.connection, folder);
  const [merchant, store] = [randomUUID(), randomUUID()];
  await database.query(`insert into merchants (id, name, plan_capacity) values ($1, 'M', 9)`, [merchant]);
  await database.query(
    `insert into stores (id, merchant_id, name, url) values ($1, $2, 'S', 'https://s.example')`,
    [store, merchant],
  );
  for (const [name, deleted] of [
    ['cup', null],
    ['gone', new Date()],
  ]) {
    await database.query(
      `insert into products (id, store_id, merchant_id, external_product_id, name, url, host, deleted_at)
       values (gen_random_uuid(), $1, $2, $3, 'P', 'https://s.example/p', 's.example', $4)`,
      [store, merchant, name, deleted],
    );
  }
  await image('new', `orders = 2`);
  await image('with a job', `job_id = gen_random_uuid(), interrupted = 3`);
  await image('postponed', `due_at = now() + interval '10 minutes', trouble = '{"code": "image_x"}'`);
  await image('settled', `state = 'settled', due_at = now() + interval '1 hour', etag = '"1"'`);
  await image('overdue', `state = 'settled', due_at = now() - interval '1 hour'`);
  await image('ordered while looked at', `state = 'settled', job_id = gen_random_uuid(), orders = 3`);
  await image('failed', `state = 'failed', due_at = null, trouble = '{"code": "image_y"}'`);
  await image('removed', `due_at = now()`);
  await image('of a deleted product', `due_at = now()`);
  await image('odd', `due_at = now()`, 'HTTP://[2001:DB8::1]/x');
  // left over from pg-boss; must not disturb the migration
  await database.query('create schema touchstone_jobs');
  await database.query('create table touchstone_jobs.job (id uuid)');
});
afterAll(async () => {
  await database?.close();
});

describe('a database of the previous release', () => {
  it('is upgraded with everything recorded about images', async () => {
    const announced: string[] = [];
    expect((await migrate(database.connection)).applied).toContain('0006-jobs.sql');
    expect(announced).toEqual([]);
    const same = { orders: 1, attempts: 0, interrupted: 0, result: null, code: null, owned: true };
    const onCdn = { ...same, resource: 'cdn.example', etag: null };
    expect(await jobOf('new')).toEqual({ ...onCdn, state: 'ready', minutes: 0, orders: 2 });
    expect(await jobOf('with a job')).toEqual({ ...onCdn, state: 'ready', minutes: 0, interrupted: 3 });
    expect(await jobOf('postponed')).toEqual({ ...onCdn, state: 'scheduled', minutes: 10, code: 'image_x' });
    expect(await jobOf('settled')).toEqual({
      ...onCdn,
      state: 'scheduled',
      minutes: 60,
      result: 'done',
      etag: '"1"',
    });
    expect(await jobOf('overdue')).toEqual({ ...onCdn, state: 'ready', minutes: -60, result: 'done' });
    expect(await jobOf('ordered while looked at')).toEqual({
      ...onCdn,
      state: 'ready',
      minutes: 0,
      orders: 3,
      result: 'done',
    });
    expect(await jobOf('failed')).toEqual({
      ...onCdn,
      state: 'idle',
      minutes: null,
      result: 'failed',
      code: 'image_y',
    });
    for (const name of ['removed', 'of a deleted product']) {
      expect(await jobOf(name)).toEqual({ ...onCdn, state: 'idle', minutes: null });
    }
    expect(await jobOf('odd')).toMatchObject({ state: 'ready', resource: '[2001:db8::1]' });
    expect(await database.query("select to_regnamespace('touchstone_jobs') as found")).toEqual([
      { found: null },
    ]);
  });

  it('has its images counted, and continues to count', async () => {
    const counts = async () => {
      const [row] = await database.query(
        `select sum(total)::int as total, sum(done)::int as done, sum(failed)::int as failed, sum(waiting)::int as waiting,
           sum(retrying)::int as retrying from image_counts`,
      );
      return row;
    };
    const before = { total: 8, done: 3, failed: 1, waiting: 4, retrying: 1 };
    expect(await counts()).toEqual(before);
    const states = await database.query(
      "select distinct live, image_state from jobs where queue = 'image-scans' order by live",
    );
    expect(states).toEqual([
      { live: false, image_state: 'waiting' },
      { live: true, image_state: 'failed' },
      { live: true, image_state: 'waiting' },
    ]);
    await database.query(`update jobs set result = 'done', failure = null where subject = $1`, [
      images.get('failed'),
    ]);
    expect(await counts()).toEqual({ ...before, done: 4, failed: 0 });
    await database.query(`update jobs set result = 'failed', failure = '{}' where subject = $1`, [
      images.get('failed'),
    ]);
    expect(await counts()).toEqual(before);
  });

  it('schedules images from then on as they are added, removed and restored', async () => {
    await image('later', 'due_at = now()').catch(() => {});
    expect(await jobOf('later')).toMatchObject({ state: 'ready', orders: 1 });
    const set = (table: string, change: string, id: unknown) =>
      database.query(`update ${table} set ${change} where id = $1`, [id]);
    const id = images.get('later');
    await set('images', 'removed_at = now()', id);
    expect(await jobOf('later')).toMatchObject({ state: 'idle', minutes: null, orders: 1 });
    await set('images', 'removed_at = null', id);
    expect(await jobOf('later')).toMatchObject({ state: 'ready', minutes: 0, orders: 2 });
    const [cup] = await database.query("select id from products where external_product_id = 'cup'");
    await set('products', 'deleted_at = now()', cup?.id);
    expect(await jobOf('later')).toMatchObject({ state: 'idle' });
    await set('products', 'deleted_at = null', cup?.id);
    expect(await jobOf('later')).toMatchObject({ state: 'ready', orders: 3 });
    // an image that had left its product before does not come back with it
    expect(await jobOf('removed')).toMatchObject({ state: 'idle' });
  });
});
