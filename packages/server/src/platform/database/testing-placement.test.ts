import { expect, it } from 'vitest';
import { placementFaults } from './testing-placement.ts';

const TABLES = new Set(['merchants', 'stores', 'products']);
const faultsOf = (statement: string) => placementFaults(statement, TABLES);

it.each([
  'select * from products p where p.merchant_id = $1 and p.id = $2',
  'select * from "products" where "merchant_id" = $1',
  'select * from merchants m join stores s on s.merchant_id = m.id where m.id = $1',
  'with p as (select id from products where merchant_id = $1) select s.id from p join stores s on s.merchant_id = $1',
  'insert into products (merchant_id, id, updated_at) values ($1, $2, now())',
  'update products set updated_at = now() where merchant_id = $1',
  'select * from merchants where id = $1 for update',
  'with j as materialized (select state from jobs) select j.state, (select count(*) from products where merchant_id = $1) from stores s cross join j where s.merchant_id = $1',
  'with p as materialized (select * from products where merchant_id = $1) select (select name from merchants m where m.id = s.merchant_id) from p join stores s on s.merchant_id = p.merchant_id',
  "select 'from products' from jobs",
])('takes %s', (statement) => {
  expect(faultsOf(statement)).toEqual([]);
});

it.each([
  ['select * from products where id = $1', 'products without its merchant_id'],
  [
    'select * from products p where p.merchant_id = $1 and exists (select from stores where id = p.store_id)',
    'stores',
  ],
  ['select s.merchant_id from stores s join products p on p.store_id = s.id', 'products without'],
  ['select * from merchants where name = $1', 'merchants without its id'],
  ['insert into products (merchant_id, id) values ($1, gen_random_uuid())', 'gen_random_uuid'],
  ['update products set updated_at = clock_timestamp() where merchant_id = $1', 'clock_timestamp'],
  [
    'update products set deleted_at = case when visible then now() end where merchant_id = $1',
    'the clock in a condition',
  ],
  [
    'insert into products (merchant_id, id) values ($1, $2) on conflict (merchant_id, id) do update set updated_at = now()',
    'at a conflict',
  ],
  [
    'select * from merchants where id = (select merchant_id from directory where id = $1) for update',
    'a lock of merchants',
  ],
  [
    'with p as materialized (select * from products where merchant_id = $1) select (select name from merchants m where m.id = p.merchant_id) from p join stores s on s.merchant_id = p.merchant_id',
    'm.id and s.merchant_id are joined through a CTE alone',
  ],
  [
    'select (select name from stores s where s.merchant_id = p.merchant_id) from unnest($1) as wanted (id) cross join lateral (select * from products where merchant_id = $2 and id = wanted.id offset 0) p',
    's.merchant_id equals a column of a subquery with a limit',
  ],
  [
    'update products set updated_at = $1::timestamptz + make_interval(hours => hours) where merchant_id = $2',
    'an interval of a column',
  ],
  [
    'with recursive m as (select merchant_id from products where merchant_id = $1 union all select p.merchant_id from m join products p on p.merchant_id > m.merchant_id) select * from m',
    'products in a recursive query',
  ],
  [
    'select j.state, (select count(*) from products where merchant_id = $1) from stores s join jobs j on j.subject = s.id where s.merchant_id = $1',
    'stores joined with jobs, which lies elsewhere, beside a subquery',
  ],
])('refuses %s', (statement, fault) => {
  expect(faultsOf(statement).join()).toContain(fault);
});
