import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Policy, parsePolicy, verifyIncluded } from '@touchstone/certificate/log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '../../core/images/blobs/blob-store.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { NO_WITNESSES, readLogState, renderPolicy } from './get-log.ts';
import { endShards, openShards } from './open-shards.ts';
import { readShards } from './shards.ts';
import { logPath, openLogNode, TEST_YEAR, testProof } from './testing/log-node.ts';

const masterKey = randomBytes(32);
const NEXT = `${TEST_YEAR}-2`;

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'touchstone-successor-'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

type Node = Awaited<ReturnType<typeof openLogNode>>;
const node = (wrap?: (blobs: BlobStore) => BlobStore) =>
  openLogNode({ db: database.db, masterKey, folder, ...(wrap && { wrap }) });
const proofs = (count: number) => Array.from({ length: count }, () => testProof());

async function revokeKey({ keys }: Node, number = 1): Promise<void> {
  const shard = (await readShards(database.db)).find((one) => one.number === number);
  expect(await keys.revoke(shard?.kid ?? '')).toBe(true);
}
const stateOptions = ({ options }: Node) => ({ ...options, policy: NO_WITNESSES });

describe('a log of which the key was revoked', () => {
  it('ends with what it has published, and another of the same year goes on at once, of another origin and key', async () => {
    const one = await node();
    const carried = (await one.enter(proofs(300)))[0] ?? '';
    await revokeKey(one);
    const texts = await one.enter(proofs(5));
    expect(texts.every((text) => text !== null)).toBe(true);
    expect((await one.audit()).size).toBe(300);
    expect((await one.audit(NEXT)).size).toBe(5);
    const [old, next] = await readShards(database.db);
    expect([old?.ended_at, next?.ended_at]).toEqual([expect.any(Date), null]);
    expect([next?.origin, next?.kid === old?.kid]).toEqual([`${old?.origin}-2`, false]);

    // the list and the policy say so; what was published last is still verified, and what the new log has
    const { logs } = await readLogState(stateOptions(one));
    expect(logs.map(({ name, size, ended }) => [name, size, ended?.successor])).toEqual([
      ['2026', 300, NEXT],
      [NEXT, 5, undefined],
    ]);
    const policy = (await parsePolicy(await renderPolicy(stateOptions(one)))) as Policy;
    expect(policy.logs.map(({ key }) => key.name)).toEqual([next?.origin]);
    expect(policy.ended).toMatchObject([
      { size: 300, witnessedSize: 0, url: expect.stringMatching(/2026$/) },
    ]);
    const entryOf = (text: string) => Buffer.from(/^extra (.*)$/m.exec(text)?.[1] ?? '', 'base64');
    const told = async (text: string) =>
      (await verifyIncluded(new Uint8Array(entryOf(text)), text, { policy })).reason;
    expect(await told(carried)).toBe('logged_not_witnessed');
    expect(await told(texts[0] ?? '')).toBe('logged_not_witnessed');
  });

  it('gives no leaf two places: those without a checkpoint get theirs in the successor, and no proof is lost', async () => {
    const state = { isBroken: false };
    const one = await node((blobs) => ({
      ...blobs,
      replace: (key, bytes) =>
        state.isBroken ? Promise.reject(new Error('no space left')) : blobs.replace(key, bytes),
    }));
    await one.enter(proofs(10));
    state.isBroken = true;
    // they have a place, and no checkpoint
    await one.enter(proofs(7));
    await revokeKey(one);
    state.isBroken = false;
    await one.sequencer.run();
    const [old, next] = [await one.audit(), await one.audit(NEXT)];
    expect([old.size, next.size]).toEqual([10, 7]);
    expect(new Set([...old.leaves, ...next.leaves].map(({ proof }) => proof)).size).toBe(17);
  });

  it('keeps a checkpoint that was published before anybody recorded it', async () => {
    let isKilled = false;
    const one = await openLogNode({
      db: database.db,
      masterKey,
      folder,
      onStep(step) {
        if (isKilled && step === 'checkpoint') throw new Error('killed');
      },
    });
    await one.enter(proofs(3));
    isKilled = true;
    await one.enter(proofs(4));
    await one.sequencer.close();
    const two = await node();
    await revokeKey(two);
    await two.enter(proofs(2));
    expect([(await two.audit()).size, (await two.audit(NEXT)).size]).toEqual([7, 2]);
  });

  it('ends without a leaf, and once, however many nodes see it; the next may end, too', async () => {
    const nodes = [await node(), await openLogNode({ db: database.open().db, masterKey, folder })] as const;
    for (const number of [1, 2]) {
      await revokeKey(nodes[0], number);
      await Promise.all(nodes.map(({ options }) => endShards(options)));
    }
    const shards = await readShards(database.db);
    expect(shards.map(({ number, ended_at }) => [number, ended_at !== null])).toEqual([
      [1, true],
      [2, true],
      [3, false],
    ]);
    expect(new Set(shards.map(({ kid }) => kid)).size).toBe(3);
    await nodes[1].enter(proofs(3));
    expect((await nodes[0].audit(`${TEST_YEAR}-3`)).size).toBe(3);
  });

  it('has a successor for every year, though each log keeps its key', async () => {
    const { options } = await node();
    for (let year = TEST_YEAR; year < TEST_YEAR + 7; year += 1) await openShards(options, [year, year + 1]);
    expect(new Set((await readShards(database.db)).map(({ kid }) => kid)).size).toBe(8);
  });
});

describe('a database restored to a time before the key was revoked', () => {
  const tables = ['log_leaves', 'log_shards', 'signing_keys'];
  const backUp = () =>
    database.tamper(...tables.map((name) => `create table kept_${name} as select * from ${name}`));
  const restore = () =>
    database.tamper(
      ...tables.flatMap((name) => [`delete from ${name}`, `insert into ${name} select * from kept_${name}`]),
    );

  it('signs no more with that key, and continues the successor when it is revoked again', async () => {
    const first = await node();
    await first.enter(proofs(3));
    await backUp();
    await revokeKey(first);
    await first.enter(proofs(5));
    const checkpoint = await readFile(logPath(folder, 'checkpoint'), 'utf8');
    await first.sequencer.close();
    await restore();

    const second = await node();
    expect(await second.enter(proofs(1))).toEqual([null]);
    expect(await readFile(logPath(folder, 'checkpoint'), 'utf8')).toBe(checkpoint);
    const [row] = await database.query<{ refusal: string }>(
      'select refusal from log_shards where number = 1',
    );
    expect(row?.refusal).toContain('revoke it again');
    await revokeKey(second);
    await second.sequencer.run();
    expect((await second.enter(proofs(2))).every((text) => text !== null)).toBe(true);
    expect((await second.audit(NEXT)).size).toBe(8);
    expect(second.restored).toEqual([5]);
  });
});
