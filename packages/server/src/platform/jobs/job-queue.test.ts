import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../database/database.ts';
import { type TestDatabase, testDatabase } from '../database/testing.ts';
import type { Job } from './job.ts';
import { endLeases, type JobQueue, openJobQueue } from './job-queue.ts';
import { orderJob, orderJobs } from './order-jobs.ts';

const QUEUE = 'test';
const FAILURE = { code: 'timed_out', detail: '', at: '2026-11-22T12:00:00.000Z', attempts: 1 };

let database: TestDatabase;
let queue: JobQueue;
let other: JobQueue;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  await database.query('delete from jobs');
  // two nodes over one database
  [queue, other] = [open(), open()];
});

const open = (options: { perResource?: number; lease?: number } = {}) =>
  openJobQueue({ db: database.db, name: QUEUE, perResource: 1_000, lostCode: 'job_lost', ...options });
const owner = () => randomUUID();

interface NewJobs {
  readonly of?: string;
  readonly resource?: string;
  readonly queue?: string;
}

async function add(
  count: number,
  { of = owner(), resource = '', queue: name = QUEUE }: NewJobs = {},
): Promise<string[]> {
  const rows = Array.from({ length: count }, () => ({
    queue: name,
    subject: randomUUID(),
    owner: of,
    resource,
    due_at: new Date(),
  }));
  await database.db.insertInto('jobs').values(rows).execute();
  return rows.map(({ subject }) => subject);
}

async function only(claimed: Promise<Job[]>): Promise<Job> {
  const [job, ...more] = await claimed;
  if (job === undefined || more.length > 0) throw new Error('not one job');
  return job;
}

/** Shortens every lease by a number of seconds. */
const ageLeases = (seconds: number) =>
  database.query(
    "update jobs set leased_until = leased_until - make_interval(secs => $1) where state = 'running'",
    [seconds],
  );

/** All nodes die without releasing their jobs, and another one searches for abandoned jobs. */
async function nodesEnd(another = open()): Promise<void> {
  await endLeases(database.db);
  await another.claim(0);
}

const ends = <T>(work: Parameters<typeof inTransaction<T>>[1]) => inTransaction(database.db, work);
const state = async (subject: string) => {
  const [row] = await database.query(
    'select state, result, attempts, interrupted, failure, due_at from jobs where subject = $1',
    [subject],
  );
  return row;
};
const pass = (subject: string) =>
  database.query("update jobs set due_at = now() - interval '1 second' where subject = $1", [subject]);
/** Claims until a job is returned: due jobs are searched only a few times per second. */
const soon = async (node: JobQueue): Promise<Job> => {
  const jobs: Job[] = [];
  await expect.poll(async () => jobs.push(...(await node.claim(1))), { interval: 50 }).toBeGreaterThan(0);
  return only(Promise.resolve(jobs));
};

describe('a job', () => {
  it('is claimed by one node only', async () => {
    const subjects = await add(40);
    const claimed = (await Promise.all([queue, other, queue, other].map((node) => node.claim(20)))).flat();
    expect(claimed.map(({ subject }) => subject).toSorted()).toEqual(subjects.toSorted());
    expect(await queue.claim(1)).toEqual([]);
  });

  it('of another queue is left alone', async () => {
    await add(1, { queue: 'another' });
    expect(await queue.claim(10)).toEqual([]);
  });

  it('ends in the same transaction as its effects, or not at all', async () => {
    const [subject = ''] = await add(1);
    const job = await only(queue.claim(1));
    await ends(async (trx) => {
      await queue.finish(trx, job, { result: 'done' }, 0);
      throw new Error('changed our mind');
    }).catch(() => {});
    expect(await state(subject)).toMatchObject({ state: 'running', result: null });
    expect(await ends((trx) => queue.finish(trx, job, { result: 'done' }, 0))).toBe(true);
    expect(await state(subject)).toMatchObject({ state: 'idle', result: 'done', due_at: null, attempts: 0 });
  });

  it('that is done is due again after its interval', async () => {
    const [subject = ''] = await add(1);
    const job = await only(queue.claim(1));
    await ends((trx) => queue.finish(trx, job, { result: 'done' }, 1_000));
    const { due_at } = (await state(subject)) as { due_at: Date };
    expect(Math.abs(due_at.getTime() - Date.now() - 1_000_000)).toBeLessThan(110_000);
    expect(await queue.claim(1)).toEqual([]);
    await pass(subject);
    expect(await soon(queue)).toMatchObject({ subject, attempt: 1 });
  });

  it('that is retried counts its attempts; one that is postponed does not', async () => {
    const [subject = ''] = await add(1);
    for (const attempt of [1, 2]) {
      const job = await soon(queue);
      expect(job.attempt).toBe(attempt);
      await ends((trx) => queue.retry(trx, job, FAILURE, 60));
      await pass(subject);
    }
    expect(await state(subject)).toMatchObject({ state: 'scheduled', result: null, failure: FAILURE });
    const third = await soon(queue);
    expect(third.attempt).toBe(3);
    await ends((trx) => queue.postpone(trx, third, FAILURE, 60));
    await pass(subject);
    expect((await soon(queue)).attempt).toBe(1);
  });

  it('that is returned can be claimed by anyone, as if nobody had claimed it', async () => {
    await add(1);
    await queue.release(await only(queue.claim(1)));
    expect(await only(other.claim(1))).toMatchObject({ attempt: 1 });
  });
});

describe('an order', () => {
  it('for all jobs of an owner makes them due, with all their attempts', async () => {
    const shop = owner();
    const [given = '', running = ''] = await add(2, { of: shop });
    const jobs = await queue.claim(2);
    const job = jobs.find(({ subject }) => subject === given);
    if (job === undefined) throw new Error('not claimed');
    await ends((trx) => queue.finish(trx, job, { result: 'failed', failure: FAILURE }, 0));
    expect(await state(given)).toMatchObject({ state: 'idle', result: 'failed', failure: FAILURE });
    expect(await orderJobs(database.db, QUEUE, shop, sql`true`)).toBe(2);
    expect(await state(given)).toMatchObject({ state: 'ready', result: null, failure: null });
    expect(await state(running)).toMatchObject({ state: 'running' });
    expect(await only(queue.claim(2))).toMatchObject({ subject: given, attempt: 1 });
  });

  it('that arrives while the job is running is not lost, however that run ends', async () => {
    const shop = owner();
    const [subject = ''] = await add(1, { of: shop });
    const endings: ((job: Job) => Promise<boolean>)[] = [
      (job) => ends((trx) => queue.finish(trx, job, { result: 'done' }, 0)),
      (job) => ends((trx) => queue.finish(trx, job, { result: 'failed', failure: FAILURE }, 0)),
      (job) => ends((trx) => queue.retry(trx, job, FAILURE, 60)),
      (job) => ends((trx) => queue.postpone(trx, job, FAILURE, 60)),
      (job) => queue.drop(job),
      (job) => queue.release(job),
      () => nodesEnd().then(() => true),
    ];
    for (const ending of endings) {
      const job = await only(queue.claim(1));
      await orderJobs(database.db, QUEUE, shop, sql`true`);
      expect(await ending(job)).toBe(true);
      expect(await state(subject)).toMatchObject({ state: 'ready', result: null, attempts: 0 });
    }
  });
});

describe('a resource', () => {
  it('is used by a limited number of jobs at a time, over all nodes, and delays no others', async () => {
    const [one, two] = [open({ perResource: 2 }), open({ perResource: 2 })];
    const shop = owner();
    await add(300, { of: shop, resource: 'slow.example' });
    const [free = ''] = await add(1, { resource: 'free.example' });
    const claimed = (await Promise.all([one.claim(10), two.claim(10), one.claim(10)])).flat();
    expect(claimed).toHaveLength(3);
    expect(claimed.map(({ subject }) => subject)).toContain(free);
    const slow = claimed.find(({ subject }) => subject !== free);
    await ends((trx) => one.finish(trx, slow as Job, { result: 'done' }, 0));
    expect(await two.claim(10)).toHaveLength(1);
    expect(await one.claim(10)).toEqual([]);
  });
});

describe('owners', () => {
  it('are served in turn: one with many jobs delays no other', async () => {
    const large = owner();
    await add(1_000, { of: large });
    const small = await Promise.all(Array.from({ length: 3 }, () => add(5)));
    const served = new Set<string>();
    for (let claims = 0; claims < 8; claims++) {
      for (const { subject } of await queue.claim(4)) served.add(subject);
    }
    expect(small.flat().filter((subject) => !served.has(subject))).toEqual([]);
  });

  it('are reached however many there are', async () => {
    const subjects = (await Promise.all(Array.from({ length: 130 }, () => add(1)))).flat();
    const claimed: string[] = [];
    for (let claims = 0; claims < 13; claims++) {
      claimed.push(...(await queue.claim(10)).map(({ subject }) => subject));
    }
    expect(claimed.toSorted()).toEqual(subjects.toSorted());
  });
});

describe('a job that makes room for others', () => {
  it('waits for every owner without such a job, and then in the order in which they made room', async () => {
    const [first, second] = [owner(), owner()];
    await add(1, { of: first });
    await add(1, { of: second });
    const begun = await queue.claim(2);
    for (const { of } of [{ of: second }, { of: first }])
      for (const job of begun) if (job.owner === of) expect(await queue.displace(job)).toBe(true);
    const [fresh = ''] = await add(1);
    expect((await only(queue.claim(1))).subject).toBe(fresh);
    expect((await only(other.claim(1))).owner).toBe(second);
    expect(await only(queue.claim(1))).toMatchObject({ owner: first, attempt: 1 });
  });

  it('of an owner delays the other jobs of that owner, too', async () => {
    const large = owner();
    await add(50, { of: large });
    const job = await only(queue.claim(1));
    await queue.displace(job);
    const [fresh = ''] = await add(1);
    expect((await queue.claim(2)).map(({ subject }) => subject)[0]).not.toBe(job.subject);
    expect(await state(fresh)).toMatchObject({ state: 'running' });
  });

  it('counts as waiting only while its resource is free', async () => {
    queue = open({ perResource: 1 });
    const of = owner();
    await add(2, { of, resource: 'one' });
    await add(1, { of, resource: 'other' });
    expect(await queue.countWaiting(9)).toBe(3);
    await queue.claim(1);
    expect(await queue.countWaiting(9)).toBe(1);
  });
});

describe('a node that dies', () => {
  it('loses its jobs to others once its lease has ended, and its later results do not count', async () => {
    const [subject = ''] = await add(1);
    const minute = open({ lease: 60 });
    const lost = await only(minute.claim(1));
    await ageLeases(30);
    // a queue that was just opened searches for abandoned jobs at once
    expect(await open().claim(1)).toEqual([]);
    await ageLeases(30);
    const taken = await soon(other);
    expect(taken).toMatchObject({ subject, attempt: 1 });
    expect(await ends((trx) => minute.finish(trx, lost, { result: 'done' }, 0))).toBe(false);
    expect(await minute.release(lost)).toBe(false);
    expect(await state(subject)).toMatchObject({ state: 'running', interrupted: 1 });
    expect(await ends((trx) => other.finish(trx, taken, { result: 'done' }, 0))).toBe(true);
    expect(await state(subject)).toMatchObject({ state: 'idle', interrupted: 0 });
  });

  it('keeps them while it renews its lease', async () => {
    await add(1);
    const minute = open({ lease: 60 });
    const job = await only(minute.claim(1));
    for (let beats = 0; beats < 5; beats++) {
      await ageLeases(40);
      await minute.keep([job]);
      expect(await open().claim(1)).toEqual([]);
    }
    expect(await ends((trx) => minute.finish(trx, job, { result: 'done' }, 0))).toBe(true);
  });

  it('makes a job give up after its 11th death, and an order gives it as many attempts again', async () => {
    const shop = owner();
    const [subject = ''] = await add(1, { of: shop });
    const endsSoOften = async (times: number) => {
      for (let n = 0; n < times; n++) {
        expect(await queue.claim(5)).toHaveLength(1);
        await nodesEnd();
      }
    };
    await endsSoOften(10);
    expect(await state(subject)).toMatchObject({ state: 'ready', result: null });
    await endsSoOften(1);
    expect(await state(subject)).toMatchObject({
      state: 'idle',
      result: 'failed',
      failure: { code: 'job_lost' },
      due_at: null,
    });
    await orderJobs(database.db, QUEUE, shop, sql`result = 'failed'`);
    await endsSoOften(10);
    expect(await state(subject)).toMatchObject({ state: 'ready', result: null });
    await endsSoOften(1);
    expect(await state(subject)).toMatchObject({ state: 'idle', result: 'failed' });
  });

  it('is forgiven with each finished part of a job, and always in a queue that never gives up', async () => {
    const subject = randomUUID();
    const order = () => ends((trx) => orderJob(trx, QUEUE, { subject, owner: subject }));
    await order();
    for (let n = 0; n < 12; n++) {
      const job = await only(queue.claim(5));
      expect(await ends((trx) => queue.progressed(trx, job))).toBe(true);
      await nodesEnd();
      expect(await ends((trx) => queue.progressed(trx, job))).toBe(false);
    }
    const openLasting = () => openJobQueue({ db: database.db, name: QUEUE, perResource: 1 });
    const lasting = openLasting();
    for (let n = 0; n < 12; n++) {
      await only(lasting.claim(5));
      await nodesEnd(openLasting());
    }
    const job = await only(lasting.claim(5));
    await order();
    expect(await ends((trx) => lasting.finish(trx, job, { result: 'done' }, 0))).toBe(true);
    expect(await state(subject)).toMatchObject({ state: 'ready', result: null });
  });
});
