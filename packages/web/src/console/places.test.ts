import { expect, it } from 'vitest';
import { proofWays } from './domain-proofs.ts';
import { guideSteps, shownStep, stepAfter } from './guide-steps.ts';
import { capacityOf } from './operator/capacity.ts';
import { href, routeOf } from './routes.ts';
import { changedSearch, tableState } from './table-state.ts';
import { webAddress } from './web-address.ts';

it('maps a URL to its page and back', () => {
  const params = { storeId: 'a b', productId: 'ü/1' };
  const address = href('product', params, { step: undefined });
  expect(address).toBe('/console/stores/a%20b/products/%C3%BC%2F1');
  expect(routeOf(address)).toEqual({ page: 'product', params });
  expect(routeOf('/console')).toEqual({ page: 'home', params: {} });
  expect(routeOf('/console/stores/new')?.page).toBe('newStore');
  for (const path of ['/console/nowhere', '/console/stores//products', '/console/stores/%E0%A4%A'])
    expect(routeOf(path)).toBeUndefined();
});

it('keeps the parts of a URL that a table understands, and starts over with another filter', () => {
  const shape = { state: ['active', 'hidden'], text: 'text', cursor: 'text' } as const;
  expect(tableState(shape, 'state=made-up&text=+cup+&x=1&cursor=c')).toEqual({ text: 'cup', cursor: 'c' });
  expect(changedSearch({ text: 'cup', cursor: 'c' }, { state: 'hidden' })).toBe('?text=cup&state=hidden');
  expect(changedSearch({ cursor: 'c' }, {})).toBe('?');
});

it('lists the steps of the guide in order', () => {
  const setup = {
    next: 'domain',
    steps: [
      { step: 'store', state: 'done' },
      { step: 'domain', state: 'open' },
      { step: 'products', state: 'under_way' },
      { step: 'images', state: 'open' },
    ],
  } as const;
  expect(guideSteps({ ...setup, steps: [...setup.steps] }).map(({ state }) => state)).toEqual([
    'done',
    'now',
    'under_way',
    'later',
  ]);
  const copy = { ...setup, steps: [...setup.steps] };
  expect([shownStep(copy, undefined), shownStep(copy, 'images'), shownStep(copy, 'x')]).toEqual([
    'domain',
    'images',
    'domain',
  ]);
  expect([stepAfter(copy, 'domain'), stepAfter(copy, 'images')]).toEqual(['products', undefined]);
});

it.each([
  ['shop.example', 'https://shop.example/'],
  [' http://shop.example/x ', 'http://shop.example/x'],
  ['javascript://shop.example/%0aalert(1)', undefined],
  ['localhost', undefined],
  ['a b.example', undefined],
  ['', undefined],
])('reads %j as the address of a shop', (typed, address) => {
  expect(webAddress(typed)?.href).toBe(address);
});

it('lists the easiest proof for a platform first', () => {
  const domain = { hostname: 'shop.example', challenge: 'touchstone-1' };
  const first = (platform: 'shopify' | 'custom') =>
    proofWays({ url: 'http://shop.example:8080/', platform }, domain)[0];
  expect(first('shopify')).toMatchObject({ method: 'meta_tag', where: 'http://shop.example:8080/' });
  expect(first('custom')?.where).toBe('http://shop.example:8080/.well-known/touchstone-challenge');
});

it('parses the seats of a plan as people write them', () => {
  expect(['1,000', '1.000', '10 000 000', '10000001', '-1', '', '1e3'].map(capacityOf)).toEqual([
    1_000,
    1_000,
    10_000_000,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
