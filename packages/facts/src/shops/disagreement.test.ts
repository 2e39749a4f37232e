import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';
import { type Expected, jsonLd, shopPage, valuesOf } from './testing.ts';

const URL = 'https://lumen.example/copper-lamp';
const product = (offers: object, more: object = {}) =>
  jsonLd({ '@context': 'https://schema.org', '@type': 'Product', name: 'Copper lamp', ...more, offers });
const meta = (amount: string, currency = 'EUR') =>
  `<meta property="og:type" content="product"><meta property="product:price:amount" content="${amount}"><meta property="product:price:currency" content="${currency}">`;
const page = (body: string, head = '', lang = 'en') =>
  shopPage({ title: 'Copper lamp', lang, head, body: `<h1>Copper lamp</h1>${body}` });
/** A price followed by two options, each with a radio button and a separate price. */
const options = (small: string, large: string): string =>
  `<p class="price">€55.00</p><div class="option"><input type="radio" name="size"${large}><label>100 g</label><span class="price">€55.00</span></div><div class="option"><input type="radio" name="size"${small}><label>50 g</label><span class="price">€29.00</span></div>${BUY}`;
const BUY = '<form action="/cart/add"><button type="submit">Add to cart</button></form>';

const PAGES: Readonly<Record<string, readonly [html: string, expected: Expected]>> = {
  'a stated starting bid, if meta and text agree on another amount': [
    page(
      '<p>Starting bid: €10.00</p><p class="price">€55.00</p>',
      product({ price: '10.00', priceCurrency: 'EUR' }) + meta('55.00'),
    ),
    { price: '55', currency: 'EUR' },
  ],
  'a starting bid that is the only price': [
    page('<p>Starting bid: €10.00</p>', product({ price: '10.00', priceCurrency: 'EUR' })),
    { price: '10', currency: 'EUR' },
  ],
  'a stated stock, if the page says that it cannot be bought and its button is disabled': [
    page(
      '<p class="price">€55.00</p><p>This item cannot be purchased at present.</p><button class="add-to-cart" disabled>Add to cart</button>',
      product({ price: '55.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' }),
    ),
    { availability: 'OutOfStock' },
  ],
  'a stated stock, if such words are next to an enabled button': [
    page(
      `<p class="price">€55.00</p>${BUY}<p>Gift wrap cannot be purchased at present.</p>`,
      product({ price: '55.00', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' }),
    ),
    { availability: 'InStock' },
  ],
  'a badge on every page of the shop, next to an enabled button': [
    page(
      `<div class="price">€55.00 <span class="badge badge-sale">Sale</span><span class="badge badge-sold-out">Sold out</span></div>${BUY}`,
    ),
    { price: '55', availability: 'InStock' },
  ],
  'a badge, if there is no enabled button': [
    page(
      `<div class="price">€55.00 <span class="badge badge-sold-out">Sold out</span></div><button disabled>Sold out</button>`,
    ),
    { price: '55', availability: 'OutOfStock' },
  ],
  'a price of data for scripts, where the page prints a lower one first': [
    page(
      '<div class="price"><strong>€55.00</strong> <small>€80.00</small></div>',
      `<script>window.__STATE__ = {"product":{"name":"Copper lamp","price":"80.00","sku":"L-1"}};</script>`,
    ),
    { price: '55', sku: 'L-1' },
  ],
  'a bare sign in structured data, where the data layer names its currency': [
    page(
      '<p class="price">$12.990</p>',
      product({ price: '$12.990' }, { sku: 'L-1' }) +
        `<script>dataLayer.push({ecommerce: {currencyCode: 'CLP', detail: {products: [{name: 'Copper lamp', price: '12990'}]}}});</script>`,
    ),
    { price: '12990', currency: 'CLP' },
  ],
  'a bare currency sign in a preview, if another meta element names its currency': [
    page(
      '',
      '<meta property="og:type" content="product"><meta name="twitter:label1" content="Price"><meta name="twitter:data1" content="$499.00"><meta property="og:price:currency" content="MXN">',
    ),
    { price: '499', currency: 'MXN' },
  ],
  'a currency written pricecurrency': [
    page('', product({ price: '55.00', pricecurrency: 'EUR' })),
    { price: '55', currency: 'EUR' },
  ],
  'the currency of another offer, if the chosen one names none': [
    page(
      '<p class="price">55.00</p>',
      product([{ price: '79.00', priceCurrency: 'SEK' }, { price: '55.00' }]),
    ),
    { currency: 'SEK' },
  ],
  'a price only in meta elements, if the page clearly prints another one': [
    page(`<p class="price">€55.00</p>${BUY}`, meta('51.89')),
    { price: '55', currency: 'EUR' },
  ],
  'a price of meta elements alone, where the other amount is not called a price': [
    page(`<p>€55.00</p>${BUY}`, meta('51.89')),
    { price: '51.89', currency: 'EUR' },
  ],
  'a price in meta elements that structured data confirms, if the page prints another one': [
    page(
      `<p class="price">€55.00</p>${BUY}`,
      meta('51.89') + product({ price: '51.89', priceCurrency: 'EUR' }),
    ),
    { price: '51.89', currency: 'EUR' },
  ],
  'a price of meta elements that the page prints for an option that it does not open with': [
    page(options('', ' checked'), meta('29.00')),
    { price: '55', currency: 'EUR' },
  ],
  'a price of meta elements that the page prints for the option that it opens with': [
    page(options(' checked', ''), meta('29.00')),
    { price: '29', currency: 'EUR' },
  ],
  'a price of meta elements that the page prints for an option, where none is checked': [
    page(options('', ''), meta('29.00')),
    { price: '29', currency: 'EUR' },
  ],
  'the low end of a range that is printed nowhere, where the page prints one price': [
    page(
      `<p class="price">€75.00</p>${BUY}`,
      product({ '@type': 'AggregateOffer', lowPrice: '19.90', highPrice: '59.90', priceCurrency: 'EUR' }),
    ),
    { price: '75', currency: 'EUR' },
  ],
  'the low end of a range that the page prints': [
    page(
      `<p class="price">€19.90 – €59.90</p>${BUY}`,
      product({ '@type': 'AggregateOffer', lowPrice: '19.90', highPrice: '59.90', priceCurrency: 'EUR' }),
    ),
    { price: '19.9', currency: 'EUR' },
  ],
  'a price of data for scripts without a currency, where the page prints several amounts in one': [
    page(
      '<div><span>1 290 kr</span><span>1 790 kr</span><span>Spara 500 kr</span></div>',
      `<script>window.__STATE__ = {"product":{"name":"Copper lamp","price":1290,"sku":"L-1"}};</script>`,
      'sv-SE',
    ),
    { price: '1290', currency: 'SEK' },
  ],
  'the same, where the amounts are of several currencies': [
    page(
      '<div><span>1 290 kr</span><span>€119</span></div>',
      `<script>window.__STATE__ = {"product":{"name":"Copper lamp","price":1290,"sku":"L-1"}};</script>`,
      'sv-SE',
    ),
    { price: '1290', currency: null },
  ],
  'a price attribute that contains the id of the product': [
    page('<div data-product-id="8123456789" data-product-price="8123456789">Lamp</div>'),
    { price: null },
  ],
  'a label and a mark in Chinese, with an instalment before them': [
    page('<p>每期 433元</p><p>原價 1,599元</p><p>特價 1,299元</p><button>加入購物車</button>', '', 'zh-TW'),
    { price: '1299', currency: 'TWD' },
  ],
  'a price per tin next to the price': [
    page('<p>售價：480元</p><p>每罐 40元</p>', '', 'zh-TW'),
    { price: '480', currency: 'TWD' },
  ],
  'an amount from which on prices begin': [
    page('<p class="price">1299元起</p>', '', 'zh-CN'),
    { price: '1299', currency: 'CNY' },
  ],
};

describe('statements of one page that disagree', () => {
  it.each(Object.entries(PAGES))('%s', (_, [html, expected]) => {
    expect(valuesOf(html, URL)).toMatchObject(expected);
  });

  it('report a guessed currency as inferred', () => {
    const { currency } = readPage(page('', product({ price: '$55.00' })), { url: URL }).facts;
    expect(currency).toMatchObject({ value: 'USD', doubts: ['inferred', 'weak_source'] });
  });
});
