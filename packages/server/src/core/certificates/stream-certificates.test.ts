import { randomBytes } from 'node:crypto';
import type { CertificateLine } from '@touchstone/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { changeProducts, type TestNode, type TestShop, testNode, testShop } from './testing.ts';

type Current = Extract<CertificateLine, { status: 'current' }>;

let database: TestDatabase;
let shop: TestShop;
let now: Date;
let node: TestNode;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  shop = await testShop(database);
  now = new Date('2026-03-01T12:00:00Z');
  node = await testNode(database, { clock: () => now, masterKey: randomBytes(32) });
});
afterEach(async () => {
  await node.close();
  await database.empty();
});
afterAll(() => database.close());

async function read(since?: string): Promise<{ texts: string[]; lines: CertificateLine[] }> {
  const texts: string[] = [];
  for await (const some of await node.streamCertificates('all', shop.storeId, since)) texts.push(...some);
  return { texts, lines: texts.map((text) => JSON.parse(text)) };
}

const currents = (lines: readonly CertificateLine[]) =>
  lines.filter((line): line is Current => line.status === 'current');
const cursorOf = (lines: readonly CertificateLine[]) => lines.at(-1)?.cursor;
const change = (productId: string, set: string) => changeProducts(database, [productId], set);

/** The key that signs now: there is no other that may sign before a day has passed. */
async function revoke(): Promise<void> {
  const keys = await node.keys.list();
  await node.keys.revoke(keys.find(({ activeFrom }) => activeFrom !== undefined)?.kid ?? '');
}

test('every certificate is listed, issued on the way if need be, with the bytes that a GET returns', async () => {
  for (let count = 0; count < 5; count += 1) await shop.addProduct();
  await shop.addProduct({ visible: false });
  const { texts, lines } = await read();
  expect(lines.map(({ status }) => status)).toEqual([...Array(5).fill('current'), 'end']);
  expect(lines.at(-1)).toMatchObject({ certificates: 5, withdrawn: 0, failed: 0 });
  for (const [index, line] of currents(lines).entries()) {
    const { body } = await node.getCertificate(line.productId);
    expect(texts[index]).toContain(`"certificate":${String(body)}}\n`);
    expect(line.certificate.productID).toBe(line.productId);
  }
});

test('with a cursor only changes are listed: new, replaced and withdrawn certificates', async () => {
  const [kept, renamed, hidden, deleted, passed] = [
    await shop.addProduct(),
    await shop.addProduct(),
    await shop.addProduct(),
    await shop.addProduct(),
    await shop.addProduct({ visible: false }),
  ];
  const { lines: all } = await read();
  expect((await read(cursorOf(all))).lines).toHaveLength(1);
  await change(renamed.productId, "name = 'Mug'");
  await change(hidden.productId, 'visible = false');
  await change(deleted.productId, 'deleted_at = now()');
  await change(passed.productId, "name = 'Never told'");
  const added = await shop.addProduct();
  const { lines } = await read(cursorOf(all));
  const told = new Map(lines.flatMap((line) => ('productId' in line ? [[line.productId, line]] : [])));
  expect(told.size).toBe(4);
  expect(told.get(renamed.productId)).toMatchObject({ status: 'current' });
  expect(told.get(added.productId)).toMatchObject({ status: 'current' });
  expect(told.get(hidden.productId)).toMatchObject({ status: 'withdrawn', state: 'hidden' });
  expect(told.get(deleted.productId)).toMatchObject({ status: 'withdrawn', state: 'deleted' });
  expect(lines.at(-1)).toMatchObject({ status: 'end', certificates: 2, withdrawn: 2 });
  // who asks for all has nothing to take off
  const present = currents((await read()).lines).map(({ productId }) => productId);
  expect(new Set(present)).toEqual(new Set([kept.productId, renamed.productId, added.productId]));
});

test('an interrupted reader can continue from any line', async () => {
  for (let count = 0; count < 6; count += 1) await shop.addProduct();
  const { lines } = await read();
  const rest = await read(lines[2]?.cursor);
  expect(rest.lines.slice(0, 3)).toEqual(lines.slice(3, 6));
});

test('a reader that leaves midway ends the work done for it', async () => {
  for (let count = 0; count < 3; count += 1) await shop.addProduct();
  for await (const _ of await node.streamCertificates('all', shop.storeId, undefined)) break;
  expect((await read()).lines).toHaveLength(4);
});

test('a certificate that is due for replacement is listed again: after its time, and with the next key', async () => {
  await shop.addProduct();
  const { lines: first } = await read();
  now = new Date(now.getTime() + 4.75 * 86_400_000);
  const { lines: renewed } = await read(cursorOf(first));
  expect(currents(renewed)).toHaveLength(1);
  await revoke();
  const { lines: replaced } = await read(cursorOf(renewed));
  const certificates = [first, renewed, replaced].map((lines) =>
    JSON.stringify(currents(lines)[0]?.certificate),
  );
  expect(new Set(certificates).size).toBe(3);
});

test('a fault midway is reported in the last line, with the cursor to continue from', async () => {
  await shop.addProduct();
  const { lines: first } = await read();
  // the next key cannot sign either
  await database.query('update signing_keys set private_key = null');
  await revoke();
  await shop.addProduct();
  const { lines } = await read(cursorOf(first));
  expect(lines.at(-1)).toMatchObject({
    status: 'aborted',
    code: 'signer_unavailable',
    cursor: cursorOf(first),
  });
});

test('a cursor of another store, of no store or of the future is refused', async () => {
  await shop.addProduct();
  const { lines } = await read();
  const other = await testShop(database, 'other.example');
  const ask = (storeId: string, since: string) => node.streamCertificates('all', storeId, since);
  await expect(ask(other.storeId, cursorOf(lines) ?? '')).rejects.toMatchObject({ code: 'bad_request' });
  await expect(ask(shop.storeId, 'junk')).rejects.toMatchObject({ code: 'bad_request' });
  const future = Buffer.from(`v1:${shop.storeId}:99`).toString('base64url');
  await expect(ask(shop.storeId, future)).rejects.toMatchObject({
    message: expect.stringContaining('restored from a backup'),
  });
  await expect(
    node.streamCertificates({ merchantId: other.merchantId }, shop.storeId, undefined),
  ).rejects.toMatchObject({ code: 'store_unknown' });
});
