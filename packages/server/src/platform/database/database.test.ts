import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listen } from '../../../../../test/kit/servers.ts';
import { announce } from '../cache/announce.ts';
import { announcedIn } from '../cache/changes.ts';
import { ServiceError } from '../errors.ts';
import { type DatabaseTransaction, inTransaction, openDatabase } from './database.ts';
import { type TestDatabase, testDatabase } from './testing.ts';

describe('the pool', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.close());

  const away = { code: 'database_unavailable', retryAfter: expect.any(Number) };
  const one = sql<{ one: number }>`select 1 as one`;

  it('reports a missing database as database_unavailable, with a time to retry', async () => {
    const nowhere = { host: '127.0.0.1', port: 1, user: 'x', password: 'x', database: 'x' };
    for (const connection of [nowhere, { ...nowhere, host: '/nonexistent/folder' }]) {
      const opened = openDatabase({ connection });
      const fault: unknown = await one.execute(opened.db).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(ServiceError);
      expect(fault).toMatchObject(away);
      await opened.close();
    }
  });

  it('works on connections whose prepared statements a migration outdated, in and outside transactions', async () => {
    await database.query('create table prepared_test (a int)');
    await database.query('insert into prepared_test values (1)');
    const opened = database.open({ max: 1 });
    const all = sql<{ a: number }>`select * from prepared_test`;
    const inOne = () => inTransaction(opened.db, async (trx) => (await all.execute(trx)).rows);
    for (let use = 0; use < 20; use += 1) await all.execute(opened.db);
    await database.query("alter table prepared_test add column b text default 'x'");
    expect((await all.execute(opened.db)).rows).toEqual([{ a: 1, b: 'x' }]);
    for (let use = 0; use < 3; use += 1) await inOne();
    await database.query('alter table prepared_test add column c int');
    expect(await inOne()).toEqual([{ a: 1, b: 'x', c: null }]);
  });

  it('repeats a transaction although the statement is outdated on more connections than it is repeated', async () => {
    await database.query('create table outdated_test as select 1 as a');
    const opened = database.open({ max: 8 });
    const all = sql<{ a: number }>`select * from outdated_test`;
    const onEach = (work: (trx: DatabaseTransaction) => Promise<unknown>) =>
      Promise.all(Array.from({ length: 8 }, () => inTransaction(opened.db, work)));
    for (let use = 0; use < 20; use += 1) await onEach((trx) => all.execute(trx));
    await database.query('alter table outdated_test add column b int');
    expect(await inTransaction(opened.db, async (trx) => (await all.execute(trx)).rows)).toEqual([
      { a: 1, b: null },
    ]);
    await onEach((trx) => all.execute(trx));
  });

  it('gives up on a server that accepts the connection and never answers', async () => {
    const silent = createServer(() => {});
    await listen(silent);
    const { port } = silent.address() as { port: number };
    const opened = openDatabase({
      connection: { host: '127.0.0.1', port, user: 'x', password: 'x', database: 'x' },
      connectTimeout: 200,
    });
    await expect(one.execute(opened.db)).rejects.toMatchObject(away);
    await opened.close();
    silent.close();
  });

  it('recovers after all its connections were cut, idle or in use', async () => {
    const opened = database.open({ applicationName: 'to be cut', max: 4 });
    await Promise.all([1, 2, 3].map(() => one.execute(opened.db)));
    const working = sql`select pg_sleep(20)`.execute(opened.db);
    const watched = expect(working).rejects.toMatchObject(away);
    const atWork = `select 1 from pg_stat_activity where application_name = 'to be cut' and query like '%pg_sleep%'`;
    await vi.waitUntil(async () => (await database.query(atWork)).length > 0, 40_000);
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to be cut'`,
    );
    await watched;
    for (let i = 0; i < 6; i += 1) {
      const answer = await one.execute(opened.db).catch((error: unknown) => error);
      if (answer instanceof Error) expect(answer).toMatchObject(away);
    }
    expect((await one.execute(opened.db)).rows).toEqual([{ one: 1 }]);
  });

  it('reports a worker that a coordinator of Citus has lost as database_unavailable', async () => {
    const opened = database.open();
    const lost = sql`do $$ begin
      raise exception 'failure on connection marked as essential: 127.0.0.1:5432' using errcode = 'XX000'; end $$`;
    await expect(lost.execute(opened.db)).rejects.toMatchObject(away);
    expect((await one.execute(opened.db)).rows).toEqual([{ one: 1 }]);
  });

  it('cancels a statement that takes too long, and continues', async () => {
    const opened = database.open({ statementTimeout: 1_000 });
    const busy = { code: 'database_busy', retryAfter: 5 };
    const cause = { message: 'select from pg_sleep took longer than a statement may' };
    const long = sql`select * from pg_sleep(20)`;
    await expect(long.execute(opened.db)).rejects.toMatchObject({ ...busy, cause });
    expect((await one.execute(opened.db)).rows).toEqual([{ one: 1 }]);
  });

  it('distinguishes a lock timeout from an unreachable database, and keeps the connection', async () => {
    const opened = database.open({ max: 1 });
    await database.query('create table coveted (id integer)');
    const pid = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(opened.db)).rows;
    const before = await pid();
    await database.db.transaction().execute(async (holder) => {
      await sql`lock table coveted`.execute(holder);
      const waits = opened.db.transaction().execute(async (trx) => {
        await sql`set local lock_timeout = 1`.execute(trx);
        await sql`update coveted set id = 1`.execute(trx);
      });
      const cause = { message: 'update coveted waited for a lock for longer than it may' };
      await expect(waits).rejects.toMatchObject({ code: 'database_busy', cause });
    });
    expect(await pid()).toEqual(before);
  });

  it.each([
    [
      'a full disk',
      '53100',
      'could not extend file "base/1/2": No space left on device',
      'database_full',
      30,
    ],
    [
      'a server that takes no changes, such as a standby,',
      '25006',
      'cannot execute INSERT in a read-only transaction',
      'database_unavailable',
      2,
    ],
    [
      'a read-only disk',
      '42501',
      'could not open file "base/1/2": Read-only file system',
      'database_read_only',
      30,
    ],
  ])('distinguishes %s from an unreachable database', async (_, code, text, told, retryAfter) => {
    const opened = database.open({ max: 1, diskFault: () => expect.unreachable('it is not away') });
    const failing = sql`do ${sql.raw(`$$ begin raise exception using errcode = '${code}', message = '${text}'; end $$`)}`;
    await expect(failing.execute(opened.db)).rejects.toMatchObject({ code: told, retryAfter });
    expect((await one.execute(opened.db)).rows).toEqual([{ one: 1 }]);
  });

  describe('a route to a standby', () => {
    const role = `standby_${randomBytes(4).toString('hex')}`;
    const password = randomBytes(8).toString('hex');
    /** Has the server answer as a standby does where this is true. */
    const isStandby = (expression: string) =>
      database.query(
        `create or replace function standing_by.pg_is_in_recovery() returns boolean language sql as $$ select ${expression} $$`,
      );
    beforeAll(async () => {
      await database.query(`create role ${role} login superuser password '${password}'`);
      await database.query('create schema standing_by');
      await database.query('create sequence standing_by.connections');
      await database.query(`alter role ${role} set search_path = standing_by, pg_catalog, public`);
    });
    afterAll(() => database.query(`drop role ${role}`));
    const open = (onQuery?: (text: string) => void) =>
      openDatabase({
        connection: { ...database.connection, user: role, password },
        ...(onQuery && { onQuery }),
      });

    it('is refused, and nothing is read from it', async () => {
      await isStandby('true');
      const statements: string[] = [];
      const opened = open((text) => statements.push(text));
      try {
        await expect(one.execute(opened.db)).rejects.toMatchObject({
          code: 'database_unavailable',
          retryAfter: 2,
        });
        expect(statements).toEqual([]);
        // promoted
        await isStandby('false');
        expect((await one.execute(opened.db)).rows).toEqual([{ one: 1 }]);
      } finally {
        await opened.close();
      }
    });

    it('that leads to the primary in turn fails no statement', async () => {
      await isStandby("nextval('standing_by.connections') % 2 = 1");
      for (let pool = 0; pool < 4; pool += 1) {
        const opened = open();
        expect((await one.execute(opened.db)).rows).toEqual([{ one: 1 }]);
        await opened.close();
      }
    });
  });

  it('tells what a transaction announces, in the middle of a statement too, while nobody knows whether it was made, and that it has ended', async () => {
    const told: string[] = [];
    const opened = database.open({
      onNotify: (texts) => {
        const changes = announcedIn(texts);
        told.push(`begun ${changes.join()}`);
        return () => told.push(`ended ${changes.join()}`);
      },
    });
    await opened.db.transaction().execute(async (trx) => {
      await announce(trx, ['p:1', 's:2']);
      expect(told).toEqual(['begun s:2,p:1']);
    });
    expect(told).toEqual(['begun s:2,p:1', 'ended s:2,p:1']);
    await announce(opened.db, ['p:3']);
    expect(told.splice(2)).toEqual(['begun p:3', 'ended p:3']);
    const ids = ['4a54e9d1-7a3c-4a8e-9f0e-0d8f3d1c2b3a'];
    await sql`
      with other as (select unnest(${ids}::uuid[])), announced as (select announce_changes(${['k:x']}::text[]))
      select from other, announced`.execute(opened.db);
    expect(told.splice(2)).toEqual(['begun k:x', 'ended k:x']);
    const broken = opened.db.transaction().execute(async (trx) => {
      await announce(trx, ['p:4']);
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
    });
    await expect(broken).rejects.toThrow();
    expect(told.splice(2)).toEqual(['begun p:4', 'ended p:4']);
  });

  it('gives up connections to a server that no longer answers, and no later ones', async () => {
    const opened = database.open({ max: 2 });
    const waits = sql`select pg_sleep(100)`.execute(opened.db);
    waits.catch(() => {});
    await expect.poll(() => opened.pool.totalCount).toBe(1);
    await expect
      .poll(() => database.query("select 1 from pg_stat_activity where query = 'select pg_sleep(100)'"))
      .toHaveLength(1);
    opened.abandon(0);
    expect((await one.execute(opened.db)).rows).toEqual([{ one: 1 }]);
    expect(opened.pool.totalCount).toBe(2);
    opened.abandon(performance.now());
    await expect(waits).rejects.toMatchObject({ code: 'database_unavailable', retryAfter: 2 });
    expect((await one.execute(opened.db)).rows).toEqual([{ one: 1 }]);
  });

  it('does not translate a missing privilege, which is a fault of ours', async () => {
    const text = 'permission denied for table products';
    const failing = sql`do ${sql.raw(`$$ begin raise exception using errcode = '42501', message = '${text}'; end $$`)}`;
    const fault: unknown = await failing.execute(database.db).catch((error: unknown) => error);
    expect(fault).not.toBeInstanceOf(ServiceError);
  });

  it('reports an embedded database that is down because of its disk by the fault of the disk', async () => {
    const connection = { host: '/nowhere', port: 5432, user: 'u', password: 'p', database: 'd' };
    const opened = openDatabase({ connection, diskFault: () => 'database_full' });
    await expect(one.execute(opened.db)).rejects.toMatchObject({ code: 'database_full' });
    await opened.close();
  });

  it('does not translate faults of ours', async () => {
    const fault: unknown = await sql`select nonsense`.execute(database.db).catch((error: unknown) => error);
    expect(fault).not.toBeInstanceOf(ServiceError);
    expect(fault).toMatchObject({ code: '42703' });
  });

  it('reports a lost connection, unless it was closed deliberately', async () => {
    const lost: string[] = [];
    const opened = database.open({ onConnectionLost: ({ message }) => void lost.push(message) });
    opened.pool.emit('error', new Error('at work'));
    await opened.close();
    opened.pool.emit('error', new Error('at the end'));
    expect(lost).toEqual(['at work']);
  });

  it('counts statements', async () => {
    const statements: string[] = [];
    const opened = database.open({ onQuery: (statement) => statements.push(statement) });
    await one.execute(opened.db);
    expect(statements).toEqual(['select 1 as one']);
  });

  it('repeats a statement that a migration made the victim of a deadlock', async () => {
    await database.query('create table first_read (a int)');
    await database.query('create table then_read (a int)');
    const isHeldUp = `select from pg_stat_activity where wait_event_type = 'Lock' and query like 'select count(*) from first_read%'`;
    const migration = database.open({ max: 1 });
    let reading: Promise<unknown> = Promise.resolve();
    await inTransaction(migration.db, async (trx) => {
      // it does not look for deadlocks: the reader does, and gives way
      await sql`set local deadlock_timeout = '10min'`.execute(trx);
      await sql`lock table then_read in access exclusive mode`.execute(trx);
      reading = sql`select count(*) from first_read, then_read`.execute(database.db);
      await vi.waitUntil(async () => (await database.query(isHeldUp)).length > 0, 40_000);
      await sql`lock table first_read in access exclusive mode`.execute(trx);
    });
    expect(await reading).toMatchObject({ rows: [{ count: '0' }] });
  });

  it('retries a transaction after a deadlock', async () => {
    await database.query('create table pair (id integer primary key, count integer not null)');
    await database.query('insert into pair values (1, 0), (2, 0)');
    let attempts = 0;
    let held = 0;
    const bothHoldOne = Promise.withResolvers<void>();
    const bump = (first: number, second: number) =>
      inTransaction(database.db, async (trx) => {
        attempts += 1;
        await sql`update pair set count = count + 1 where id = ${first}`.execute(trx);
        held += 1;
        if (held === 2) bothHoldOne.resolve();
        await bothHoldOne.promise;
        await sql`update pair set count = count + 1 where id = ${second}`.execute(trx);
      });
    await Promise.all([bump(1, 2), bump(2, 1)]);
    expect(attempts).toBeGreaterThan(2);
    expect(await database.query('select count from pair')).toEqual([{ count: 2 }, { count: 2 }]);
  });
});
