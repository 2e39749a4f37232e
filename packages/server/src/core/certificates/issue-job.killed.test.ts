import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { openJobQueue } from '../../platform/jobs/job-queue.ts';
import { releaseAbandonedWork } from '../release-abandoned-work.ts';
import { runIssueJob } from './issue-job.ts';
import { certificateProgress } from './issue-progress.ts';
import { CERTIFICATES_AHEAD } from './order-certificates.ts';
import { BASE_URL, type TestShop, testNode, testShop } from './testing.ts';

const PRODUCTS = 20;
const now = Date.UTC(2026, 0, 1);
const masterKey = randomBytes(32);

let database: TestDatabase;
let shop: TestShop;

beforeEach(async () => {
  database = await testDatabase();
  shop = await testShop(database);
  for (let count = 0; count < PRODUCTS; count += 1) await shop.addProduct();
});
afterEach(() => database.close());

/** A node takes the products, records what it will sign, and is killed (SIGKILL) at signature number `signatures`. */
async function killedAt(signatures: number): Promise<void> {
  const addresses = { baseUrl: BASE_URL, namespaceUrl: `${BASE_URL}/ns#` };
  const { connection } = database;
  const job = { connection, masterKey: masterKey.toString('hex'), addresses, now, signatures };
  const script = fileURLToPath(new URL('testing/killed-job.ts', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(job)], { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
}

/** Restarts the node and runs the one job that it finds. */
async function runAgain(): Promise<void> {
  const clock = () => new Date(now + 1_000);
  const node = await testNode(database, { clock, masterKey });
  const { db } = node;
  const queue = openJobQueue({ db, name: CERTIFICATES_AHEAD, perResource: 1_000 });
  const [job] = await queue.claim(1);
  if (job === undefined) throw new Error('the job is not ready');
  await runIssueJob(job, { db, queue, clock, issueBatch: node.issueBatch }, new AbortController().signal);
  await node.close();
}

const taken = () => database.query('select from certificate_due where taken is not null');
const intents = () =>
  database.query<{ payload: string; signature: string | null }>(
    'select payload, signature from proofs order by id',
  );

test.each([1, 7])(
  'what a node had taken when it was killed at signature %i is issued at the next start',
  async (at) => {
    await killedAt(at);
    expect(await taken()).toHaveLength(PRODUCTS);
    const recorded = await intents();
    expect(recorded).toHaveLength(PRODUCTS);
    expect(recorded.every(({ signature }) => signature === null)).toBe(true);

    await releaseAbandonedWork(database.db);
    expect(await taken()).toEqual([]);
    await runAgain();
    expect(await certificateProgress(database, 'all', shop.storeId)).toMatchObject({
      state: 'done',
      certificates: PRODUCTS,
      left: 0,
    });
    // the very intents that the killed one had recorded
    const signed = await intents();
    expect(signed.map(({ payload }) => payload)).toEqual(recorded.map(({ payload }) => payload));
    expect(signed.every(({ signature }) => signature !== null)).toBe(true);
  },
);

test('another node that takes over the job does not wait for what the killed one had taken', async () => {
  await killedAt(1);
  // as after the seconds that the job stays with a node without a sign of life
  await database.query("update jobs set leased_until = now() - interval '1 second' where state = 'running'");
  await runAgain();
  expect(await taken()).toEqual([]);
  expect(await certificateProgress(database, 'all', shop.storeId)).toMatchObject({
    state: 'done',
    certificates: PRODUCTS,
  });
});
