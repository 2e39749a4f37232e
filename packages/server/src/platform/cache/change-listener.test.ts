import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { PATIENT } from '../../../../../test/kit/patience.ts';
import { type TestDatabase, testDatabase } from '../database/testing.ts';
import { announce as announceIn } from './announce.ts';
import { type ChangeListener, type ChangeListenerOptions, listenForChanges } from './change-listener.ts';
import { announcedIn, type Change, changesOf, createChangeHub } from './changes.ts';
import { addChangeWay, deleteOldChanges, openPolling } from './poll-changes.ts';

let database: TestDatabase;
const listeners: ChangeListener[] = [];

beforeAll(async () => {
  database = await testDatabase();
  await addChangeWay(database.db, 'poll');
});
afterEach(async () => {
  await Promise.all(listeners.splice(0).map((listener) => listener.close()));
});
afterAll(() => database.close());

const WAYS = [
  ['notifications', {}],
  ['polling', { open: openPolling }],
] as const;

describe.each(WAYS)('by %s,', (_, way) => {
  function listen(options: Partial<ChangeListenerOptions> = {}) {
    const hub = createChangeHub();
    const received: Change[] = [];
    hub.subscribe((change) => received.push(change));
    const lost: unknown[] = [];
    const onLost = (cause: unknown) => lost.push(cause);
    const listener = listenForChanges({ connection: database.connection, hub, onLost, ...way, ...options });
    listeners.push(listener);
    return { listener, received, lost, hub };
  }

  const proven = (listener: ChangeListener) => listener.whenProven(AbortSignal.timeout(60_000));
  const announce = (payload: string) => database.query('select announce_changes($1)', [[payload]]);
  const killListeners = () =>
    database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'touchstone listener' and datname = current_database()`,
    );

  test('what another session commits is received, in order', async () => {
    const { listener, received } = listen();
    await proven(listener);
    received.length = 0;
    await announce('p:1');
    await announce('k:x');
    await announce('ps:2,3');
    await announce('of a later version');
    await expect.poll(() => received.length).toBe(5);
    expect(received).toEqual(['p:1', 'k:x', 'p:2', 'p:3', '*']);
  });

  test('a round trip that started after a commit and completed has received it', async () => {
    let time = 0;
    // proven, then, means: a round trip has ended that began after `time` last moved
    const { listener, received } = listen({ monotonic: () => time, provenFor: 1, beatEvery: 1 });
    await proven(listener);
    for (let i = 0; i < 300; i += 1) {
      await announce(`p:${i}`);
      time += 1;
      await proven(listener);
      expect(received).toContain(`p:${i}`);
    }
  });

  test('freshness is not proven before the first round trip, and for no longer than a second after the last', async () => {
    let time = 0;
    const { listener } = listen({ monotonic: () => time, beatEvery: 60_000 });
    expect(listener.isProven()).toBe(false);
    await proven(listener);
    time = 999;
    expect(listener.isProven()).toBe(true);
    time = 1_000;
    expect(listener.isProven()).toBe(false);
  });

  test('when idle nothing is trusted without a heartbeat in the last second, and a request triggers one at once', async () => {
    const { listener, received } = listen({ beatWhenIdle: 3_600_000 });
    await proven(listener);
    // no requests until it is idle
    do await delay(4_000);
    while (listener.isProven());
    await proven(listener);
    expect(listener.isProven()).toBe(true);
    do await delay(4_000);
    while (listener.isProven());
    received.length = 0;
    await announce('p:1');
    await expect.poll(() => received).toContain('p:1');
  });

  test('a lost session ends the proof, reports that changes may be missed, then that some may have been, and is replaced', async () => {
    const provenWhenUnheard: boolean[] = [];
    const { listener, received, lost, hub } = listen();
    hub.subscribe((change) => {
      if (change === 'unheard') provenWhenUnheard.push(listener.isProven());
    });
    await proven(listener);
    received.length = 0;
    await killListeners();
    await expect.poll(() => received).toEqual(['unheard', 'heard']);
    expect(provenWhenUnheard).toEqual([false]);
    await proven(listener);
    expect(lost).toHaveLength(1);
    received.length = 0;
    await announce('s:1');
    await expect.poll(() => received).toContain('s:1');
  });

  test('what was proven counts for a while after the session is lost, from the last heartbeat that was answered', async () => {
    let time = 0;
    const { listener } = listen({ monotonic: () => time, staleFor: 60_000, beatEvery: 60_000 });
    expect(listener.wasProven()).toBe(false);
    await proven(listener);
    await listener.close();
    expect(listener.isProven()).toBe(false);
    time = 59_999;
    expect(listener.wasProven()).toBe(true);
    time = 60_000;
    expect(listener.wasProven()).toBe(false);
  });

  test('a session on a standby proves nothing', async () => {
    const role = `standby_${randomBytes(4).toString('hex')}`;
    await database.query(`create role ${role} login superuser password 'x'`);
    // answers as a server does that has become a standby
    await database.query('create schema if not exists standing_by');
    await database.query(
      'create or replace function standing_by.pg_is_in_recovery() returns boolean language sql as $$ select true $$',
    );
    await database.query(`alter role ${role} set search_path = standing_by, pg_catalog, public`);
    const { listener, lost } = listen({ connection: { ...database.connection, user: role, password: 'x' } });
    await expect.poll(() => lost.length).toBeGreaterThanOrEqual(2);
    expect(lost.map(String)).toContain('Error: the connection leads to a standby');
    expect(listener.isProven()).toBe(false);
    await listener.close();
    await database.query(`drop role ${role}`);
  });

  test('that nothing answers is reported when an attempt to replace the session fails, too; a refusal by the server is an answer', async () => {
    const before: number[] = [];
    const nowhere = { host: '127.0.0.1', port: 9, user: 'x', password: 'x', database: 'x' };
    listen({ connection: nowhere, onUnreachable: (since) => before.push(since) });
    await expect.poll(() => before.length).toBeGreaterThanOrEqual(2);
    const { lost } = listen({
      connection: { ...database.connection, database: 'nowhere' },
      onUnreachable: () => expect.unreachable('the server has answered'),
    });
    await expect.poll(() => lost.length).toBeGreaterThanOrEqual(2);
  });

  test('a database that is not reachable is retried continuously, and proves nothing', async () => {
    const { listener, lost } = listen({
      connection: { host: '127.0.0.1', port: 9, user: 'x', password: 'x', database: 'x' },
    });
    await expect.poll(() => lost.length).toBeGreaterThanOrEqual(3);
    expect(listener.isProven()).toBe(false);
    await expect(listener.whenProven(AbortSignal.timeout(10))).rejects.toThrow();
  });

  test('closing ends the session and the proof', async () => {
    const { listener } = listen();
    await proven(listener);
    await listener.close();
    expect(listener.isProven()).toBe(false);
    // the server needs a moment to see it
    const session = `select 1 from pg_stat_activity
      where application_name = 'touchstone listener' and datname = current_database()`;
    await vi.waitFor(async () => expect(await database.query(session)).toEqual([]), PATIENT);
  });

  test('closing ends promptly at any time, even while the session is being opened', async () => {
    const took: number[] = [];
    for (let wait = 0; wait < 30; wait += 1) {
      const { listener } = listen();
      await delay(wait / 2);
      const begun = performance.now();
      await listener.close();
      took.push(performance.now() - begun);
      expect(listener.isProven()).toBe(false);
    }
    took.sort((a, b) => a - b);
    // shorter than the interval of heartbeats, except for a few on a busy machine; never as long as the connection timeout
    expect(took[22]).toBeLessThan(250);
    expect(took.at(-1)).toBeLessThan(5_000);
  });

  test('nothing is missed of transactions that overlap and commit in any order', async () => {
    let time = 0;
    const { listener, received } = listen({ monotonic: () => time, provenFor: 1, beatEvery: 1 });
    await proven(listener);
    const committed: string[] = [];
    const write = async (writer: number) => {
      for (let nth = 0; nth < 25; nth += 1) {
        const id = `p:${writer}-${nth}`;
        const isKept = Math.random() < 0.8;
        await database.db
          .transaction()
          .execute(async (trx) => {
            await announceIn(trx, [id as Change]);
            await delay(Math.random() * 20);
            if (!isKept) throw new Error('rolled back');
          })
          .catch(() => {});
        if (isKept) committed.push(id);
      }
    };
    const check = async () => {
      for (let round = 0; round < 40; round += 1) {
        const before = [...committed];
        time += 1;
        await proven(listener);
        expect(received).toEqual(expect.arrayContaining(before));
        await delay(5);
      }
    };
    received.length = 0;
    await Promise.all([write(1), write(2), write(3), check()]);
    time += 1;
    await proven(listener);
    expect(received.toSorted()).toEqual(committed.toSorted());
  });
});

test('a poll that finds a change deleted before it was read takes anything for changed', async () => {
  const hub = createChangeHub();
  const received: Change[] = [];
  hub.subscribe((change) => received.push(change));
  const stop = new AbortController();
  const session = await openPolling({ connection: database.connection, hub }, stop.signal);
  await session.begin();
  const announce = (id: string) => announceIn(database.db, [`p:${id}`]);
  await announce('1');
  await database.query("update changes set created_at = now() - interval '11 minutes'");
  expect(await deleteOldChanges(database.db)).toBeGreaterThan(0);
  await announce('2');
  await session.beat();
  expect(received).toEqual(['p:2', '*']);
  await announce('3');
  await session.beat();
  expect(received).toEqual(['p:2', '*', 'p:3']);
  stop.abort();
});

test('a way is added only when nobody can still announce without it', async () => {
  const added = await testDatabase();
  try {
    const release = Promise.withResolvers<void>();
    const announced = Promise.withResolvers<void>();
    const writing = added.db.transaction().execute(async (trx) => {
      await announceIn(trx, ['p:1']);
      announced.resolve();
      await release.promise;
    });
    await announced.promise;
    let isAdded = false;
    const adding = addChangeWay(added.db, 'poll').then(() => {
      isAdded = true;
    });
    const blocked =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%change_ways%'";
    await expect.poll(() => added.query(blocked)).toHaveLength(1);
    expect(isAdded).toBe(false);
    release.resolve();
    await Promise.all([writing, adding]);
  } finally {
    await added.close();
  }
});

test('a statement announces what it is given in the form of an announcement, and no id or key', () => {
  const kid = 'c0RkLX3Fq1';
  expect(announcedIn(['ps:1,2', kid, '*', '6f0c9d3e-0000-4000-8000-000000000000'])).toEqual([
    'p:1',
    'p:2',
    '*',
  ]);
});

test('a payload that this version does not know counts as any change', () => {
  expect(changesOf('p:1')).toEqual(['p:1']);
  expect(changesOf('ps:1,2')).toEqual(['p:1', 'p:2']);
  for (const payload of [undefined, '', 'p:', 'ps:', 'z:1', 'p']) expect(changesOf(payload)).toEqual(['*']);
});
