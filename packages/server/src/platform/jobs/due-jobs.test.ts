import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../database/testing.ts';
import { Closers } from '../lifecycle/closers.ts';
import { watchDueJobs } from './due-jobs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** Looks for jobs of these queues; tells, by queue, how often there were some. */
function watch(...queues: string[]) {
  return watchIdle(5, ...queues);
}

/** The same, with `everyIdle` milliseconds between two polls when idle. */
function watchIdle(everyIdle: number, ...queues: string[]) {
  const statements: string[] = [];
  const { db } = database.open({ onQuery: (sql) => statements.push(sql) });
  const closers = new Closers(() => {});
  onTestFinished(() => closers.closeAll());
  const due = watchDueJobs({
    db,
    clock: () => new Date(),
    logger: pino({ level: 'silent' }),
    closers,
    every: 5,
    everyIdle,
  });
  const found = Object.fromEntries(queues.map((queue) => [queue, 0]));
  const [end = () => {}] = queues.map((queue) =>
    due.watch(queue, () => {
      found[queue] = (found[queue] ?? 0) + 1;
    }),
  );
  /** Waits until `count` further polls have started, each after the end of the previous one. */
  const looks = async (count: number) => {
    const enough = statements.length + count;
    await expect.poll(() => statements.length, { interval: 2 }).toBeGreaterThanOrEqual(enough);
  };
  return { due, found, looks, endFirst: end, statements, close: () => closers.closeAll() };
}

const add = (queue: string, state: string, more = '') =>
  database.query(
    `insert into jobs (queue, subject, owner, state, due_at, lease, leased_until)
     select $1, $2, $2, $3::text, case when $3::text = 'running' then null else now() ${more} end,
       case when $3::text = 'running' then $2::uuid end, case when $3::text = 'running' then now() ${more} end`,
    [queue, randomUUID(), state],
  );

test('only jobs that may be claimed are found, for whatever reason', async () => {
  await add('ordered', 'ready');
  await add('due', 'scheduled', "- interval '1 s'");
  await add('of one that ended', 'running', "- interval '1 s'");
  await add('later', 'scheduled', "+ interval '1 h'");
  await add('being done', 'running', "+ interval '1 h'");
  const { found, looks } = watch('ordered', 'due', 'of one that ended', 'later', 'being done', 'empty');
  await looks(3);
  expect(Object.entries(found).filter(([, count]) => count > 0)).toEqual([
    ['ordered', expect.any(Number)],
    ['due', expect.any(Number)],
    ['of one that ended', expect.any(Number)],
  ]);
});

test('one that becomes due during the query is found; one statement asks for all queues', async () => {
  const { found, looks, statements } = watch('a', 'b', 'c');
  await looks(2);
  expect(found).toEqual({ a: 0, b: 0, c: 0 });
  await add('b', 'ready');
  await looks(3);
  expect(found).toEqual({ a: 0, b: expect.any(Number), c: 0 });
  expect(found.b).toBeGreaterThan(0);
  expect(new Set(statements).size).toBe(1);
});

test('a queue that is no longer watched is not queried', async () => {
  const { found, looks, endFirst } = watch('left', 'kept');
  endFirst();
  await add('left', 'ready');
  await add('kept', 'ready');
  await looks(3);
  expect(found).toEqual({ left: 0, kept: expect.any(Number) });
  expect(found.kept).toBeGreaterThan(0);
});

test('when idle it hardly ever polls; after an order it polls at once, and keeps polling', async () => {
  const { due, found, looks, statements } = watchIdle(60_000, 'ordered when idle');
  await looks(10);
  const before = statements.length;
  await delay(100);
  expect(statements.length).toBe(before);
  await add('ordered when idle', 'ready');
  due.onRequest();
  await looks(3);
  expect(found['ordered when idle']).toBeGreaterThan(0);
});

test('closes when idle without waiting for the next poll', async () => {
  const { close, looks } = watchIdle(60_000, 'of none');
  await looks(10);
  await close();
});
