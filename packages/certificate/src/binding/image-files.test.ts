import { expect, it } from 'vitest';
import { imageFileOf, otherStoreOf, PRODUCT_ASSERTION } from './image-files.ts';

it('distinguishes the certified file, the file that it was signed from, and any other', () => {
  const files = { uhash: 'aa', sourceUhash: 'bb' };
  expect(['aa', 'bb', 'cc', ''].map((hash) => imageFileOf(hash, files))).toEqual([
    'certified',
    'source',
    'other',
    'other',
  ]);
  expect(imageFileOf('bb', { uhash: 'aa' })).toBe('other');
  expect(imageFileOf('aa', { uhash: 'aa', sourceUhash: 'aa' })).toBe('certified');
});

const asserted = (data: unknown, label: string = PRODUCT_ASSERTION) => [{ label, data }];
const thief = { productId: 'mug', hosts: ['thief.example', 'www.thief.example'] };
const cup = {
  productId: 'CUP',
  productUrl: 'https://shop.example/cup',
  storeUrl: 'https://www.shop.example/',
};

it.each([
  ['names the store that an image was signed for', cup, 'www.shop.example'],
  ['uses the page if no store is named', { productUrl: cup.productUrl }, 'shop.example'],
  ['accepts any host of the store', { ...cup, productUrl: 'https://WWW.thief.example./x' }, null],
  ['recognises a store by its product, whatever its hosts were then', { ...cup, productId: 'MUG' }, null],
  ['gives no result if no host is named', { productId: 'cup', storeUrl: 7, productUrl: 'cup' }, null],
  ['gives no result for an invalid record', null, null],
  ['has nothing to say of text', 'https://shop.example', null],
])('%s', (_, data, other) => {
  expect(otherStoreOf(asserted(data), thief)).toBe(other);
  expect(otherStoreOf(asserted(data, `${PRODUCT_ASSERTION}__1`), thief)).toBe(other);
  expect(otherStoreOf(asserted(data, 'org.example.product'), thief)).toBeNull();
});

it('considers each of several assertions', () => {
  const own = { ...cup, storeUrl: 'https://thief.example' };
  expect(otherStoreOf([...asserted(own), ...asserted(cup)], thief)).toBe('www.shop.example');
});
