import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { purgePageChecks } from './page-check-store.ts';
import { ageObservations, useObservers } from './testing.ts';

const PAGE = 'http://shop.example/products/cup';
const { signal } = new AbortController();
const CACHED = { caller: 'a', signal };

const service = useObservers();

it('what nobody can ask for any more is deleted, and nothing else', async () => {
  const observer = service.node();
  await observer.observe(PAGE, CACHED);
  await ageObservations(service.database, 1_000);
  await observer.observe('http://other.example/', CACHED);
  await service.database.query(`insert into page_checks values ($1, '{}', now() - interval '32 days')`, [
    randomUUID(),
  ]);
  await service.database.query(`insert into page_checks values ($1, '{}', now() - interval '29 days')`, [
    randomUUID(),
  ]);
  await service.database.query(
    `insert into fetch_leases values ('k', $1, now(), now() - interval '2 minutes')`,
    [randomUUID()],
  );
  await service.database.query(
    `update rate_windows set seen_at = now() - interval '3 minutes' where bucket like '%shop%'`,
  );
  expect(await purgePageChecks(service.database.db, 900)).toBe(4);
  expect(await service.database.query('select url from observations')).toEqual([
    { url: 'http://other.example/' },
  ]);
  expect(await service.database.query('select 1 from page_checks')).toHaveLength(1);
});
