import { describe, expect, it } from 'vitest';
import { jsonLd, shopPage, valuesOf } from './testing.ts';

const page = (block: string, head = ''): string =>
  shopPage({
    title: 'Copper lamp with shade - Lumen',
    head: `<meta property="og:site_name" content="Lumen">${head}`,
    body: `<h1>Copper lamp with shade</h1><div class="price">79,00 €</div><button>Add to cart</button>${block}`,
  });
const read = (block: string, head?: string) =>
  valuesOf(page(block, head), 'https://www.lumen.example/p/copper-lamp-with-shade');

describe('the article number that a page prints', () => {
  it.each([
    ['<p>SKU: CL-100</p>', 'CL-100'],
    ['<p>SKU CL-100</p>', 'CL-100'],
    ['<span class="sku_wrapper">SKU: <span class="sku">CL-100</span></span>', 'CL-100'],
    ['<p>Art.-Nr.: CL-100</p>', 'CL-100'],
    ['<p>Artikelnummer <b>CL-100</b></p>', 'CL-100'],
    ['<dl><dt>Référence</dt><dd>CL-100</dd></dl>', 'CL-100'],
    ['<ul><li>Código: CL-100</li></ul>', 'CL-100'],
    ['<table><tr><th>Item #</th><td>CL-100</td></tr></table>', 'CL-100'],
    ['<table><tr><th>Kod produktu:</th><td>CL-100</td></tr></table>', 'CL-100'],
    ['<div><span>Артикул:</span> <span>100-77</span></div>', '100-77'],
    ['<div>品番：CL-100</div>', 'CL-100'],
    ['<p>Item No. 100.77</p>', '100.77'],
    ['<p>Ref. 100/77</p>', '100/77'],
    // other numbers
    ['<p>EAN: 4006381333931</p>', null],
    ['<p>Weight: 2.5 kg</p>', null],
    ['<p>Call 555-0100</p>', null],
    ['<p>SKU: N/A</p>', null],
    ['<p>SKU: </p><p>Weight: 2</p>', null],
    ['<p>Order by 12:00</p>', null],
    ['<section><h2>Related products</h2><p>SKU: OTHER-1</p></section>', null],
  ])('%s', (block, sku) => {
    expect(read(block).sku).toBe(sku);
  });
});

describe('the brand that a page prints', () => {
  it.each([
    ['<p>Brand: Nordlicht</p>', 'Nordlicht'],
    ['<p>Brand <a href="/brands/nordlicht">Nordlicht</a></p>', 'Nordlicht'],
    ['<table><tr><td>Hersteller</td><td>Nordlicht GmbH</td></tr></table>', 'Nordlicht GmbH'],
    ['<dl><dt>Marca</dt><dd>Nordlicht</dd></dl>', 'Nordlicht'],
    ['<a href="/collections/vendors?q=Nordlicht" class="product-meta__vendor">Nordlicht</a>', 'Nordlicht'],
    ['<div class="product-brand"><a href="/nordlicht">Nordlicht</a></div>', 'Nordlicht'],
    ['<div>Бренд: <span>Nordlicht</span></div>', 'Nordlicht'],
    // not the product's brand
    ['<p>Brand: -</p>', null],
    ['<p>Brand: {{ vendor }}</p>', null],
    ['<p>Sold by: Lamps4you</p>', null],
    ['<p>Seller: <a href="/seller/77">Lamps4you</a></p>', null],
    ['<footer><p>Brand: Nordlicht</p></footer>', null],
    ['<a class="navbar-brand" href="/">Lumen</a>', null],
    ['<div class="brand"><a href="/"><img src="/logo.svg" alt="Lumen"></a></div>', null],
    [
      '<h2>Our brands</h2><ul class="brands"><li><a href="/brands/a">Aurora</a></li><li><a href="/brands/b">Boreas</a></li></ul>',
      null,
    ],
    ['<p>Brand new, in its box</p>', null],
  ])('%s', (block, brand) => {
    expect(read(block).brand).toBe(brand);
  });

  it('is the one that the data states, even if it is the name of the shop', () => {
    expect(read(jsonLd({ '@type': 'Product', name: 'Copper lamp with shade', brand: 'Lumen' })).brand).toBe(
      'Lumen',
    );
  });
});

describe('the name of a product', () => {
  it.each([
    [
      'in structured data',
      jsonLd({ '@type': 'Product', name: 'Copper lamp &amp; shade' }),
      '',
      'Copper lamp & shade',
    ],
    ['in the main heading', '', '', 'Copper lamp with shade'],
    [
      'in the heading, not in the preview with the shop’s name',
      '',
      '<meta property="og:title" content="Copper lamp with shade | Lumen">',
      'Copper lamp with shade',
    ],
  ])('stands %s', (_, block, head, name) => {
    expect(read(block, head).name).toBe(name);
  });
});
