import { afterAll, beforeAll, expect, it } from 'vitest';
import { GLOBAL_TABLES, placingColumn } from './placement.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

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
    .filter(({ name }) => !(name in GLOBAL_TABLES))
    .filter(({ name, keys, required }) => {
      const column = placingColumn(name);
      return !required.includes(column) || keys.some(([first]) => first !== column);
    })
    .map(({ name }) => name);
  expect(wrong).toEqual([]);
  const names = rows.map(({ name }) => name);
  expect(Object.keys(GLOBAL_TABLES).filter((name) => !names.includes(name))).toEqual([]);

  const references = await database.query<{ from: string; to: string; pairs: [string, string][] }>(`
    select c.relname as from, t.relname as to, json_agg(json_build_array(a.attname, b.attname) order by k.nth) as pairs
    from pg_constraint f join pg_class c on c.oid = f.conrelid join pg_class t on t.oid = f.confrelid
      cross join unnest(f.conkey, f.confkey) with ordinality as k (own, other, nth)
      join pg_attribute a on a.attrelid = c.oid and a.attnum = k.own
      join pg_attribute b on b.attrelid = t.oid and b.attnum = k.other
    where f.contype = 'f' group by f.oid, c.relname, t.relname order by c.relname, t.relname`);
  const crossing = references
    .filter(({ from, to, pairs }) => {
      if (from in GLOBAL_TABLES || to in GLOBAL_TABLES)
        return !(from in GLOBAL_TABLES && to in GLOBAL_TABLES);
      return !pairs.some(([own, other]) => own === placingColumn(from) && other === placingColumn(to));
    })
    .map(({ from, to }) => `${from} -> ${to}`);
  expect(crossing).toEqual([]);
});
