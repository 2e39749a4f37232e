import { randomUUID } from 'node:crypto';
import { conclude } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/page';
import { NO_FACTS } from '@touchstone/page';
import { expect, it } from 'vitest';
import { createGetPageCheck, createKeepPageCheck } from './page-check-store.ts';
import { purgePageChecks } from './purge-page-checks.ts';
import { ageObservations, DEFAULT_OBSERVE_SETTINGS, useObservers } from './testing.ts';

const PAGE = 'http://shop.example/products/cup';
const { signal } = new AbortController();
const CACHED = { caller: 'a', signal };

const service = useObservers();

it('only what nobody can request any more is deleted', async () => {
  const observer = service.node();
  await observer.observe(PAGE, CACHED);
  await ageObservations(service.database, 1_000);
  await observer.observe('http://other.example/', CACHED);
  await service.database.query(
    `insert into page_checks (id, report, created_at) values ($1, '{}', now() - interval '32 days')`,
    [randomUUID()],
  );
  await service.database.query(
    `insert into page_checks (id, report, created_at) values ($1, '{}', now() - interval '29 days')`,
    [randomUUID()],
  );
  await service.database.query(
    `insert into fetch_leases values ('k', $1, now(), now() - interval '2 minutes')`,
    [randomUUID()],
  );
  await service.database.query(
    `update rate_windows set seen_at = now() - interval '3 minutes' where bucket like 'fetch:host:%'`,
  );
  expect(await purgePageChecks(service.database.db, DEFAULT_OBSERVE_SETTINGS)).toBe(5);
  const hits = service.pages.hits();
  await service.node().observe('http://other.example/', CACHED);
  expect(service.pages.hits()).toBe(hits);
  expect(await service.database.query('select 1 from observations')).toHaveLength(1);
  expect(await service.database.query('select 1 from page_checks')).toHaveLength(1);
});

/** A report of some kilobytes, which nothing compresses. */
function report(name: string): PageReport {
  const fact = (value: string) => ({ value, source: 'jsonld', field: 'name' }) as const;
  const description = Array.from({ length: 200 }, () => randomUUID()).join('');
  return {
    id: randomUUID(),
    url: PAGE,
    final_url: PAGE,
    fetched_at: '2026-03-01T12:00:00Z',
    platform_detected: 'custom',
    verdict: 'no_certificate',
    conclusion: conclude('no_certificate', { warnings: [], errors: [] }),
    facts: { ...NO_FACTS, name: fact(name), description: fact(description) },
    mc4p: { present: false },
    findings: [],
    warnings: [],
    errors: [],
  };
}

it('reports that exceed the storage limit are deleted with their texts, the oldest first', async () => {
  const { db } = service.database;
  const { secrets } = service;
  const naming = { secrets, clock: () => new Date() };
  const reports = ['a', 'b', 'c', 'd'].map(report);
  const keepPageCheck = createKeepPageCheck(db, secrets);
  for (const [index, one] of reports.entries()) {
    await keepPageCheck(one, { naming, caller: 'a', settings: DEFAULT_OBSERVE_SETTINGS });
    await service.database.query(
      `update page_checks set created_at = created_at - make_interval(hours => $2) where id = $1`,
      [one.id, 9 - index],
    );
    await service.database.query(
      `update page_texts set keep_until = keep_until - make_interval(hours => 9)
       where digest = (select facts from page_checks where id = $1)`,
      [one.id],
    );
  }
  const [kept] = await service.database.query<{ bytes: number }>(
    'select sum(bytes)::int as bytes from page_checks',
  );
  const bytes = kept?.bytes ?? 0;
  const read = createGetPageCheck({ db, secrets });
  const purge = (keptInAll: number) => purgePageChecks(db, { ...DEFAULT_OBSERVE_SETTINGS, keptInAll });
  expect(await purge(bytes)).toBe(0);
  await purge(Math.round(bytes * 0.6));
  const left = await Promise.allSettled(reports.map(({ id }) => read(id)));
  expect(left.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  expect(left.slice(2)).toMatchObject(reports.slice(2).map((value) => ({ value })));
});
