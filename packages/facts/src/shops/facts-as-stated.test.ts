import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';
import { jsonLd, shopPage } from './testing.ts';

const NAME = 'Copper lamp with shade';
const read = (parts: { head?: string; body?: string }) => {
  const { head = '', body = '' } = parts;
  const html = shopPage({ title: `${NAME} - Lumen`, head, body: `<h1>${NAME}</h1>${body}` });
  const { facts, findings } = readPage(html, { url: 'https://lumen.example/p/copper-lamp-with-shade' });
  return {
    price: facts.price?.value ?? null,
    availability: facts.availability?.value ?? null,
    codes: findings.map((finding) => finding.split(':', 1)[0]),
    findings,
  };
};

/** A price in every supported syntax. */
const stating: readonly (readonly [string, (price: string) => { head?: string; body?: string }])[] = [
  ['JSON-LD text', (price) => ({ head: offer({ price }) })],
  ['JSON-LD on the product', (price) => ({ head: jsonLd({ '@type': 'Product', name: NAME, price }) })],
  ['a price specification', (price) => ({ head: offer({ priceSpecification: { price } }) })],
  [
    'microdata',
    (price) => ({
      body: `<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">${NAME}</b><p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="${price}"></p></div>`,
    }),
  ],
  [
    'RDFa',
    (price) => ({
      body: `<div vocab="https://schema.org/" typeof="Product"><b property="name">${NAME}</b><p property="offers" typeof="Offer"><meta property="price" content="${price}"></p></div>`,
    }),
  ],
  [
    'meta',
    (price) => ({
      head: `<meta property="og:type" content="product"><meta property="product:price:amount" content="${price}">`,
    }),
  ],
  [
    'embedded data',
    (price) => ({
      body: `<script>var productData = {"product":{"name":"${NAME}","price":"${price}"}}</script>`,
    }),
  ],
];

function offer(members: Record<string, unknown>): string {
  return jsonLd({ '@type': 'Product', name: NAME, offers: { '@type': 'Offer', ...members } });
}

describe.each(stating)('a price stated by %s', (syntax, page) => {
  it('is 0 if that is stated', () => {
    expect(read(page('0'))).toMatchObject({ price: '0', codes: [] });
    expect(read(page('0.00'))).toMatchObject({ price: '0.00', codes: [] });
  });

  it('is absent if negative, which is reported', () => {
    for (const price of ['-3', '-3.00', '−3', '-$3', '$-3', '-3 USD']) {
      expect(read(page(price)), price).toMatchObject({ price: null, codes: ['price_negative'] });
    }
  });

  it('is reported if it cannot be read', () => {
    const { price, findings } = read(page('on request'));
    expect(price).toBeNull();
    // in scripts, keys named like this have text values for many reasons
    if (syntax !== 'embedded data') expect(findings.join()).toContain('fact_unread');
  });

  it('is the low end of a range, and reported as that', () => {
    expect(read(page('10.00 - 20.00'))).toMatchObject({ price: '10.00', codes: ['price_range'] });
  });
});

describe('a price of zero', () => {
  it('is 0 if stated as a number', () => {
    expect(read({ head: offer({ price: 0 }) })).toMatchObject({ price: '0', codes: [] });
  });

  it('is outweighed by any other price of the page, which is reported', () => {
    const page = read({ head: offer({ price: 0 }), body: '<p class="price">$79.00</p>' });
    expect(page).toMatchObject({ price: '79.00' });
    expect(page.codes).toContain('facts_disagree');
  });

  it('is no price if the product cannot be bought, which is reported', () => {
    const page = read({ head: offer({ price: 0, availability: 'https://schema.org/OutOfStock' }) });
    expect(page).toMatchObject({ price: null, codes: ['price_zero_unavailable'] });
  });
});

describe('a price of zero with a purchase form', () => {
  const page = (hidden: string, printed: string) =>
    read({
      head: offer({ price: 0 }),
      body: `${printed}<form action="/cart/add" method="post"${hidden}><button>Add to cart</button></form>`,
    });

  it('is no price if the form is hidden and no zero printed, which is reported', () => {
    expect(page(' hidden="hidden"', '')).toMatchObject({ price: null, codes: ['price_zero_unavailable'] });
  });

  it('is 0 if the product can be bought, or the page says that it is free', () => {
    expect(page('', '').price).toBe('0');
    expect(page(' hidden', '<p>Free</p>').price).toBe('0');
    expect(page(' hidden', '<p class="price">€0.00</p>').price).toBe('0');
  });
});

describe('a range', () => {
  const aggregate = (members: Record<string, unknown>) =>
    read({
      head: jsonLd({ '@type': 'Product', name: NAME, offers: { '@type': 'AggregateOffer', ...members } }),
    });

  it.each([
    [{ lowPrice: 10, highPrice: 20 }, '10', '10 to 20'],
    [{ lowPrice: '10.00' }, '10.00', 'from 10.00'],
    [{ lowPrice: 0, highPrice: 20 }, '0', '0 to 20'],
  ])('%j is reported with both ends', (members, price, range) => {
    const page = aggregate(members);
    expect(page).toMatchObject({ price, codes: ['price_range'] });
    expect(page.findings.join()).toContain(range);
  });

  it('with equal ends is a price', () => {
    expect(aggregate({ lowPrice: '10', highPrice: '10.0' })).toMatchObject({ price: '10', codes: [] });
  });

  it.each(['$79.00 – $99.00', 'From $79.00', 'ab 79,00 €', '79 bis 99 €'])(
    'is reported as printed: %s',
    (text) => {
      const page = read({ body: `<div class="price">${text}</div>` });
      expect(Number(page.price)).toBe(79);
      expect(page.codes).toContain('price_range');
      expect(page.findings.join()).toContain(text);
    },
  );
});

describe('an availability', () => {
  it('that is not one of schema.org’s is reported', () => {
    const page = read({ head: offer({ price: 1, availability: 'Ships in 3 weeks' }) });
    expect(page).toMatchObject({ availability: null, codes: ['fact_unread'] });
    expect(page.findings.join()).toContain('Ships in 3 weeks');
  });

  it.each(['Ships in 3 weeks', 'Usually ships within 2-3 days', 'Versandfertig in 5 Tagen'])(
    'that is a time is reported: %s',
    (text) => {
      const page = read({ body: `<p>${text}</p>` });
      expect(page).toMatchObject({ availability: null, codes: ['fact_unread'] });
      expect(page.findings.join()).toContain(text);
    },
  );

  it('that is inferred from a button is used, and reported as inferred', () => {
    const page = read({ body: '<button>Add to cart</button><p class="price">79.00 USD</p>' });
    expect(page).toMatchObject({ availability: 'InStock', codes: ['fact_inferred'] });
  });

  it('that is stated too is not reported as inferred', () => {
    const page = read({
      head: offer({ price: 1, availability: 'InStock' }),
      body: '<button>Add to cart</button>',
    });
    expect(page).toMatchObject({ availability: 'InStock', codes: [] });
  });
});
