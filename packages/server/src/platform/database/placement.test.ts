import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from './testing.ts';

/** Tables that lie in one place, however many databases hold those of merchants, and why. */
const GLOBAL: Readonly<Record<string, string>> = {
  api_keys: 'a caller is known by its key alone, and operators have keys',
  change_slots: 'all nodes hear of the changes of all merchants',
  change_ways: 'of the service itself',
  changes: 'all nodes hear of the changes of all merchants',
  console_sessions: 'a browser is known by its cookie alone',
  control_contests: 'about a hostname, between several merchants',
  directory: 'whose something is that is known by its id alone',
  fetch_leases: 'by address: all merchants share a fetch',
  hostname_owners: 'a hostname has one owner among all merchants',
  idempotency_keys: 'by a keyed hash of the caller',
  image_counts: 'sums of jobs, kept with them',
  image_tokens: 'a token belongs to one image among those of all merchants',
  jobs: 'nodes take the next job of all merchants in turn',
  locks: 'of the service itself',
  nodes: 'of the service itself',
  observations: 'by address: whoever asks for a page shares them',
  page_checks: 'anyone may ask for a page check',
  page_texts: 'by what pages say: kept once for all',
  rate_windows: 'limits and budgets of the whole service',
  schema_migrations: 'of the service itself',
  shopify_shops: 'a shop is connected to one store among those of all merchants',
  signing_keys: 'of the service itself',
};

/** The column by which a table is placed. */
const placing = (table: string) => (table === 'merchants' ? 'id' : 'merchant_id');

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

it('Each table is global for a reason, or lies with its merchant: by its key, its unique indexes and its foreign keys', async () => {
  const rows = await database.query<{ name: string; keys: string[][]; required: string[] }>(`
    select c.relname as name,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and attnotnull) as required,
      coalesce((select json_agg((select json_agg(a.attname order by k.nth)
          from unnest(i.indkey) with ordinality k (num, nth) join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num)
          order by i.indisprimary desc)
        from pg_index i where i.indrelid = c.oid and i.indisunique), '[]') as keys
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`);
  const wrong = rows
    .filter(({ name }) => !(name in GLOBAL))
    .filter(({ name, keys, required }) => {
      const column = placing(name);
      return !required.includes(column) || keys.some(([first]) => first !== column);
    })
    .map(({ name }) => name);
  expect(wrong).toEqual([]);
  const names = rows.map(({ name }) => name);
  expect(Object.keys(GLOBAL).filter((name) => !names.includes(name))).toEqual([]);

  const references = await database.query<{ from: string; to: string; pairs: [string, string][] }>(`
    select c.relname as from, t.relname as to, json_agg(json_build_array(a.attname, b.attname) order by k.nth) as pairs
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
      cross join unnest(f.conkey, f.confkey) with ordinality as k (own, other, nth)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.own
      join pg_attribute b on b.attrelid = t.oid and b.attnum = k.other
    where f.contype = 'f' group by f.oid, c.relname, t.relname order by c.relname, t.relname`);
  const crossing = references
    .filter(({ from, to, pairs }) => {
      if (from in GLOBAL || to in GLOBAL) return !(from in GLOBAL && to in GLOBAL);
      return !pairs.some(([own, other]) => own === placing(from) && other === placing(to));
    })
    .map(({ from, to }) => `${from} -> ${to}`);
  expect(crossing).toEqual([]);
});
