import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Policy, parseNote, parsePolicy, quorumMet, verifyNote } from '@touchstone/certificate/log';
import { createApiClient } from '@touchstone/fetch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { statementOf } from './get-log.ts';
import { readShards, type Shard } from './shards.ts';
import { openLogNode, TEST_YEAR, testProof } from './testing/log-node.ts';
import { startWitness, type TestWitness } from './testing/witness.ts';
import { createWitnesses, readPolicyFile } from './witnesses.ts';

let database: TestDatabase;
let folder: string;
let node: Awaited<ReturnType<typeof openLogNode>>;
let witnesses: [TestWitness, TestWitness, TestWitness];
let policy: Policy;
let ask: () => Promise<void>;

beforeEach(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'touchstone-log-'));
  node = await openLogNode({ db: database.db, masterKey: randomBytes(32), folder });
  const start = (nth: number) => startWitness(`w${nth}.example`, async () => [await node.key()]);
  witnesses = [await start(1), await start(2), await start(3)];
  const lines = witnesses.map(({ vkey }, at) => `witness w${at + 1} ${vkey} http://w${at + 1}.example`);
  policy = (await parsePolicy([...lines, 'group two 2 w1 w2 w3', 'quorum two', ''].join('\n'))) as Policy;
  const connectTo = witnesses.map(({ port }, at) => ({
    host: `w${at + 1}.example`,
    address: '127.0.0.1',
    toPort: port,
  }));
  const asking = createWitnesses({
    db: database.db,
    policy: { ...policy, lines },
    client: createApiClient({ userAgent: 'test/1', connectTo }),
    storeOf: () => node.store,
    onAnswer: () => {},
  });
  ask = async () => {
    await database.query('update log_witnesses set asked_at = null');
    await asking.ask({ year: TEST_YEAR, number: 1 });
  };
});
afterEach(async () => {
  await node.sequencer.close();
  await Promise.all(witnesses.map((witness) => witness.close()));
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

const grow = (count: number) => node.enter(Array.from({ length: count }, () => testProof()));

async function shard(): Promise<Shard> {
  const [only] = await readShards(database.db);
  if (only === undefined) throw new Error('there is no log');
  return only;
}

/** The witnesses whose cosignature a note has, as a verifier finds them. */
async function cosigners(text: string | null): Promise<string[]> {
  const note = parseNote(text ?? '');
  if (typeof note === 'string') return [];
  const verified = await verifyNote(
    note,
    policy.witnesses.map(({ key }) => key),
  );
  if (typeof verified === 'string') throw new Error(verified);
  return verified.map(({ key }) => policy.witnesses.find((one) => one.key === key)?.name ?? '').toSorted();
}

const answers = async () =>
  Object.fromEntries(
    (await database.query<{ name: string; answer: string }>('select name, answer from log_witnesses')).map(
      ({ name, answer }) => [name, answer],
    ),
  );

describe('witnesses', () => {
  it('cosign each checkpoint with a proof that the log only grew; those of a quorum are kept with it', async () => {
    await grow(3);
    expect(statementOf([await shard()], policy)).toBe('logged, not witnessed');
    await ask();
    const { witnessed, witnessed_size, checkpoint, cosignatures } = await shard();
    expect([await cosigners(witnessed), witnessed_size]).toEqual([['w1', 'w2', 'w3'], 3]);
    expect(await cosigners(`${checkpoint}${cosignatures}`)).toEqual(['w1', 'w2', 'w3']);
    expect(quorumMet(policy, new Set(await cosigners(witnessed)))).toBe(true);
    expect(statementOf([await shard()], policy)).toBe('witnessed');
    await grow(600);
    // the former stays until the new one has its quorum
    expect((await shard()).witnessed_size).toBe(3);
    await ask();
    expect((await shard()).witnessed_size).toBe(603);
    expect(witnesses.map(({ statuses }) => statuses)).toEqual([
      [200, 200],
      [200, 200],
      [200, 200],
    ]);
  });

  it('of which one lies, one is late and one is gone make no quorum; with the late one and an honest one there is one', async () => {
    const [lying, late, gone] = witnesses;
    lying.mood = 'lying';
    late.mood = 'late';
    gone.mood = 'gone';
    await grow(3);
    const asked = ask();
    await expect.poll(async () => (await answers()).w1).toBe('200, but its cosignature is invalid');
    expect((await shard()).witnessed).toBeNull();
    late.release();
    await asked;
    expect(await answers()).toMatchObject({ w2: '200' });
    expect((await answers()).w3).not.toBe('200');
    const { witnessed, checkpoint, cosignatures } = await shard();
    expect([witnessed, await cosigners(`${checkpoint}${cosignatures}`)]).toEqual([null, ['w2']]);
    gone.mood = 'honest';
    await ask();
    expect(await cosigners((await shard()).witnessed)).toEqual(['w2', 'w3']);
  });

  it('of which one signs another text than the checkpoint give no cosignature that readers would refuse', async () => {
    witnesses[0].mood = 'covering';
    await grow(3);
    await ask();
    expect((await answers()).w1).toBe('200, but no cosignature');
    const { witnessed, checkpoint, cosignatures } = await shard();
    expect(await cosigners(`${checkpoint}${cosignatures}`)).toEqual(['w2', 'w3']);
    expect(await cosigners(witnessed)).toEqual(['w2', 'w3']);
  });

  it('that know another checkpoint than we think are asked again from theirs (409)', async () => {
    await grow(3);
    await ask();
    await database.query('update log_witnesses set size = 0, cosigned_at = null');
    await grow(4);
    await ask();
    expect((await shard()).witnessed_size).toBe(7);
    expect(witnesses[0].statuses).toEqual([200, 409, 200]);
  });

  it('that have seen more than this log has are told of, and cosign nothing', async () => {
    await grow(3);
    const { name } = await node.key();
    for (const { heads } of witnesses) heads.set(name, { size: 9, root: new Uint8Array(32) });
    await ask();
    expect((await shard()).witnessed).toBeNull();
    expect((await answers()).w1).toBe('409: it has cosigned 9 leaves, more than this log has');
  });

  it.each([
    [
      422,
      (witness: TestWitness, origin: string) =>
        witness.heads.set(origin, { size: 2, root: new Uint8Array(32) }),
    ],
    [404, (witness: TestWitness) => witness.logKeys.splice(0)],
    [400, (witness: TestWitness) => witness.refuse(400)],
    [403, (witness: TestWitness) => witness.refuse(403)],
  ] as const)('that answer %i are noted with it, and asked again later', async (status, spoil) => {
    await grow(3);
    const { name } = await node.key();
    for (const witness of witnesses) spoil(witness, name);
    if (status === 422)
      await database.query(
        "insert into log_witnesses (year, number, name, size) select $1, 1, unnest('{w1,w2,w3}'::text[]), 2",
        [TEST_YEAR],
      );
    await ask();
    expect(await answers()).toEqual({ w1: `${status}`, w2: `${status}`, w3: `${status}` });
    expect((await shard()).witnessed).toBeNull();
  });
});

describe('the policy file', () => {
  it('is refused at the start with its line, if it is none', async () => {
    const path = join(folder, 'policy');
    await writeFile(path, 'quorum none\nwitness w1\n');
    await expect(readPolicyFile(path)).rejects.toThrow(/LOG_POLICY \(.*, line 2\) is no tlog-policy/);
    await expect(readPolicyFile(`${path}-missing`)).rejects.toThrow(/cannot be read/);
  });
});
