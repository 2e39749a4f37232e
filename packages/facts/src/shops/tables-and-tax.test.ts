import { describe, expect, it } from 'vitest';
import { type Expected, jsonLd, shopPage, valuesOf } from './testing.ts';

const URL = 'https://lumen.example/g/01429775/';

function page(body: string, more: { lang?: string; title?: string; url?: string } = {}): Required<Expected> {
  const { lang = 'ja', title = 'ランプ L型', url = URL } = more;
  return valuesOf(shopPage({ title, lang, body: `<h1>${title}</h1>${body}` }), url);
}

/** A table of articles, as in B2B shops: the article number is a link, and prices are printed with and without tax. */
const table = (rows: string): string =>
  `<table><thead><tr><th>注文コード</th><th>参考価格 (税別)</th><th>販売価格 (税別)</th><th>販売価格 (税込)</th><th>出荷目安</th></tr></thead><tbody>${rows}</tbody></table>`;
const row = (sku: string, net: string, gross: string, stock: string, list = '-'): string =>
  `<tr><td><a href="/p/${sku}/">${sku}</a></td><td><span class="Price">${list}</span></td><td><span class="TaxExcluded"><span class="Price Price--Md"><span>￥</span>${net}</span></span></td>
  <td><span class="TaxIncluded"><span class="Price Price--Normal"><span>￥</span>${gross}</span><span class="TaxIncluded__Info">（税込）</span></span></td><td><span>${stock}</span></td></tr>`;

describe('a price before tax printed with the same price after tax', () => {
  it('is not the price, even if the theme marks the other one as old', () => {
    expect(page(table(row('23197143', '179', '197', '当日出荷')))).toMatchObject({
      price: '197',
      currency: 'JPY',
    });
  });

  it('is the price if the other amount does not differ by a tax rate', () => {
    const body = '<p class="price">€100.00</p><p class="price">€140.00 incl. VAT</p>';
    expect(page(body, { lang: 'en', title: 'Copper lamp' }).price).toBe('100');
  });

  it('is not the low end of a range that includes tax', () => {
    const body =
      '<p class="price"><span>€324.04</span> – <span>€335.94</span> <small>incl. VAT</small></p><button>Add to cart</button>';
    expect(page(body, { lang: 'en', title: 'Copper lamp' }).price).toBe('324.04');
  });
});

describe('a table of articles after the name', () => {
  it('with one row describes the product: number, stock', () => {
    const expected = { sku: '23197143', availability: 'InStock' };
    expect(page(table(row('23197143', '179', '197', '当日出荷')))).toMatchObject(expected);
    expect(page(table(row('61690687', '3,798', '4,178', '欠品中')))).toMatchObject({
      sku: '61690687',
      availability: 'OutOfStock',
    });
  });

  it('with several rows that have pages of their own states no price and no number', () => {
    const rows =
      row('06468245', '4,790', '5,269', '当日出荷') + row('06468254', '7,990', '8,789', '当日出荷');
    expect(page(table(rows))).toMatchObject({ price: null, currency: null });
    expect(['06468245', '06468254']).not.toContain(page(table(rows)).sku);
  });

  it('with prices by quantity states the price of one', () => {
    const body =
      '<table class="price-table"><tr><td>1</td><td>$335.68</td></tr><tr><td>10</td><td>$310.20</td></tr></table>';
    expect(page(body, { lang: 'en', title: 'Copper lamp' }).price).toBe('335.68');
  });
});

describe('a group of products', () => {
  it('has the low end of its range as price, if the data states another one before tax', () => {
    const specification = { price: '14.62', priceCurrency: 'USD', valueAddedTaxIncluded: false };
    const body = `<p class="price"><span>$4.90</span> – <span>$45.01</span></p><table class="group"><tr><td>Cup</td><td class="item-price">$4.90</td></tr>
      <tr><td>Plate</td><td class="item-price">$14.62</td></tr><tr><td>Pot</td><td class="item-price">$45.01</td></tr></table>
      ${jsonLd({ '@type': 'Product', name: 'Copper lamp', offers: { '@type': 'Offer', priceSpecification: specification } })}`;
    expect(page(body, { lang: 'en', title: 'Copper lamp' }).price).toBe('4.9');
  });
});

describe('the sign shared by yen and yuan', () => {
  const price = '<p class="price">¥ 149.00</p><button>Buy now</button>';
  it.each([
    ['乳白亚克力外壳 键盘', '', 'CNY'],
    ['乳白アクリル ケース', '', 'JPY'],
    ['Copper lamp', 'zh', 'CNY'],
    ['Copper lamp', 'ja', 'JPY'],
    ['乳白亚克力外壳 键盘', 'ja', 'JPY'],
  ])('is resolved by the language of %s (%s): %s', (title, lang, currency) => {
    const html = `<title>${title}</title><h1>${title}</h1>${price}`;
    const named = lang === '' ? html : `<html lang="${lang}">${html}`;
    expect(valuesOf(named, 'https://lumen.example/item/7').currency).toBe(currency);
  });
});

describe('the name of an element', () => {
  it('gives no article number for the brand', () => {
    const state = `<script>window.__STATE__ = ${JSON.stringify({ product: { name: 'Copper lamp', sku: 'LUMEN', price: 79 } })}</script>`;
    const stated = jsonLd({
      '@type': 'Product',
      name: 'Copper lamp',
      brand: 'Lumen',
      offers: { price: 79, priceCurrency: 'EUR' },
    });
    expect(
      page(`${stated}${state}`, { lang: 'en', title: 'Copper lamp', url: 'https://lumen.example/lamp' }),
    ).toMatchObject({
      brand: 'Lumen',
      sku: null,
    });
  });

  it('gives the brand without the words before it, and never a number', () => {
    const english = { lang: 'en', title: 'Copper lamp', url: 'https://shop.example/lamp' };
    const body =
      '<a class="product-brand" href="/brands/lumen">See other products by: Lumen</a><p class="price">$79.00</p>';
    expect(page(body, english).brand).toBe('Lumen');
    expect(
      page('<span class="product-brand">Арт.006128</span><p class="price">79 ₽</p>', english).brand,
    ).toBeNull();
  });

  it('does not take an unavailable reward for the product', () => {
    const body = '<p class="price">$79.00</p><p class="stock">Reward no longer available</p>';
    expect(page(body, { lang: 'en', title: 'Copper lamp' }).availability).toBeNull();
  });

  it('detects a listing by its count of products', () => {
    const cards = [1200, 500, 319]
      .map((price) => `<div class="card"><p class="price">${price} ₽</p><p>Кофе</p></div>`)
      .join('');
    const body = `<span class="count"><span>58 835</span> товаров</span>${cards}`;
    expect(
      page(body, { lang: 'ru', title: 'Кофе', url: 'https://lumen.example/catalog/kofe' }).price,
    ).toBeNull();
  });
});
