import { expect, it } from 'vitest';
import { feedOffer, registryOffer } from './offers.ts';

const feed = (values: Readonly<Record<string, string>>) => feedOffer((name) => values[name]);
const euros = (amount: string) => ({ amount, currency: 'EUR' });

it.each(['24.90 EUR', '24,90 EUR', 'EUR 24.90', ' 24.90  EUR '])('a feed states the price %j', (price) => {
  expect(feed({ price }).price).toEqual(euros('24.90'));
});

it.each(['24.90', 'from 24.90 EUR', '1,024.90 EUR', '24.90 euros', '-1 EUR', 'EUR', ''])(
  'a feed states no price in %j, and is told how to',
  (price) => {
    expect(feed({ price })).toMatchObject({ price: undefined, notes: [{ code: 'price_unread' }] });
  },
);

it('the price of a feed is the sale price, but none while that is for a period', () => {
  const sale = { price: '24.90 EUR', sale_price: '19.90 EUR' };
  expect(feed(sale).price).toEqual(euros('19.90'));
  expect(feed({ ...sale, sale_price_effective_date: '2026-03-01T00:00Z/2026-03-08T00:00Z' })).toEqual({
    price: undefined,
    availability: undefined,
  });
});

it.each([
  ['in_stock', 'InStock'],
  ['out of stock', 'OutOfStock'],
  ['preorder', 'PreOrder'],
  ['backorder', 'BackOrder'],
  ['https://schema.org/SoldOut', 'SoldOut'],
  ['maybe', undefined],
])('the availability %j is %s', (availability, name) => {
  expect(feed({ availability }).availability).toBe(name);
});

it('a row of the registry keeps its offer, and is told if its price cannot be read', () => {
  const price = { amount: '24.90', currency: 'EUR', includesTax: true };
  expect(registryOffer({ price, availability: 'InStock' })).toEqual({ price, availability: 'InStock' });
  expect(registryOffer({})).toEqual({ availability: undefined });
  for (const wrong of ['24.90 EUR', { amount: '24.90' }, 24.9])
    expect(registryOffer({ price: wrong }).notes).toMatchObject([{ code: 'price_unread' }]);
});
