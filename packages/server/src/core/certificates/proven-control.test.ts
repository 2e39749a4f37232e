import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emitterOf } from '../../parts.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { provenOwner, readOwner, updateOwner } from '../../platform/database/hostname-owners.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { beginProof, endProof } from '../registry/domains/hostname-claims.ts';
import { visitCertificates } from './order-certificates.ts';
import { parse, type TestNode, type TestShop, testNode, testShop } from './testing.ts';

const emit = emitterOf({ without: [] });

const HOST = 'shop.example';
const START = Date.UTC(2026, 2, 1, 12);
const DAY = 86_400_000;
const masterKey = randomBytes(32);

let database: TestDatabase;
let shop: TestShop;
let productId: string;
let now: Date;
let node: TestNode;
let other: TestNode;

beforeEach(async () => {
  database = await testDatabase();
  shop = await testShop(database, HOST);
  ({ productId } = await shop.addProduct());
  now = new Date(START);
  node = await testNode(database, { clock: () => now, masterKey });
  other = await testNode(database, { clock: () => now, masterKey });
});
afterEach(async () => {
  await node.close();
  await other.close();
  await database.close();
});

const rows = () => node.secrets.rows;
const prove = (method: 'dns_txt' | 'well_known' = 'dns_txt') =>
  inTransaction(node.db, (trx) =>
    beginProof(
      { secrets: node.secrets, emit },
      trx,
      provenOwner({ hostname: HOST, merchant_id: shop.merchantId, method }, now),
      now,
    ),
  );
const lose = () => inTransaction(node.db, (trx) => endProof({ emit }, trx, HOST, shop.merchantId));
async function checkAgain() {
  const owner = await readOwner(node.db, rows(), HOST);
  if (owner !== null) await updateOwner(node.db, rows(), owner, { confirmed_at: now, checkAt: now });
}
/** As the worker does, without being asked by anybody. */
async function issueAhead(): Promise<number> {
  let checked = 0;
  for (let batch = 1; batch > 0; checked += batch) batch = await node.issueBatch(shop.store);
  return checked;
}
const issued = () =>
  database.query<{ payload: string }>(
    'select payload from certificate_lines l join proofs p on p.id = l.proof_id order by p.id',
  );
const claimsIn = (payload = '') => JSON.parse(Buffer.from(payload, 'base64url').toString());
const controls = async () => (await issued()).map(({ payload }) => claimsIn(payload).control);
const seconds = (time: number) => Math.floor(time / 1000);

test('certificates say that control is not proven, and are made anew by themselves when it is, and when it no longer is', async () => {
  await shop.addProduct();
  await issueAhead();
  expect(await controls()).toEqual([{ method: 'none' }, { method: 'none' }]);
  now = new Date(START + DAY);
  await prove();
  // however many products there are, this is one row for their store
  expect(await database.query('select from certificate_due')).toEqual([]);
  const proven = { method: 'dns_txt', checkedAt: seconds(START + DAY) };
  expect(await issueAhead()).toBe(2);
  expect(await controls()).toEqual([proven, proven]);
  now = new Date(START + 2 * DAY);
  await lose();
  expect(await issueAhead()).toBe(2);
  // the proofs of before are the true ones again
  expect(await controls()).toEqual([{ method: 'none' }, { method: 'none' }]);
  // proven anew by the same method: the time of the former proof is past
  await prove();
  await issueAhead();
  expect((await controls())[0]).toEqual({ ...proven, checkedAt: seconds(START + 2 * DAY) });
});

test('a check that succeeds again makes no new proof; the next renewal states its time', async () => {
  await prove();
  await issueAhead();
  const before = await issued();
  const { signatures } = node.counts;
  now = new Date(START + 1000);
  await checkAgain();
  expect(await issueAhead()).toBe(0);
  // not even if every product of the store is visited
  await inTransaction(database.db, (trx) => visitCertificates(trx, shop.merchantId, [shop.storeId]));
  expect(await issueAhead()).toBe(1);
  await node.getCertificate(productId);
  expect(await issued()).toEqual(before);
  expect(node.counts.signatures).toBe(signatures);
  now = new Date(START + 4.75 * DAY);
  await issueAhead();
  expect(await controls()).toEqual([{ method: 'dns_txt', checkedAt: seconds(START + 1000) }]);
});

test('two nodes serve the same bytes, also if control is checked between their answers', async () => {
  await prove();
  const first = await node.getCertificate(productId);
  now = new Date(START + DAY);
  await checkAgain();
  const second = await other.getCertificate(productId);
  expect(second.body).toEqual(first.body);
  expect(second.headers).toEqual(first.headers);
  expect(claimsIn(parse(first).proof.jwt.split('.')[1]).control.checkedAt).toBe(seconds(START));
});

test('a row that the service did not write proves nothing', async () => {
  await prove();
  await database.query("update hostname_owners set method = 'meta_tag'");
  await issueAhead();
  expect(await controls()).toEqual([{ method: 'none' }]);
});
