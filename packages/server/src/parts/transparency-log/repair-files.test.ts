import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { publishNewest, repairFiles } from './repair-files.ts';
import { logPath, openLogNode, TEST_YEAR, testProof } from './testing/log-node.ts';

const masterKey = randomBytes(32);
const LOG = { year: TEST_YEAR, number: 1 };

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'touchstone-repair-'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const node = () => openLogNode({ db: database.db, masterKey, folder });
const proofs = (count: number) => Array.from({ length: count }, () => testProof());
const at = (path: string) => logPath(folder, path);

describe('files of a log that were lost', () => {
  it('are made again from its leaves, with those that were damaged, and no others: an auditor finds all as before', async () => {
    const one = await node();
    for (const count of [600, 100]) await one.enter(proofs(count));
    const before = await one.audit();
    expect(await repairFiles(one.options, LOG)).toEqual([]);
    const lost = ['tile/0/000', 'tile/0/002.p/188', 'tile/1/000.p/2', 'tile/entries/001', 'checkpoint'];
    for (const path of lost) await rm(at(path));
    const damaged = await readFile(at('tile/entries/000'));
    damaged[300] = (damaged[300] ?? 0) ^ 1;
    await writeFile(at('tile/entries/000'), damaged);
    // a part of it, as a disk leaves it that was full
    await writeFile(at('tile/0/001'), (await readFile(at('tile/0/001'))).subarray(0, 100));
    const written = await repairFiles(one.options, LOG);
    expect(written.toSorted()).toEqual([...lost, 'tile/entries/000', 'tile/0/001'].toSorted());
    expect(await one.audit()).toEqual(before);
  });

  it('even all of them, so that the log grows again', async () => {
    const one = await node();
    await one.enter(proofs(300));
    await one.sequencer.close();
    await rm(at(''), { recursive: true });
    const two = await node();
    expect(await two.enter(proofs(1))).toEqual([null]);
    expect(two.sequencer.takeDamaged()).toBe(true);
    await repairFiles(two.options, LOG);
    await two.sequencer.run();
    expect((await two.audit()).size).toBe(301);
  });

  it('are not made of leaves that are not those of the checkpoint, nor for a checkpoint that the log has not signed', async () => {
    const one = await node();
    await one.enter(proofs(300));
    await rm(at('tile/entries/000'));
    const [leaf] = await database.query<{ leaf: string }>('select leaf from log_leaves where index = 7');
    await database.query("update log_leaves set leaf = replace(leaf, 'shop.', 'evil.') where index = 7");
    await expect(repairFiles(one.options, LOG)).rejects.toThrow('do not have the root that was signed');
    await database.query('update log_leaves set leaf = $1 where index = 7', [leaf?.leaf]);
    await database.query(
      "update log_shards set checkpoint = replace(checkpoint, E'\\n300\\n', E'\\n299\\n')",
    );
    await expect(repairFiles(one.options, LOG)).rejects.toThrow('not one that its key has signed');
    await database.query('update log_shards set size = 299');
    await expect(repairFiles(one.options, LOG)).rejects.toThrow('not one that its key has signed');
    await expect(readFile(at('tile/entries/000'))).rejects.toThrow('ENOENT');
  });
});

describe('a process that loses its lock before its checkpoint gets its name', () => {
  it('does not leave an older checkpoint in place of a newer one', async () => {
    const other = await openLogNode({ db: database.open().db, masterKey, folder });
    await other.enter(proofs(3));
    let isSlow = false;
    const pool = database.open({ applicationName: 'slow node' });
    const slow = await openLogNode({
      db: pool.db,
      masterKey,
      folder,
      wrap: (blobs) => ({
        ...blobs,
        async replace(key, bytes) {
          if (isSlow && key.endsWith('/checkpoint')) {
            isSlow = false;
            await database.query(
              "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'slow node'",
            );
            await other.enter(proofs(5));
          }
          await blobs.replace(key, bytes);
        },
      }),
    });
    isSlow = true;
    await slow.enter(proofs(2));
    const published = async () => Number((await readFile(at('checkpoint'), 'utf8')).split('\n')[1]);
    expect(await published()).toBe(10);
    expect((await other.audit()).size).toBe(10);
  });

  it('or dies with it: any other puts the newest in place again', async () => {
    const one = await node();
    await one.enter(proofs(3));
    const old = await readFile(at('checkpoint'), 'utf8');
    await one.enter(proofs(3));
    await writeFile(at('checkpoint'), old);
    expect(await publishNewest(one.options, LOG)).toBe(true);
    expect(await publishNewest(one.options, LOG)).toBe(false);
    expect((await one.audit()).size).toBe(6);
    // what the log has not signed is for its operator to see
    await writeFile(at('checkpoint'), old.replace('\n3\n', '\n2\n'));
    expect(await publishNewest(one.options, LOG)).toBe(false);
  });
});
