import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patchMerchant } from '../merchants/merchants.ts';
import { deleteProduct, patchProduct } from '../products/change-product.ts';
import { listProducts } from '../products/read-products.ts';
import { deleteStore } from '../stores/stores.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { followChanges, testWorker } from './testing.ts';

let registry: TestRegistry;
let shops = 0;
beforeAll(async () => {
  registry = { ...(await testRegistry()), productsAtOnce: 2 };
});
afterAll(() => registry?.close());

const put = fc.record({ kind: fc.constant('put' as const), count: fc.integer({ min: 1, max: 6 }) });
const capacity = fc.record({ kind: fc.constant('capacity' as const), capacity: fc.nat(12) });
const remove = fc.record({ kind: fc.constant('delete' as const), nth: fc.nat(20) });
const hide = fc.record({ kind: fc.constant('hide' as const), nth: fc.nat(20) });
const show = fc.record({ kind: fc.constant('show' as const), nth: fc.nat(20) });
const batch = fc.record({ kind: fc.constant('batch' as const), lost: fc.boolean() });
type Step =
  | { kind: 'put'; count: number }
  | { kind: 'capacity'; capacity: number }
  | { kind: 'delete' | 'hide' | 'show'; nth: number }
  | { kind: 'batch'; lost: boolean };

/** A merchant with a store, and one node at a time that works on its changes. */
async function newMerchant() {
  shops += 1;
  const shop = await testShop(registry, `interleaved-${shops}.example`, 3);
  let worker = testWorker(registry, shop.merchantId);
  const ids: string[] = [];
  const seats = async () => {
    const [row] = await registry.database.query<{
      counted: number;
      held: number;
      capacity: number;
      eligible: number;
    }>(
      `select (select count(*)::int from products where merchant_id = m.id and slot_order is not null) as counted,
         (select count(*)::int from products where merchant_id = m.id and visible and deleted_at is null) as eligible,
         slots_held as held, plan_capacity as capacity from merchants m where id = $1`,
      [shop.merchantId],
    );
    if (row === undefined) throw new Error('no merchant');
    return row;
  };
  return {
    shop,
    ids,
    seats,
    async apply(step: Step): Promise<void> {
      const id = 'nth' in step ? (ids[step.nth % Math.max(ids.length, 1)] ?? '') : '';
      if (step.kind === 'put') {
        const rows = Array.from({ length: step.count }, (_, nth) => shop.row(String(ids.length + nth)));
        for (const result of await shop.put(...rows)) ids.push(result.id ?? '');
      } else if (step.kind === 'capacity') {
        await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: step.capacity });
      } else if (step.kind === 'batch') {
        await worker.batch();
        // its node ends without a word, and another takes its place
        if (step.lost) worker = await worker.replace();
      } else if (id !== '') {
        const isGone = { code: 'product_unknown' };
        if (step.kind === 'delete') await deleteProduct(registry, 'all', id);
        else
          await patchProduct(registry, 'all', id, { visible: step.kind === 'show' }).catch((error: unknown) =>
            expect(error).toMatchObject(isGone),
          );
      }
    },
  };
}

const activeOf = async (shop: TestShop) =>
  (await listProducts(registry, 'all', shop.storeId, { state: 'active', limit: 100 })).products.map(
    ({ id }) => id,
  );

describe('changes that products follow in batches, whatever happens in between', () => {
  it('keep the count of seats correct, and never exceed the capacity', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(put, capacity, remove, hide, show, batch, batch), { minLength: 3, maxLength: 20 }),
        async (steps) => {
          const merchant = await newMerchant();
          let before = (await merchant.seats()).held;
          for (const step of steps) {
            await merchant.apply(step);
            const { counted, held, capacity: most } = await merchant.seats();
            expect(counted).toBe(held);
            expect(held).toBeLessThanOrEqual(Math.max(before, most));
            before = held;
          }
          await followChanges(registry);
          const { held, capacity: most, eligible } = await merchant.seats();
          expect(held).toBe(Math.min(most, eligible));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('end as if what happened in between had happened after them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(put, capacity, remove, hide, batch, batch), { minLength: 3, maxLength: 20 }),
        async (steps) => {
          const [interleaved, afterwards] = [await newMerchant(), await newMerchant()];
          for (const step of steps) {
            await interleaved.apply(step);
            if (step.kind === 'batch') continue;
            await afterwards.apply(step);
            await followOnly(afterwards);
          }
          await followChanges(registry);
          const positions = async ({ shop, ids }: typeof interleaved) =>
            (await activeOf(shop)).map((id) => ids.indexOf(id));
          expect(await positions(interleaved)).toEqual(await positions(afterwards));
        },
      ),
      { numRuns: 15 },
    );
  });

  it('take nothing from a store that remains when another is deleted during them', async () => {
    const { shop, ids, apply, seats } = await newMerchant();
    await apply({ kind: 'put', count: 6 });
    await apply({ kind: 'capacity', capacity: 6 });
    const going = await testShop(registry, `going-${shops}.example`, 0, shop);
    await apply({ kind: 'batch', lost: true });
    await deleteStore(registry, 'all', going.storeId);
    await followChanges(registry);
    expect(await activeOf(shop)).toEqual(ids);
    expect(await seats()).toMatchObject({ held: 6, counted: 6 });
  });
});

/** Has only this merchant's products follow. */
async function followOnly(merchant: Awaited<ReturnType<typeof newMerchant>>): Promise<void> {
  const worker = testWorker(registry, merchant.shop.merchantId);
  while (await worker.batch());
}
