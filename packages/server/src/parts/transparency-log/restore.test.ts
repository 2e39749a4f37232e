import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UnpublishedProof } from '../../core/certificates/proof-log.ts';
import type { BlobStore } from '../../core/images/blobs/blob-store.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { logPath, openLogNode, testProof } from './testing/log-node.ts';

const masterKey = randomBytes(32);

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'touchstone-log-'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const node = (wrap?: (blobs: BlobStore) => BlobStore) =>
  openLogNode({ db: database.db, masterKey, folder, ...(wrap && { wrap }) });
const proofs = (count: number) => Array.from({ length: count }, () => testProof());
const hashesOf = (made: readonly UnpublishedProof[]) =>
  made.map(({ jwt }) => createHash('sha256').update(jwt).digest('base64url'));

/** What a backup has of the log. */
const backUp = () =>
  database.tamper(
    'create table kept_leaves as select * from log_leaves',
    'create table kept_shards as select * from log_shards',
  );
const restore = () =>
  database.tamper(
    'delete from log_leaves',
    'delete from log_shards',
    'insert into log_leaves select * from kept_leaves',
    'insert into log_shards select * from kept_shards',
  );

describe('a database that was restored to an earlier time', () => {
  it('learns the leaves that were published since, and goes on behind them: no fork, no leaf twice', async () => {
    const first = await node();
    const [before, lost, after] = [proofs(300), proofs(700), proofs(5)];
    const waiting = before.slice(0, 10);
    await first.enter(before);
    await backUp();
    await first.enter(lost);
    const published = await first.audit();
    await first.sequencer.close();
    await restore();

    const second = await node();
    expect((await second.enter([...after, ...waiting])).every((text) => text !== null)).toBe(true);
    const log = await second.audit();
    expect(second.restored).toEqual([700]);
    expect(log.size).toBe(1_005);
    expect(log.leaves.slice(0, published.size)).toEqual(published.leaves);
    expect(new Set(log.leaves.map(({ proof }) => proof)).size).toBe(log.size);
    expect(
      log.leaves
        .slice(1_000)
        .map(({ proof }) => proof)
        .toSorted(),
    ).toEqual(hashesOf(after).toSorted());
  });

  it('gives leaves another place that had one after what was published', async () => {
    const broken = { isBroken: false };
    const first = await node((blobs) => ({
      ...blobs,
      replace: (key, bytes) =>
        broken.isBroken && key.endsWith('/checkpoint')
          ? Promise.reject(new Error('no space left'))
          : blobs.replace(key, bytes),
    }));
    await first.enter(proofs(10));
    await backUp();
    broken.isBroken = true;
    // they have a place and files, and no checkpoint
    const late = proofs(5);
    expect(await first.enter(late)).toEqual(late.map(() => null));
    await first.sequencer.close();
    await restore();
    const others = proofs(7);
    const second = await node();
    await second.enter(others);
    const log = await second.audit();
    expect(
      log.leaves
        .slice(10)
        .map(({ proof }) => proof)
        .toSorted(),
    ).toEqual(hashesOf(others).toSorted());
  });
});

describe('a log that contradicts what was published', () => {
  it('signs nothing if tiles have another root than the checkpoint, and says so; proofs are published bare', async () => {
    const first = await node();
    await first.enter(proofs(3));
    await first.sequencer.close();
    const checkpoint = await readFile(logPath(folder, 'checkpoint'), 'utf8');
    const tile = logPath(folder, 'tile/0/000.p/3');
    await copyFile(tile, `${tile}.kept`);
    await writeFile(tile, randomBytes(96));
    const second = await node();
    expect(await second.enter(proofs(1))).toEqual([null]);
    expect(await readFile(logPath(folder, 'checkpoint'), 'utf8')).toBe(checkpoint);
    const [row] = await database.query<{ refusal: string }>('select refusal from log_shards');
    expect(row?.refusal).toContain('would fork it');
    // once it is repaired, what waited is logged
    await copyFile(`${tile}.kept`, tile);
    const third = await node();
    await third.sequencer.run();
    expect((await third.audit()).size).toBe(4);
    expect(await database.query('select refusal from log_shards')).toEqual([{ refusal: null }]);
  });

  it('signs nothing over a checkpoint of another key', async () => {
    const first = await node();
    await first.enter(proofs(3));
    const path = logPath(folder, 'checkpoint');
    const text = await readFile(path, 'utf8');
    await writeFile(
      path,
      text.replace(
        / (.{20})(.)(.*)\n$/,
        (_, head, one, tail) => ` ${head}${one === 'A' ? 'B' : 'A'}${tail}\n`,
      ),
    );
    expect(await first.enter(proofs(1))).toEqual([null]);
    const [row] = await database.query<{ refusal: string }>('select refusal from log_shards');
    expect(row?.refusal).toContain('not signed by its key');
  });
});

describe('a database that others can write to', () => {
  it('does not make the service sign, or publish, a tree that its key has not signed', async () => {
    const first = await node();
    await first.enter(proofs(3));
    const before = await readFile(logPath(folder, 'checkpoint'), 'utf8');
    const [row] = await database.query<{ checkpoint: string }>('select checkpoint from log_shards');
    // as if two leaves had never been
    await database.query(
      "update log_shards set size = 5, assigned = 5, checkpoint = replace(checkpoint, E'\\n3\\n', E'\\n5\\n')",
    );
    expect(await first.enter(proofs(1))).toEqual([null]);
    expect(await readFile(logPath(folder, 'checkpoint'), 'utf8')).toBe(before);
    await database.query('update log_shards set size = 3, assigned = 3, checkpoint = $1', [row?.checkpoint]);
    // a published leaf that was changed afterwards is not what the next files are made of
    await database.query("update log_leaves set leaf = replace(leaf, 'shop.example', 'evil.example')");
    const second = await node();
    await second.enter(proofs(2));
    const log = await second.audit();
    expect(log.leaves.slice(0, 3).map(({ domain }) => domain)).toEqual(Array(3).fill('shop.example'));
  });
});

describe('files that cannot be written', () => {
  it('keep no proof from being published, at once from then on; all are logged when they can be written again', async () => {
    const state = { isBroken: true };
    const first = await node((blobs) => ({
      ...blobs,
      replace: (key, bytes) =>
        state.isBroken && key.includes('/tile/')
          ? Promise.reject(new Error('no space left'))
          : blobs.replace(key, bytes),
    }));
    const all = proofs(4);
    expect(await first.enter(all.slice(0, 2))).toEqual([null, null]);
    expect(first.sequencer.isFailing()).toBe(true);
    expect(await first.enter(all.slice(2))).toEqual([null, null]);
    await expect(readFile(logPath(folder, 'checkpoint'))).rejects.toThrow();
    state.isBroken = false;
    await first.sequencer.run();
    expect((await first.audit()).leaves.map(({ proof }) => proof).toSorted()).toEqual(
      hashesOf(all).toSorted(),
    );
  });
});

describe('two nodes on one database', () => {
  it('log each proof once, in one order, with the same inclusion for whoever asks', async () => {
    const nodes = [await node(), await openLogNode({ db: database.open().db, masterKey, folder })];
    const all = proofs(600);
    const texts = await Promise.all(
      nodes.flatMap(({ enter }) =>
        Array.from({ length: 6 }, (_, at) => enter(all.slice(at * 100, at * 100 + 100))),
      ),
    );
    expect(texts.flat().filter((text) => text === null)).toEqual([]);
    const log = await nodes[0]?.audit();
    expect(log?.leaves.map(({ proof }) => proof).toSorted()).toEqual(hashesOf(all).toSorted());
  });

  it('removes partial tiles once there is the full one, and serves inclusions all the same', async () => {
    const one = await node();
    for (let n = 0; n < 4; n += 1) await one.enter(proofs(80));
    await expect(readFile(logPath(folder, 'tile/0/000.p/80'))).rejects.toThrow();
    await expect(readFile(logPath(folder, 'tile/entries/000.p/160'))).rejects.toThrow();
    expect((await readFile(logPath(folder, 'tile/0/000'))).length).toBe(8_192);
    expect((await one.audit()).size).toBe(320);
  });
});
