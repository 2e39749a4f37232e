import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { ServiceError } from '../../platform/errors.ts';
import { type JobQueue, openJobQueue } from '../../platform/jobs/job-queue.ts';
import { deleteStore } from '../registry/stores/stores.ts';
import { registryOf } from '../registry/testing.ts';
import type { IssueBatch } from './issue-batch.ts';
import { runIssueJob } from './issue-job.ts';
import { certificateProgress } from './issue-progress.ts';
import { CERTIFICATES_AHEAD } from './order-certificates.ts';
import { changeProducts, type TestNode, type TestShop, testNode, testShop } from './testing.ts';

const DAY = 86_400_000;

let database: TestDatabase;
let shop: TestShop;
let now: Date;
let node: TestNode;
let queue: JobQueue;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  shop = await testShop(database);
  now = new Date('2026-03-01T12:00:00Z');
  node = await testNode(database, { clock: () => now, masterKey: randomBytes(32) });
  queue = openJobQueue({ db: database.db, name: CERTIFICATES_AHEAD, perResource: 1_000 });
});
afterEach(async () => {
  await node.close();
  await database.empty();
});
afterAll(() => database.close());

/** Runs the job of the shop, if it is ready. */
async function work(issueBatch: IssueBatch = node.issueBatch): Promise<boolean> {
  const [job] = await queue.claim(1);
  if (job === undefined) return false;
  const options = { db: database.db, queue, clock: () => now, issueBatch };
  await runIssueJob(job, options, new AbortController().signal);
  return true;
}

const job = async () =>
  (
    await database.query('select state, orders, result, failure from jobs where queue = $1', ['certificates'])
  )[0];
const progress = () => certificateProgress(database, 'all', shop.storeId);

test('products schedule the job of their store once, however many they are, and it sleeps until a renewal is due', async () => {
  expect(await work()).toBe(false);
  for (let count = 0; count < 3; count += 1) await shop.addProduct();
  expect(await job()).toMatchObject({ state: 'ready' });
  expect(await progress()).toMatchObject({ state: 'waiting', certificates: 0, left: 3, total: 3 });
  await work();
  expect(await job()).toMatchObject({ state: 'scheduled', result: 'done' });
  expect(await progress()).toMatchObject({ state: 'done', certificates: 3, done: 3, left: 0, failed: 0 });
});

test('products scheduled while it runs are issued afterwards', async () => {
  await shop.addProduct();
  await work(async (storeId) => {
    const checked = await node.issueBatch(storeId);
    if (checked === 0) await shop.addProduct();
    return checked;
  });
  expect(await job()).toMatchObject({ state: 'ready' });
  await work();
  expect(await progress()).toMatchObject({ certificates: expect.any(Number), left: expect.any(Number) });
  expect((await database.query('select from certificate_lines')).length).toBeGreaterThanOrEqual(2);
});

test('if no proof can be signed it is retried, and the progress says why', async () => {
  await shop.addProduct();
  const refuse = () => Promise.reject(new ServiceError('signer_unavailable'));
  await expect(work(refuse)).rejects.toThrow('signer_unavailable');
  expect(await job()).toMatchObject({ state: 'scheduled', failure: { code: 'signer_unavailable' } });
  expect(await progress()).toMatchObject({
    state: 'waiting',
    left: 1,
    lastFailure: { code: 'signer_unavailable', attempts: 1 },
  });
});

test('a product that cannot be issued delays no other, and is retried later', async () => {
  const { productId } = await shop.addProduct();
  await shop.addProduct();
  // longer than a proof may be
  await changeProducts(database, [productId], `url = 'https://shop.example/${'x'.repeat(9_000)}'`);
  await work();
  expect(await progress()).toMatchObject({
    certificates: 1,
    left: 1,
    failed: 1,
    lastFailure: { code: 'certificate_not_made' },
  });
  await changeProducts(database, [productId], "url = 'https://shop.example/x'");
  await work();
  expect(await progress()).toMatchObject({ certificates: 2, left: 0, failed: 0 });
});

test('nothing of a deleted store is kept, and nothing is issued', async () => {
  for (let count = 0; count < 3; count += 1) await shop.addProduct();
  await work();
  await deleteStore(registryOf(database), 'all', shop.storeId);
  const { signatures } = node.counts;
  await work();
  expect(await database.query('select from certificate_due union all select from certificate_lines')).toEqual(
    [],
  );
  expect(await job()).toMatchObject({ state: 'idle' });
  now = new Date(now.getTime() + 5 * DAY);
  expect(await work()).toBe(false);
  expect(node.counts.signatures).toBe(signatures);
});

test('revoking a key schedules every store', async () => {
  await shop.addProduct();
  await work();
  const keys = await node.keys.list();
  await node.keys.revoke(keys.find(({ activeFrom }) => activeFrom !== undefined)?.kid ?? '');
  expect(await job()).toMatchObject({ state: 'ready' });
});

test('certificates dated in the future, from before the clock was set back, are replaced', async () => {
  await shop.addProduct();
  const right = now;
  now = new Date(right.getTime() + DAY);
  await work();
  const dates = () =>
    database.query('select issued_at from certificate_lines l join proofs p on p.id = l.proof_id');
  expect(await dates()).toEqual([{ issued_at: now }]);
  await node.orderFutureDated();
  expect(await work()).toBe(false);
  now = right;
  await node.orderFutureDated();
  // asked again before it was done, it changes nothing
  await node.orderFutureDated();
  expect(await progress()).toMatchObject({ left: 1 });
  await work();
  expect(await dates()).toEqual([{ issued_at: right }]);
  await node.orderFutureDated();
  expect(await progress()).toMatchObject({ left: 0 });
});
