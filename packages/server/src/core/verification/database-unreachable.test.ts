import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../platform/database/database.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { testShop } from '../certificates/testing.ts';
import { verifyingNode } from './testing.ts';

let database: TestDatabase;
let time = 0;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('an unreachable database is a 503 for everything except the public keys, until it can be reached again', async () => {
  const shop = await testShop(database);
  const { productId, imageIds, url } = await shop.addProduct();
  const role = `node_${randomBytes(4).toString('hex')}`;
  const password = randomBytes(8).toString('hex');
  await database.query(`create role ${role} login superuser password '${password}'`);
  const connection = { ...database.connection, user: role, password };
  const pool = openDatabase({ connection, max: 4 });
  const node = await verifyingNode(database, {
    clock: () => new Date(Date.UTC(2026, 0, 1)),
    db: pool.db,
    connection,
    monotonic: () => performance.now() + time,
  });
  const asked = () => [
    node.getCertificate(productId),
    node.getAssetCertificate(imageIds[0] ?? ''),
    node.getImageCertificate(imageIds[0] ?? '', 'full'),
    node.verifyImage({ imageId: imageIds[0] ?? '', domain: 'shop.example' }),
    node.verifyProduct({ productId, pageUrl: url }),
    node.getJwks(),
  ];
  const codes = async () =>
    (await Promise.allSettled(asked())).map((one) => (one.status === 'fulfilled' ? 'ok' : one.reason.code));
  expect(await codes()).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
  // the first certificate made the first key, and its announcement empties what memory holds of the keys: the mark is
  // received after it, since PostgreSQL announces in the order of commits
  const marked = new Promise<void>((resolve) => {
    node.changes.subscribe((change) => change === 'p:mark' && resolve());
  });
  await database.query("select pg_notify('touchstone_changed', 'p:mark')");
  await marked;
  expect(await codes()).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
  // not reachable for this node: its role may not log in any more, and its sessions are ended
  await database.query(`alter role ${role} nologin`);
  await database.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
  // past the second for which memory may still answer
  time += 1_000;
  const code = 'database_unavailable';
  expect(await codes()).toEqual([code, code, code, code, code, 'ok']);
  await database.query(`alter role ${role} login`);
  expect(await codes()).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
  await node.listener.whenProven(AbortSignal.timeout(60_000));
  await node.close();
  await pool.close();
  await database.query(`drop role ${role}`);
});
