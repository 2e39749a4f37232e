import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';
import { type Expected, jsonLd, shopPage, valuesOf } from './testing.ts';

const URL = 'https://lumen.example/product/copper-lamp/';
const amount = (text: string, sign = '€', before = false) => {
  const mark = `<span class="woocommerce-Price-currencySymbol">${sign}</span>`;
  const bdi = before ? mark + text : `${text}&nbsp;${mark}`;
  return `<span class="woocommerce-Price-amount amount"><bdi>${bdi}</bdi></span>`;
};
const related = `<section class="related products"><h2>Related products</h2><ul><li class="product"><a href="/product/table-lamp/"><h2>Table lamp of oak</h2><span class="price">${amount('19,00')}</span></a></li><li class="product"><a href="/product/wall-lamp/"><h2>Wall lamp of brass</h2><span class="price">${amount('29,00')}</span></a></li></ul></section>`;

const product = (price: string, more = '', lang = 'en'): string =>
  shopPage({
    title: 'Copper lamp – Lumen',
    lang,
    bodyClass: 'single-product woocommerce woocommerce-page',
    head: '<meta property="og:type" content="article">',
    body: `<div class="product type-product"><div class="summary entry-summary"><h1 class="product_title entry-title">Copper lamp</h1><p class="price">${price}</p>${more}</div></div>${related}`,
  });
const read = (price: string, more?: string, lang?: string): Expected =>
  valuesOf(product(price, more, lang), URL);

describe('WooCommerce without structured data', () => {
  it.each([
    ['de', 'Nicht vorrätig'],
    ['fr', 'Rupture de stock'],
    ['es', 'Sin existencias'],
    ['it', 'Esaurito'],
    ['nl', 'Uitverkocht'],
    ['pl', 'Brak w magazynie'],
    ['pt', 'Fora de estoque'],
    ['fi', 'Loppu'],
    ['et', 'Laost otsas'],
    ['ru', 'Нет в наличии'],
    ['tr', 'Stokta yok'],
    ['he', 'המלאי אזל'],
    ['ar', 'غير متوفر في المخزون'],
    ['fa', 'ناموجود'],
    ['ja', '在庫切れ'],
    ['zh', '缺货'],
  ])('says that it is out of stock (%s)', (lang, text) => {
    const stock = `<p class="stock out-of-stock">${text}</p>`;
    expect(read(amount('79,00'), stock, lang)).toMatchObject({ price: '79', availability: 'OutOfStock' });
  });

  it.each([
    ['it', '2 disponibili'],
    ['ja', '在庫1個'],
    ['fa', 'موجود در انبار'],
    ['en', '3 in stock (can be backordered)'],
  ])('says that it is in stock (%s)', (lang, text) => {
    const stock = `<p class="stock in-stock">${text}</p>`;
    expect(read(amount('79,00'), stock, lang).availability).toBe('InStock');
  });

  it('prints a currency before the amount, with the former price first', () => {
    const price = `<del>${amount('100.00', '₪', true)}</del> <ins>${amount('79.00', '₪', true)}</ins>`;
    expect(read(price)).toMatchObject({ price: '79', currency: 'ILS' });
  });

  it('prints a currency of a thousand parts', () => {
    expect(read(amount('12.500', 'د.ك'), '', 'ar')).toMatchObject({ price: '12.5', currency: 'KWD' });
    expect(read(amount('12.500', 'Ft'), '', 'hu')).toMatchObject({ price: '12500', currency: 'HUF' });
  });

  it('prints its price before tax next to the price after tax', () => {
    const both = `${amount('79,00')} <small class="woocommerce-price-suffix price-including-tax">inkl.</small>${amount('66,39').replace('amount"', 'amount price-excluding-tax"')}`;
    expect(read(both, '', 'de').price).toBe('79');
  });

  it('states in its own words what is otherwise a schema.org name', () => {
    const offers = {
      '@type': 'Offer',
      price: '79.00',
      priceCurrency: 'EUR',
      availability: 'Nicht auf Lager',
    };
    const data = jsonLd({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Copper lamp',
      offers,
    });
    expect(read(amount('79,00'), data).availability).toBe('OutOfStock');
    const twitter =
      '<meta name="twitter:label1" content="Prijs"><meta name="twitter:data1" content="79,00 €"><meta name="twitter:label2" content="Beschikbaarheid"><meta name="twitter:data2" content="Niet op voorraad">';
    expect(valuesOf(`<title>Copper lamp</title>${twitter}`, URL)).toMatchObject({
      price: '79',
      currency: 'EUR',
      availability: 'OutOfStock',
    });
  });

  it('prints the range of a group of products, whose low end is the price, whatever the data states', () => {
    const range = `${amount('12,50')} &ndash; ${amount('129,00')}`;
    const row = `<tr><td><a href="/product/table-lamp/">Table lamp</a></td><td class="price">${amount('129,00')}</td></tr>`;
    const group = `<form class="cart" action="${URL}"><table><tbody>${row}</tbody></table><button>In den Warenkorb</button></form>`;
    const stated = jsonLd({ '@type': 'Product', name: 'Copper lamp', offers: { price: '129.00' } });
    const { facts } = readPage(product(range, stated + group, 'de'), { url: URL });
    expect(facts).toMatchObject({
      price: { value: '12.50', doubts: expect.arrayContaining(['range_low_end']) as unknown },
      offers: { low: '12.50', high: '129.00', field: 'text:price' },
      availability: { value: 'InStock' },
    });
  });

  it('prints another price than the data of its variations, such as one with tax', () => {
    const variations = '[{"display_price":79,"is_in_stock":true}]';
    const data = `<form class="variations_form cart" data-product_variations='${variations}'></form>`;
    expect(read(`${amount('94,01')} <small>incl. VAT</small>`, data)).toMatchObject({ price: '94.01' });
  });

  it('has no variation in stock, even though there is a button', () => {
    const variations = '[{"display_price":79,"is_in_stock":false},{"display_price":89,"is_in_stock":false}]';
    const data = `<form class="variations_form cart" data-product_variations='${variations}'><button>Add to cart</button></form>`;
    const sku = '<span class="sku_wrapper">SKU: <span class="sku">CL-1</span></span>';
    expect(read(amount('79,00'), data + sku)).toMatchObject({ availability: 'OutOfStock', sku: 'CL-1' });
  });
});
