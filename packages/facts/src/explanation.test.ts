import { describe, expect, it } from 'vitest';
import { lampData } from './shops/testing.ts';
import { readPage } from './testing.ts';

const URL = 'https://lumen.example/copper-lamp';
const offer = (price: string) => ({ offers: { price, priceCurrency: 'EUR' } });
const meta = (price: string) =>
  `<meta property="og:type" content="product"><meta property="product:price:amount" content="${price}"><meta property="product:price:currency" content="EUR">`;
const read = (head: string, body = '') =>
  readPage(`<html lang="en"><title>Copper lamp</title>${head}<h1>Copper lamp</h1>${body}</html>`, {
    url: URL,
  });

describe('confidence in a fact', () => {
  it('is full if strong sources agree, and lists no doubts', () => {
    const { price } = read(lampData(offer('79.00')) + meta('79.00')).facts;
    expect(price).toEqual({ value: '79.00', source: 'jsonld', field: 'offers.price', confidence: 1 });
  });

  it('decreases, with the reason, if sources disagree', () => {
    const { price } = read(lampData(offer('79.00')) + meta('69.00')).facts;
    expect(price).toMatchObject({ value: '79.00', confidence: 0.25, doubts: ['sources_disagree'] });
  });

  it('is not lowered by an amount that is known not to be the price', () => {
    const printed = '<p class="price">€94.01</p>';
    const net = { '@type': 'Offer', price: '79.00', priceCurrency: 'EUR', valueAddedTaxIncluded: false };
    const alone = read('', printed).facts.price;
    for (const offers of [net, { '@type': 'Offer', price: '0', priceCurrency: 'EUR' }])
      expect(read(lampData({ offers }), printed).facts.price).toEqual(alone);
  });

  it('is lower for facts that only the text of the page states', () => {
    const stated = read(lampData(offer('79.00'))).facts.price?.confidence ?? 0;
    const printed = read('', '<p class="price">€79.00</p>').facts.price;
    expect(printed?.value).toBe('79.00');
    expect(printed?.confidence).toBeLessThan(stated);
  });

  it('mentions that a fact is inferred', () => {
    const { availability } = read(
      lampData(offer('79.00')),
      '<form><button>Add to cart</button></form>',
    ).facts;
    expect(availability).toMatchObject({ value: 'InStock', doubts: ['inferred', 'weak_source'] });
  });

  it('mentions that a price is the low end of a range', () => {
    const { price } = read(
      lampData({
        offers: { '@type': 'AggregateOffer', lowPrice: '79', highPrice: '99', priceCurrency: 'EUR' },
      }),
    ).facts;
    expect(price).toMatchObject({ value: '79', doubts: ['range_low_end'] });
  });
});

describe('the explanation of a reading', () => {
  it('lists every value with its source and weight, the chosen one first', () => {
    const { explanation } = read(lampData(offer('79.00')) + meta('69.00'), '<p class="price">€79.00</p>');
    const price = explanation?.find(({ fact }) => fact === 'price');
    expect(price).toMatchObject({
      because: 'heaviest',
      candidates: [
        { value: '79.00', source: 'jsonld', field: 'offers.price', weight: 1, score: 1.15, chosen: true },
        { value: '79.00', source: 'html', field: 'text:price', weight: 0.5, score: 1.15, chosen: true },
        { value: '69.00', source: 'meta', field: 'product:price:amount', weight: 0.75, chosen: false },
      ],
    });
  });

  it('is bounded, whatever a page contains', () => {
    const offers = Array.from({ length: 90 }, (_, i) => ({ price: `${i + 1}.00`, priceCurrency: 'EUR' }));
    const { explanation } = read(lampData({ name: 'Copper lamp '.repeat(500), offers }));
    expect(JSON.stringify(explanation).length).toBeLessThan(10_000);
  });

  it('is empty if nothing is stated', () => {
    expect(readPage('<p>Hello</p>', { url: URL }).explanation).toEqual([]);
  });
});
