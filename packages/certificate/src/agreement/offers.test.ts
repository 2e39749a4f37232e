import { describe, expect, it } from 'vitest';
import { compareAvailability, comparePrice, type OfferFacts, type OfferPrice } from './offers.ts';

const fact = (value: string, more: object = {}) =>
  ({ value, source: 'jsonld', field: 'offers.price', confidence: 1, ...more }) as const;
const page = (price: string, currency = 'EUR', more: Partial<OfferFacts> = {}): OfferFacts => ({
  price: fact(price),
  currency: fact(currency),
  availability: null,
  offers: null,
  variant: null,
  ...more,
});
const euros = (amount: string, includesTax?: boolean): OfferPrice => ({
  amount,
  currency: 'EUR',
  includesTax,
});
const compare = (price: OfferPrice, facts: OfferFacts) => comparePrice(price, facts);

describe('a price', () => {
  it('differs if a page clearly asks another, more or less', () => {
    expect(compare(euros('24.90'), page('31.90'))).toBe('different');
    expect(compare(euros('24.90'), page('22.41'))).toBe('different');
    expect(compare({ amount: '100', currency: 'GBP' }, page('80', 'GBP'))).toBe('different');
  });

  it('is the same but for rounding', () => {
    for (const asked of ['24.90', '24.9', '24.91', '25'])
      expect(compare(euros('24.90'), page(asked))).toBe('same');
    expect(compare(euros('24.90'), page('25.10'))).toBe('different');
  });

  it('does not differ in another currency, or in none: visitors are shown their own', () => {
    expect(compare(euros('24.90'), page('27.10', 'USD'))).toBe('not_comparable');
    expect(compare(euros('24.90'), page('24.90', 'USD'))).toBe('not_comparable');
    expect(compare(euros('24.90'), page('31.90', 'EUR', { currency: null }))).toBe('not_comparable');
  });

  it.each([
    ['a standard rate of its currency, in either direction', euros('20.00'), '23.80', 'not_comparable'],
    ['the same the other way round', euros('23.80'), '20.00', 'not_comparable'],
    ['a rate that no country of the currency has', euros('20.00'), '22.60', 'different'],
    ['if it is said to include it, what is less', euros('23.80', true), '20.00', 'not_comparable'],
    ['but not what is more', euros('20.00', true), '23.80', 'different'],
    ['if it is said to be without, whatever is added', euros('20.00', false), '21.40', 'not_comparable'],
    ['but not what is less', euros('20.00', false), '16.81', 'different'],
    ['nor more than any tax', euros('20.00', false), '26.00', 'different'],
  ])('may be one with and one without tax: %s', (_, price, asked, result) => {
    expect(compare(price, page(asked))).toBe(result);
  });

  it('does not differ from one of the variants of a page', () => {
    const offers = { ...fact('19.00–39.00'), low: '19.00', high: '39.00' };
    expect(compare(euros('24.90'), page('19.00', 'EUR', { offers }))).toBe('not_comparable');
    expect(compare(euros('44.90'), page('19.00', 'EUR', { offers }))).toBe('different');
  });

  it('does not differ if the reading is not sure', () => {
    const of = (more: object) => compare(euros('24.90'), page('', 'EUR', { price: fact('31.90', more) }));
    expect(of({ confidence: 0.74 })).toBe('not_comparable');
    expect(of({ confidence: undefined })).toBe('not_comparable');
    expect(of({ doubts: ['sources_disagree'] })).toBe('not_comparable');
    expect(of({ confidence: 0.75 })).toBe('different');
    expect(compare(euros('24.90'), page('', 'EUR', { price: null }))).toBe('not_stated');
    expect(compare(euros('24.90'), page('a lot'))).toBe('not_comparable');
  });
});

describe('an availability', () => {
  const compareWith = (value: string, more: Partial<OfferFacts> = {}) =>
    compareAvailability('InStock', page('1', 'EUR', { availability: fact(value), ...more }));

  it('differs only between what can be ordered and what cannot', () => {
    expect(compareWith('OutOfStock')).toBe('different');
    expect(compareWith('PreOrder')).toBe('same');
    expect(compareAvailability('SoldOut', page('1', 'EUR', { availability: fact('OutOfStock') }))).toBe(
      'same',
    );
    expect(compareAvailability('InStock', page('1'))).toBe('not_stated');
  });

  it('does not differ on a page with variants, or if the reading is not sure', () => {
    const variant = { ...fact('Blue'), chosen_by: 'page' } as const;
    expect(compareWith('OutOfStock', { variant })).toBe('not_comparable');
    const unsure = fact('OutOfStock', { confidence: 0.5 });
    expect(compareWith('', { availability: unsure })).toBe('not_comparable');
  });
});
