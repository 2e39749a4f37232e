import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announce } from '../../platform/cache/announce.ts';
import { announcedIn, createChangeHub } from '../../platform/cache/changes.ts';
import { type Database, openDatabase } from '../../platform/database/database.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { parse, testShop } from '../certificates/testing.ts';
import { verifyingNode } from './testing.ts';

let database: TestDatabase;
let time = 0;
const masterKey = randomBytes(32);

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

describe.each(['listen', 'poll'] as const)('hearing of changes by %s,', (changesBy) => {
  /** A node that warms everything and then loses its database: its role may not log in any more, and its sessions are ended. */
  async function nodeThatLoses(
    staleFor: number,
    before: (db: Database, productId: string) => Promise<void> = async () => {},
  ) {
    const shop = await testShop(database);
    const { productId, imageIds, url } = await shop.addProduct();
    const role = `node_${randomBytes(4).toString('hex')}`;
    const password = randomBytes(8).toString('hex');
    await database.query(`create role ${role} login superuser password '${password}'`);
    const connection = { ...database.connection, user: role, password };
    const hub = createChangeHub();
    const onNotify = (payloads: readonly string[]) => hub.begin(announcedIn(payloads));
    const pool = openDatabase({ connection, max: 4, onNotify });
    const node = await verifyingNode(database, {
      clock: () => new Date(Date.UTC(2026, 0, 1)),
      db: pool.db,
      changes: hub,
      changesBy,
      connection,
      monotonic: () => performance.now() + time,
      staleFor,
      masterKey,
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
    await database.query("select announce_changes(array['p:mark'])");
    await marked;
    expect(await codes()).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
    await before(pool.db, productId);
    await database.query(`alter role ${role} nologin`);
    await database.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [role]);
    // past the second for which memory may still answer
    time += 1_000;
    return {
      node,
      shop,
      codes,
      productId,
      imageId: imageIds[0] ?? '',
      url,
      comeBack: () => database.query(`alter role ${role} login`),
      async close() {
        await node.listener.whenProven(AbortSignal.timeout(60_000));
        await node.close();
        await pool.close();
        await database.query(`drop role ${role}`);
      },
    };
  }

  const OK = ['ok', 'ok', 'ok', 'ok', 'ok', 'ok'];
  const away = 'database_unavailable';
  const OUT = [away, away, away, away, away, 'ok'];

  test('an unreachable database is a 503 for everything except the public keys, until it can be reached again', async () => {
    const { codes, comeBack, close } = await nodeThatLoses(0);
    expect(await codes()).toEqual(OUT);
    await comeBack();
    expect(await codes()).toEqual(OK);
    await close();
  });

  test('what was fresh when the database was lost is answered for a minute, marked as stale, and what was not is a 503', async () => {
    const { node, shop, codes, productId, imageId, url, comeBack, close } = await nodeThatLoses(60_000);
    const other = await shop.addProduct();
    expect(await codes()).toEqual(OK);
    const certificate = await node.getCertificate(productId);
    // no other cache may keep it for a day
    expect(certificate.headers['cache-control']).toBe('public, no-cache');
    expect(certificate.headers).not.toHaveProperty('cdn-cache-control');
    const document = parse(certificate);
    expect(await node.verifyProduct({ productId, pageUrl: url, document })).toMatchObject({
      status: 'verified',
      warnings: expect.arrayContaining([expect.stringMatching(/^registry_stale: /)]),
    });
    expect(await node.verifyImage({ imageId, domain: 'shop.example' })).toMatchObject({
      verified: true,
      warnings: expect.arrayContaining([expect.stringMatching(/^registry_stale: /)]),
    });
    await expect(node.getCertificate(other.productId)).rejects.toMatchObject({ code: away, retryAfter: 2 });
    time += 60_000;
    expect(await codes()).toEqual(OUT);
    await comeBack();
    expect(await codes()).toEqual(OK);
    const back = await node.verifyProduct({ productId, pageUrl: url, document });
    expect(back.warnings.filter((warning) => warning.startsWith('registry_stale'))).toEqual([]);
    await close();
  });

  test('a product that was hidden while a node could not hear of it is not answered any more once the node is back', async () => {
    const { node, codes, productId, comeBack, close } = await nodeThatLoses(60_000);
    expect(await codes()).toEqual(OK);
    await database.query('update products set visible = false, slot_order = null where id = $1', [productId]);
    // it cannot know
    expect(parse(await node.getCertificate(productId))).toHaveProperty('proof');
    await comeBack();
    await node.listener.whenProven(AbortSignal.timeout(60_000));
    expect(parse(await node.getCertificate(productId))).not.toHaveProperty('proof');
    await close();
  });

  test('a change that this node was writing when it lost the database is in doubt, and never answered as it was before', async () => {
    const release = Promise.withResolvers<void>();
    let writing = Promise.resolve();
    const { codes, comeBack, close } = await nodeThatLoses(60_000, async (db, productId) => {
      const announced = Promise.withResolvers<void>();
      writing = db.transaction().execute(async (trx) => {
        await announce(trx, [`p:${productId}`]);
        announced.resolve();
        await release.promise;
      });
      await announced.promise;
    });
    const inDoubt = [away, away, away, away, away, 'ok'];
    expect(await codes()).toEqual(inDoubt);
    release.resolve();
    await expect(writing).rejects.toMatchObject({ code: away });
    expect(await codes()).toEqual(inDoubt);
    await comeBack();
    expect(await codes()).toEqual(OK);
    await close();
  });
});
