import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { patchMerchant } from './merchants/merchants.ts';
import { deleteProduct, patchProduct } from './products/change-product.ts';
import { getProduct } from './products/read-products.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from './testing.ts';

const put = async (shop: TestShop, ...ids: string[]) =>
  (await shop.put(...ids.map((id) => shop.row(id)))).map((result) => result.id ?? '');

describe('seats of a plan', () => {
  let registry: TestRegistry;
  let hosts = 0;
  beforeAll(async () => {
    registry = await testRegistry();
  });
  afterAll(() => registry.close());

  const newShop = (capacity: number) => {
    hosts += 1;
    return testShop(registry, `seats-${hosts}.example`, capacity);
  };
  const states = (ids: string[]) =>
    Promise.all(ids.map(async (id) => (await getProduct(registry, 'all', id)).state));
  const held = async (shop: TestShop) => {
    const [row] = await registry.database.query<{ counted: number; held: number; capacity: number }>(
      `select (select count(*)::int from products where merchant_id = m.id and slot_order is not null) as counted,
         slots_held as held, plan_capacity as capacity from merchants m where id = $1`,
      [shop.merchantId],
    );
    if (row === undefined) throw new Error('no merchant');
    expect(row.counted).toBe(row.held);
    expect(row.held).toBeLessThanOrEqual(row.capacity);
    return row.held;
  };

  it('go to the rows of one call in order', async () => {
    const shop = await newShop(2);
    expect(await states(await put(shop, 'z', 'a', 'm'))).toEqual(['active', 'active', 'no_slot']);
  });

  it('pass to the oldest waiting product when one is hidden, disabled or deleted', async () => {
    const shop = await newShop(1);
    const ids = (await put(shop, '1', '2', '3', '4')) as [string, string, string, string];
    registry.changes.length = 0;
    await patchProduct(registry, 'all', ids[0], { visible: false });
    expect(await states(ids)).toEqual(['hidden', 'active', 'no_slot', 'no_slot']);
    expect(registry.changes.toSorted()).toEqual([`p:${ids[0]}`, `p:${ids[1]}`].toSorted());
    await patchProduct(registry, 'all', ids[1], { disabled: true });
    expect(await states(ids)).toEqual(['hidden', 'disabled', 'active', 'no_slot']);
    await deleteProduct(registry, 'all', ids[2]);
    expect(await states(ids)).toEqual(['hidden', 'disabled', 'deleted', 'active']);
    await patchProduct(registry, 'all', ids[0], { visible: true });
    expect(await states(ids)).toEqual(['no_slot', 'disabled', 'deleted', 'active']);
  });

  it('are lost by the newest holders first when capacity shrinks, and restored to the oldest', async () => {
    const shop = await newShop(3);
    const ids = (await put(shop, '1', '2', '3')) as [string, string, string];
    await patchProduct(registry, 'all', ids[0], { visible: false });
    await patchProduct(registry, 'all', ids[0], { visible: true }); // the newest holder now
    await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 2 });
    expect(await states(ids)).toEqual(['no_slot', 'active', 'active']);
    await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 0 });
    expect(await states(ids)).toEqual(['no_slot', 'no_slot', 'no_slot']);
    await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 1 });
    expect(await states(ids)).toEqual(['active', 'no_slot', 'no_slot']);
  });

  it('are kept during a pause, in which nothing is active', async () => {
    const shop = await newShop(1);
    const ids = await put(shop, '1', '2');
    await patchMerchant(registry, 'all', shop.merchantId, { paused: true });
    expect(await states(ids)).toEqual(['paused', 'paused']);
    await patchMerchant(registry, 'all', shop.merchantId, { paused: false });
    expect(await states(ids)).toEqual(['active', 'no_slot']);
  });

  it('never exceed the capacity under concurrent changes', async () => {
    const shop = await newShop(5);
    const ids = await put(shop, ...Array.from({ length: 12 }, (_, i) => `p${i}`));
    const changes = Array.from({ length: 60 }, (_, i) => i).values();
    const change = async (i: number) => {
      const id = ids[i % ids.length] ?? '';
      if (i % 5 === 0) {
        await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: (i / 5) % 9 });
      } else if (i % 5 === 1) await shop.put(shop.row(`p${i % 12}`), shop.row(`q${i}`));
      else await patchProduct(registry, 'all', id, { visible: i % 2 === 0 });
      await held(shop);
    };
    // at most as many at once as there are connections: the time of waiting for one is not what is tested
    const work = async () => {
      for (const i of changes) await change(i);
    };
    await Promise.all(Array.from({ length: 8 }, work));
    await held(shop);
    await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: 1000 });
    const listed = await registry.database.query<{ waiting: number }>(
      `select count(*)::int as waiting from products where merchant_id = $1
         and visible and not disabled and deleted_at is null and slot_order is null`,
      [shop.merchantId],
    );
    expect(listed).toEqual([{ waiting: 0 }]);
  });

  it('behave as a simple model, over any sequence of changes', async () => {
    const operation = fc.oneof(
      fc.record({ kind: fc.constant('put' as const), ids: fc.uniqueArray(fc.nat(7), { minLength: 1 }) }),
      fc.record({ kind: fc.constant('show' as const), id: fc.nat(7), visible: fc.boolean() }),
      fc.record({ kind: fc.constant('disable' as const), id: fc.nat(7), disabled: fc.boolean() }),
      fc.record({ kind: fc.constant('delete' as const), id: fc.nat(7) }),
      fc.record({ kind: fc.constant('capacity' as const), capacity: fc.nat(6) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.nat(4),
        fc.array(operation, { minLength: 1, maxLength: 25 }),
        async (start, steps) => {
          const shop = await newShop(start);
          const model = new Model(start);
          const ids = new Map<number, string>();
          for (const step of steps) {
            if (step.kind === 'put') {
              const results = await shop.put(...step.ids.map((id) => shop.row(`p${id}`)));
              for (const [i, result] of results.entries()) ids.set(step.ids[i] ?? -1, result.id ?? '');
            } else if (step.kind === 'capacity') {
              await patchMerchant(registry, 'all', shop.merchantId, { planCapacity: step.capacity });
            } else {
              const id = ids.get(step.id);
              if (id === undefined || (model.isDeleted(step.id) && step.kind !== 'delete')) continue;
              if (step.kind === 'show') await patchProduct(registry, 'all', id, { visible: step.visible });
              if (step.kind === 'disable')
                await patchProduct(registry, 'all', id, { disabled: step.disabled });
              if (step.kind === 'delete') await deleteProduct(registry, 'all', id);
            }
            model.apply(step);
            await held(shop);
            const active: number[] = [];
            for (const [id, productId] of ids) {
              if ((await getProduct(registry, 'all', productId)).state === 'active') active.push(id);
            }
            expect(active.toSorted()).toEqual(model.active().toSorted());
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});

type Step =
  | { kind: 'put'; ids: number[] }
  | { kind: 'show'; id: number; visible: boolean }
  | { kind: 'disable'; id: number; disabled: boolean }
  | { kind: 'delete'; id: number }
  | { kind: 'capacity'; capacity: number };

/** The rule of the design in a few lines: holders in the order in which they got their seats. */
class Model {
  #capacity: number;
  /** In the order of creation. */
  readonly #products = new Map<number, { visible: boolean; disabled: boolean; deleted: boolean }>();
  #holders: number[] = [];

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  isDeleted(id: number): boolean {
    return this.#products.get(id)?.deleted === true;
  }

  active(): number[] {
    return this.#holders;
  }

  apply(step: Step): void {
    if (step.kind === 'capacity') this.#capacity = step.capacity;
    else if (step.kind === 'put') for (const id of step.ids) this.#put(id);
    else {
      const product = this.#products.get(step.id);
      if (product === undefined) return;
      if (step.kind === 'show') product.visible = step.visible;
      if (step.kind === 'disable') product.disabled = step.disabled;
      if (step.kind === 'delete') product.deleted = true;
    }
    this.#settle();
  }

  #put(id: number): void {
    const product = this.#products.get(id);
    if (product === undefined) this.#products.set(id, { visible: true, disabled: false, deleted: false });
    else if (product.deleted) Object.assign(product, { deleted: false, visible: true });
  }

  #settle(): void {
    const may = (id: number) => {
      const product = this.#products.get(id);
      return product?.visible === true && !product.disabled && !product.deleted;
    };
    this.#holders = this.#holders.filter(may).slice(0, this.#capacity);
    for (const id of this.#products.keys()) {
      if (this.#holders.length >= this.#capacity) break;
      if (may(id) && !this.#holders.includes(id)) this.#holders.push(id);
    }
  }
}
