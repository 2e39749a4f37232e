import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';
import { jsonLd, shopPage, valuesOf } from './testing.ts';

const URL = 'https://lumen.example/p/copper-lamp';
const HEADING = '<h1>Copper lamp</h1>';
const BUY = '<button type="submit">Add to cart</button>';
const page = (body: string, head = '', lang = 'en') =>
  shopPage({ title: 'Copper lamp | Lumen', head, lang, body });
const read = (body: string, head = '', lang = 'en') => valuesOf(page(body, head, lang), URL);

describe('an amount that is printed twice, once for screen readers', () => {
  const twice = (amount: string) =>
    `<span class="price"><span class="offscreen">${amount}</span><span aria-hidden="true">${amount}</span></span>`;

  it('has the label before its first copy', () => {
    const hint = '<span>Details</span> <span>What the maker suggests</span> <span>Close</span>';
    const body = `${HEADING}<div><span>List Price:</span> ${twice('$99.00')} ${hint}</div><div><span>With deal:</span> ${twice('$79.00')}</div>${BUY}`;
    expect(read(body).price).toBe('79');
  });

  it('is not the card of another product because of a “Learn more” link', () => {
    const more = '<a href="/help/list-prices">Learn more</a>';
    const body = `${HEADING}<div><div><span>List Price:</span> ${twice('$99.00')} ${more}</div><div><span>Price:</span> ${twice('$79.00')}</div></div>${BUY}`;
    expect(read(body).price).toBe('79');
  });
});

describe('the value of a label without a colon', () => {
  const box = `<div class="facts"><div class="brand"><span>Производители</span> <a href="/hammerwerk">Hammerwerk</a></div>
    <div class="stock"><span>Наличие</span> В наличии</div></div>`;

  it('is the brand if the markup is named for it, and is not the heading of a card', () => {
    expect(read(HEADING + box, '', 'ru')).toMatchObject({ brand: 'Hammerwerk', availability: 'InStock' });
  });

  it('is no brand if the label is a plural that heads a list', () => {
    expect(read(`${HEADING}<div><span>Manufacturers</span> <a href="/b/a">Alpha</a></div>`).brand).toBeNull();
  });
});

describe('a price of zero', () => {
  const zero = `${HEADING}${jsonLd({ '@type': 'Product', name: 'Copper lamp', offers: { price: '0', priceCurrency: 'EUR' } })}`;
  const findings = (body: string) => readPage(page(body), { url: URL }).findings.join();

  it('is no price if the page says to ask for it', () => {
    for (const words of ['Price on request', 'Уточнить цену', 'Preis auf Anfrage', 'Prix sur demande']) {
      expect(read(`${zero}<button>${words}</button>`)).toMatchObject({ price: null, currency: null });
      expect(findings(`${zero}<button>${words}</button>`)).toContain('price_on_request');
    }
  });

  it('is a price if the page does not, or only for another product', () => {
    expect(read(zero).price).toBe('0');
    expect(read(`${zero}<div class="related">Price on request</div>`).price).toBe('0');
    expect(findings(zero)).not.toContain('price_on_request');
  });
});

describe('a list of products', () => {
  const list = (url: string) =>
    jsonLd({
      '@type': 'ItemList',
      url,
      itemListElement: ['Copper', 'Brass', 'Iron'].map((metal) => ({
        '@type': 'Product',
        name: `${metal} lamp`,
        offers: { price: '79.00', priceCurrency: 'EUR' },
      })),
    });
  const cards = '<ul><li><a href="/p/1">Copper lamp small</a> <span class="price">€79.00</span></li></ul>';

  const listing = (data: string) =>
    valuesOf(
      shopPage({ title: 'Lamps | Lumen', body: `<h1>Lamps</h1>${data}${cards}${BUY}` }),
      'https://lumen.example/c/lamps',
    );

  it('with the page’s own URL makes the page a listing', () => {
    const none = { price: null, currency: null, availability: null, sku: null };
    expect(listing(list('/c/lamps'))).toMatchObject(none);
    expect(listing(`${jsonLd({ '@type': 'CollectionPage' })}${list('/c/9')}`)).toMatchObject(none);
    expect(listing(list('/c/9')).availability).toBe('InStock');
  });

  it('is detected by a count after the heading, if the page states only the lowest price', () => {
    const aggregate = (more: object = {}) =>
      jsonLd({
        '@type': 'Product',
        name: 'Copper lamp',
        offers: { '@type': 'AggregateOffer', lowPrice: '79.00', offerCount: 1650, priceCurrency: 'EUR' },
        ...more,
      });
    const counted = `${HEADING}<span>1 650 products</span>${cards}`;
    expect(read(counted + aggregate())).toMatchObject({ price: null, currency: null, availability: null });
    expect(read(counted + aggregate({ sku: 'CL-1' })).price).toBe('79');
    expect(read(`${HEADING}${aggregate()}${cards}`).price).toBe('79');
  });

  it('is recognised by offers with their own pages and prices, even if it is marked up as one product', () => {
    const offers = (pages: readonly string[], prices = ['79.00', '89.00', '99.00'], more: object = {}) =>
      jsonLd({
        '@type': 'Product',
        name: 'Copper lamp',
        offers: {
          '@type': 'AggregateOffer',
          lowPrice: '79.00',
          priceCurrency: 'EUR',
          offers: prices.map((price, i) => ({ '@type': 'Offer', price, url: pages[i] })),
        },
        ...more,
      });
    const own = ['/p/1', '/p/2', '/p/3'];
    const none = { price: null, currency: null };
    expect(read(HEADING + offers(own))).toMatchObject(none);
    // one product: offers at one price, by other merchants, for variants, or with an article number
    expect(read(HEADING + offers(own, ['79.00', '79.00', '79.00'])).price).toBe('79');
    expect(read(HEADING + offers(own.map((path) => `https://other.example${path}`))).price).toBe('79');
    expect(read(HEADING + offers(['?size=1', '?size=2', '?size=3'])).price).toBe('79');
    expect(read(HEADING + offers(own, undefined, { sku: 'CL-1' })).price).toBe('79');
  });

  it('of other products does not affect a product page', () => {
    const shown = `${HEADING}<p class="price">€79.00</p>${BUY}`;
    expect(read(shown + list('/c/lamps')).price).toBe('79');
  });
});

describe('an article number', () => {
  const stated = jsonLd({
    '@type': 'Product',
    name: 'Copper lamp',
    sku: '212572',
    offers: { price: '79.00' },
  });

  it('that is printed only as an id is outweighed by one with a label', () => {
    const both = `${stated}<p>ID: <span>212572</span> COD: <span>82R400B3RM</span></p>`;
    expect(read(HEADING + both).sku).toBe('82R400B3RM');
    expect(read(`${HEADING}${both}<p>SKU: 212572</p>`).sku).toBe('212572');
    expect(read(`${HEADING}${stated}<p>ID: 212572</p>`).sku).toBe('212572');
  });

  it('is read next to the heading, in the breadcrumb of the page', () => {
    const path = '<nav class="breadcrumb"><a href="/c/lamps">Lamps</a> <span>Item # CL-79</span></nav>';
    expect(read(path + HEADING).sku).toBe('CL-79');
    expect(read(`<nav><a href="/c/9">Item # CL-9</a></nav>${HEADING}`).sku).toBeNull();
  });
});

describe('a brand', () => {
  it('with a label outweighs the store that a line links to', () => {
    const body = `${HEADING}<a href="/stores/renewed">Visit the Renewed Goods Store</a><table><tr><th>Brand</th><td>Hammerwerk</td></tr></table>`;
    expect(read(body).brand).toBe('Hammerwerk');
  });

  it('is not a code that only scripts use', () => {
    expect(read(`${HEADING}<div data-brand="hw">${BUY}</div>`).brand).toBeNull();
    expect(read(`${HEADING}<div data-brand="HW">${BUY}</div>`).brand).toBe('HW');
  });
});

describe('a button', () => {
  it('may have its words in several elements, after a link to delivery costs', () => {
    const body = `${HEADING}<div class="box"><p class="price">€79.00</p> <a href="/versand">zzgl. Versandkosten</a><form action="/c"><button><span>In den</span> <span>Warenkorb</span></button></form></div>`;
    expect(read(body, '', 'de').availability).toBe('InStock');
    const card = `${HEADING}<div><a href="/p/brass-lamp">Brass lamp, large</a><form action="/c"><button><span>In den</span> <span>Warenkorb</span></button></form></div>`;
    expect(read(card, '', 'de').availability).toBeNull();
  });
});

describe('a price that only meta elements state', () => {
  const metas =
    '<meta property="og:price:amount" content="72.0"><meta property="og:price:currency" content="USD">';
  const printed = `<p class="current price">₺260</p>${BUY}`;

  it('is outweighed by one that is clearly printed, in another currency', () => {
    expect(read(HEADING + printed, metas, 'tr')).toMatchObject({ price: '260', currency: 'TRY' });
  });

  it('is used if the page prints it too, or structured data states it', () => {
    expect(read(`${HEADING}${printed}<p class="price">$72.00</p>`, metas, 'tr').price).toBe('72');
    const data = jsonLd({
      '@type': 'Product',
      name: 'Copper lamp',
      offers: { price: 72, priceCurrency: 'USD' },
    });
    expect(read(HEADING + printed + data, metas, 'tr').price).toBe('72');
  });
});

describe('an amount that nothing marks as the price', () => {
  const far = Array.from({ length: 80 }, (_, i) => `<p>Detail ${i}</p>`).join('');

  it('is the price where it is the only one, and none where others are printed', () => {
    expect(read(`${HEADING}${far}<p class="price">€1.00</p>`).price).toBe('1');
    expect(read(`${HEADING}${far}<p class="price">€1.00</p><p class="price">€5.00</p>`).price).toBeNull();
    expect(read(`${HEADING}<p class="price">€1.00</p><p class="price">€5.00</p>`).price).toBe('1');
  });
});

describe('amounts that the markup calls unit prices', () => {
  const unit = (amount: string) => `<p class="price-per-unit">${amount}</p>`;

  it('give no price if they differ', () => {
    expect(read(`${HEADING}${unit('£3.50')}${unit('£0.70')}`).price).toBeNull();
    expect(read(`${HEADING}${unit('£1.50')}${unit('£1.50')}`).price).toBe('1.5');
  });
});
