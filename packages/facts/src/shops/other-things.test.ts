import { describe, expect, it } from 'vitest';
import { jsonLd, shopPage, valuesOf } from './testing.ts';

const URL = 'https://lumen.example/p/copper-lamp';
const page = (body: string, head = ''): string =>
  shopPage({ title: 'Copper lamp – Lumen', head, body: `<div><h1>Copper lamp</h1>${body}</div>` });
const priceOf = (body: string, head?: string): string | null => valuesOf(page(body, head), URL).price;
const brandOf = (body: string, head?: string): string | null => valuesOf(page(body, head), URL).brand;
const STATED = jsonLd({
  '@type': 'Product',
  name: 'Copper lamp',
  offers: { price: '178.64', priceCurrency: 'EUR' },
});

describe('a lower amount after the price', () => {
  it.each([
    ['is before tax', '<p>178,64 €*</p><p>Nettopreis: 148,87 €</p>', '178.64'],
    ['is of a unit', '<p>£3.50<span>/</span><span>unit</span></p><p>£0.70 / ea</p>', '3.5'],
    ['is an estimate', '<p>$2,586.77</p><p>Lumen Estimate:</p><p>$839 - $1,259</p>', '2586.77'],
    ['is one of several payments', '<p>$38.00</p><p>or</p><p>4 payments of $9.50</p>', '38'],
  ])('that %s does not make it a former one', (_, body, price) => {
    expect(priceOf(body)).toBe(price);
  });

  it.each([
    ['nothing', '129,00 €', '', '99,00 €'],
    ['what is saved', '129,00 €', '<b>23% gespart</b>', '99,00 €'],
    ['a word for now', '129,00 €', '<b>Jetzt nur</b>', '99,00 €'],
    ['a code of its currency', 'EUR 129,00', '', 'EUR 99,00'],
  ])('with %s before it is the current price', (_, before, between, after) => {
    const html = `<title>Copper lamp</title><h1>Copper lamp</h1><div class="price"><b>${before}</b>${between}<b>${after}</b></div>`;
    expect(valuesOf(html, URL).price).toBe('99');
  });

  it('does not affect a stated price', () => {
    expect(priceOf('<p>178,64 €*</p><p>Nettopreis: 148,87 €</p>', STATED)).toBe('178.64');
  });
});

describe('text in an element for the brand', () => {
  it.each([
    ['Visit the Lumen Store', 'Lumen'],
    ['Shop all Hearth & Hand', 'Hearth & Hand'],
    ["Shop all women's heels", null],
    ['More from this Series', null],
    ['See all from Lumen in our other rooms.', null],
    ['More from Re-imagined styles', null],
  ])('is used only if it is a name: %s', (text, brand) => {
    expect(brandOf(`<p>${text}</p><p>$5.00</p>`)).toBe(brand);
  });

  it.each([
    ['NEC Display 60005830', 'NEC Display'],
    ['Shop all', null],
    ['zurück', null],
    ['Hst-Nr.:', null],
    ['7', null],
  ])('may contain something else: %s', (text, brand) => {
    expect(brandOf(`<p class="brand">${text}</p><p>$5.00</p>`)).toBe(brand);
  });

  it('is not the brand if it is the maker’s country', () => {
    expect(brandOf('<dl><dt>Производитель</dt><dd>Россия</dd></dl><p>$5.00</p>')).toBeNull();
    expect(brandOf('<dl><dt>Manufacturer</dt><dd>Lumen</dd></dl><p>$5.00</p>')).toBe('Lumen');
  });
});

describe('other text of a page', () => {
  it('about one way of delivery does not affect availability', () => {
    const body =
      '<p>$5.00</p><div><span>Pickup</span><span class="availability">Not available</span></div><button>Add to cart</button>';
    expect(valuesOf(page(body), URL).availability).toBe('InStock');
    expect(valuesOf(page('<p>$5.00</p><p class="availability">Not available</p>'), URL).availability).toBe(
      'OutOfStock',
    );
  });

  it('does not add its punctuation to an article number', () => {
    expect(valuesOf(page('<p>Item CL-878.</p><p>Item no.: CL-878.</p><p>$5.00</p>'), URL).sku).toBe('CL-878');
  });

  it('about a subscription that includes an article is not the product of the page', () => {
    const head = jsonLd({
      '@type': 'NewsArticle',
      headline: 'Copper lamp',
      isPartOf: {
        '@type': ['CreativeWork', 'Product'],
        name: 'Lumen News',
        productID: 'lumen.example:basic',
      },
    });
    expect(valuesOf(page('<p class="brand">By</p>', head), URL)).toMatchObject({
      sku: null,
      brand: null,
      price: null,
    });
  });

  it('in the query of its URL may contain the only name of its product', () => {
    const html = shopPage({
      title: 'Lumen',
      body: '<div><b>Copper lamp for tall rooms</b><div>Price: <b>5,00 €</b></div><p>Item no.: 4821</p></div>',
    });
    const address = 'https://lumen.example/shop/details?art=9&name=Copper+lamp+for+tall+rooms';
    expect(valuesOf(html, address)).toMatchObject({ price: '5', sku: '4821' });
  });
});

describe('a heading', () => {
  const titled = (heading: string): string =>
    `<title>Lumen Copper lamp</title>${heading}<p class="price">5,00 €</p>`;

  it.each([
    [
      'that begins with a link names its brand',
      '<h1><a href="/lumen-12">Lumen</a> <span>Copper lamp</span></h1>',
      'Lumen',
    ],
    ['that is a link as a whole names none', '<h1><a href="/lumen-12">Lumen Copper lamp</a></h1>', null],
    [
      'that begins with a link home names none',
      '<h1><a href="/">Lumen</a> <span>Copper lamp</span></h1>',
      null,
    ],
    [
      'that begins with a link to a kind of thing names none',
      '<h1><a href="/lamps">All lamps</a> <span>Copper lamp</span></h1>',
      null,
    ],
  ])('%s', (_, heading, brand) => {
    expect(valuesOf(titled(heading), URL).brand).toBe(brand);
  });
});

describe('JSON-LD with quotes that nobody escaped', () => {
  it.each([
    ['24" (60 cm) lamp', 'before a bracket'],
    ['Lamp 23.8" wide', 'before a word'],
    ['Lamp 24", white', 'before a comma and a word'],
    ['The "Copper" lamp', 'around a word'],
  ])('%s: %s', (name) => {
    const head = `<script type="application/ld+json">{"@type":"Product","name":"${name}","sku":"L-1",
      "brand":{"@type":"Brand","name":"Lumen"},"offers":{"price":"5.00","priceCurrency":"EUR"}}</script>`;
    expect(valuesOf(`<title>x</title>${head}`, URL)).toMatchObject({
      name,
      sku: 'L-1',
      brand: 'Lumen',
      price: '5',
    });
  });
});
