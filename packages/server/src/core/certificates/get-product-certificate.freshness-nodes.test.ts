import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { changeProducts, type TestNode, testNode, testShop } from './testing.ts';

const masterKey = randomBytes(32);
const clock = () => new Date(Date.UTC(2026, 0, 1));
let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** The version of the product that a node shows, by the name that it signed. */
async function versionAt(node: TestNode, productId: string): Promise<number> {
  const { body } = await node.getCertificate(productId);
  const payload = JSON.parse(String(body)).proof.jwt.split('.')[1];
  return Number(JSON.parse(Buffer.from(payload, 'base64url').toString()).productName.slice(1));
}

/**
 * A product changes about twenty times a second, its listeners are killed occasionally, and two nodes receive continuous
 * requests. No answer may be older than a second; on the node that writes, no answer may be outdated at all.
 */
test.each(['listen', 'poll'] as const)(
  'no node ever serves what was overwritten a second ago, under continuous changes and lost listeners (%s)',
  async (changesBy) => {
    const writer = await testNode(database, { clock, masterKey, changesBy });
    const other = await testNode(database, { clock, masterKey, changesBy });
    const { productId } = await (await testShop(database, `${changesBy}.example`)).addProduct();
    const committed: number[] = [];
    const write = async () => {
      const version = committed.length;
      await changeProducts(database, [productId], `name = 'v${version}'`);
      writer.changes.publish(`p:${productId}`);
      committed.push(performance.now());
    };
    await write();
    const end = performance.now() + 6_000;
    const reads = { writer: 0, other: 0 };
    const isEnough = () => Math.min(reads.writer, reads.other, committed.length) > 20;
    // on a busy machine for longer, so that there was something to see
    const during = async (work: () => Promise<unknown>, pause: () => number) => {
      while (performance.now() < end || !isEnough()) {
        await work();
        await delay(pause());
      }
    };
    await Promise.all([
      during(write, () => 20 + Math.random() * 60),
      during(
        () =>
          database.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'touchstone listener' and datname = current_database() and random() < 0.6`,
          ),
        () => 300 + Math.random() * 900,
      ),
      during(
        async () => {
          const least = committed.length - 1;
          expect(await versionAt(writer, productId)).toBeGreaterThanOrEqual(least);
          reads.writer += 1;
        },
        () => Math.random() * 3,
      ),
      during(
        async () => {
          const asked = performance.now();
          const least = committed.findLastIndex((at) => at <= asked - 1_000);
          expect(await versionAt(other, productId)).toBeGreaterThanOrEqual(least);
          reads.other += 1;
        },
        () => Math.random() * 3,
      ),
    ]);
    // after the last change, both return the last version, and again from memory
    await Promise.all([writer, other].map((node) => node.listener.whenProven(AbortSignal.timeout(60_000))));
    await delay(1_000);
    const last = committed.length - 1;
    expect([await versionAt(writer, productId), await versionAt(other, productId)]).toEqual([last, last]);
    // a busy machine may let the proof of freshness lapse in between
    const fromMemory = async () => {
      expect(await versionAt(other, productId)).toBe(last);
      return other.counts.memory;
    };
    await expect.poll(fromMemory).toBeGreaterThan(0);
    await Promise.all([writer.close(), other.close()]);
  },
);
