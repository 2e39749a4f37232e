import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../../core/registry/testing.ts';
import { inTransaction } from '../../platform/database/database.ts';
import { findSharedTexts } from './product-texts.ts';

const TEXT =
  'A cup for two hands, thrown in speckled clay and dipped in cream. Holds a quarter of a litre and keeps it warm.';
const SHUFFLED =
  'Holds a quarter of a litre and keeps it warm. A cup for two hands, thrown in speckled clay and dipped in cream.';
const OTHER =
  'Wide enough for a salad for four, deep enough for soup for two. The green glaze pools darker inside.';

let registry: TestRegistry;
let shop: TestShop;
let another: TestShop;
let cup: { merchantId: string; productId: string };
let theirs: { merchantId: string; productId: string };

beforeAll(async () => {
  registry = await testRegistry();
  shop = await testShop(registry);
  another = await testShop(registry, 'other.example');
  const added = async (of: TestShop) => {
    const [result] = await of.put(of.row('cup'));
    if (result === undefined || !('id' in result)) throw new Error('the product was refused');
    return { merchantId: of.merchantId, productId: String(result.id) };
  };
  [cup, theirs] = [await added(shop), await added(another)];
});
afterAll(() => registry.close());
beforeEach(() => registry.database.query('truncate text_sketches'));

const read = (of: { merchantId: string; productId: string }, description?: string) =>
  inTransaction(registry.db, (trx) => registry.emit(trx, 'ownPageRead', { ...of, description }));
const shared = async (text?: string) => {
  const texts = await findSharedTexts(registry.db, text, [cup, cup]);
  return texts.get(cup.productId) ?? null;
};

it('A text is that of a product whose page showed it last, also in another order', async () => {
  expect(await shared(TEXT)).toBeNull();
  await read(cup, TEXT);
  expect(await shared(TEXT)).toBe(1);
  expect(await shared(SHUFFLED)).toBeGreaterThan(0.5);
  expect([await shared(OTHER), await shared('A cup.'), await shared()]).toEqual([null, null, null]);
  await read(cup, OTHER);
  expect([await shared(TEXT), await shared(OTHER)]).toEqual([null, 1]);
  await read(cup);
  expect(await shared(OTHER)).toBeNull();
});

it('A text that several merchants have is nobody’s, whether both show pictures of the page or one', async () => {
  await read(cup, TEXT);
  await read(theirs, `${TEXT} Free delivery.`);
  expect(await shared(TEXT)).toBeNull();
  expect(await findSharedTexts(registry.db, TEXT, [cup, theirs])).toEqual(new Map());
  await read(theirs, OTHER);
  expect(await shared(TEXT)).toBe(1);
});

it('A text is looked for in two statements, and in none without a picture', async () => {
  await read(cup, TEXT);
  let statements = 0;
  const { db } = registry.database.open({ max: 1, onQuery: () => statements++ });
  await findSharedTexts(db, TEXT, []);
  expect(statements).toBe(0);
  await findSharedTexts(db, TEXT, [cup, theirs]);
  expect(statements).toBe(2);
});

it('The text of a product that is deleted is forgotten', async () => {
  await read(cup, TEXT);
  await inTransaction(registry.db, (trx) =>
    registry.emit(trx, 'productsChanged', {
      merchantId: cup.merchantId,
      products: [
        { id: cup.productId, storeId: shop.storeId, was: 'active', is: 'deleted', isRenamed: false },
      ],
      ofDeletedStore: false,
      now: new Date(),
    }),
  );
  expect(await registry.database.query('select from text_sketches')).toEqual([]);
});
