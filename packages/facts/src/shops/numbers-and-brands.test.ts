import { describe, expect, it } from 'vitest';
import { jsonLd, shopPage, valuesOf } from './testing.ts';

const URL_OF_PAGE = 'https://lumen.example/p/copper-lamp';
const HEADING = '<h1>Copper lamp</h1><p class="price">$79.00</p>';
const read = (body: string, more: { readonly head?: string; readonly bodyClass?: string } = {}) =>
  valuesOf(shopPage({ title: 'Copper lamp | Lumen', body: `${HEADING}${body}`, ...more }), URL_OF_PAGE);
const product = (more: object) => jsonLd({ '@type': 'Product', name: 'Copper lamp', ...more });
const variants = (...skus: string[]) =>
  jsonLd({
    '@type': 'ProductGroup',
    name: 'Copper lamp',
    hasVariant: skus.map((sku) => ({ '@type': 'Product', name: 'Copper lamp', sku })),
  });

describe('the article number', () => {
  it.each([
    ['an element named for it', '<div data-testid="product-reference">CL-79</div>', 'CL-79'],
    ['an element named so twice, differently', '<i class="sku">CL-1</i><i class="sku">CL-2</i>', null],
    ['a label in the midst of a line', '<p>In stock. SKU: CL-79 Brand: Acme</p>', 'CL-79'],
    ['a label that ends in a dash', '<p>SKU - CL-79</p>', 'CL-79'],
    ['a label in a small language', '<p>Шифра производа: 4711-7</p>', '4711-7'],
    ['one of several variants that is not printed', variants('CL-S', 'CL-L'), null],
    ['one of several variants that is printed', `${variants('CL-S', 'CL-L')}<p>CL-S</p>`, 'CL-S'],
    ['what all variants share', variants('CL-1', 'CL-1'), 'CL-1'],
    ['several records with numbers of their own', product({ sku: '1' }) + product({ sku: '2' }), null],
    [
      'many words that are printed',
      `${product({ sku: 'a b c d e f 7' })}<p>a b c d e f 7</p>`,
      'a b c d e f 7',
    ],
    ['many words that are printed nowhere', product({ sku: 'a b c d e f 7' }), null],
    ['lines below it', product({ sku: 'CL-79\n  In stock\n' }), 'CL-79'],
  ])('%s', (_, body, sku) => {
    expect(read(body).sku).toBe(sku);
  });

  it('is not the id of a WordPress post, unless it is printed', () => {
    const bodyClass = 'woocommerce single-product postid-482';
    expect(read(product({ sku: 482 }), { bodyClass }).sku).toBeNull();
    expect(read(product({ sku: 483 }), { bodyClass }).sku).toBe('483');
    expect(read(`${product({ sku: 482 })}<p>SKU: 482</p>`, { bodyClass }).sku).toBe('482');
  });
});

describe('the brand', () => {
  it.each([
    ['a label in a small language', '<dl><dt>Vörumerki</dt><dd>Acme</dd></dl>', 'Acme'],
    ['a label after other text', '<p>Cod: 77-1 Marca: Acme</p>', 'Acme'],
    ['a word in the midst of a sentence', '<p>We love this brand: acme is a word for best</p>', null],
    ['a heading over a list', '<div><h3>All Brands</h3><h3>Lamps</h3></div>', null],
    [
      'a class two wrappers up',
      '<div class="product-brand"><span><a href="/x">Acme</a></span></div>',
      'Acme',
    ],
    [
      'a logo in an element named for it',
      '<div class="brand"><a href="/x"><img src="/a.png" alt="Acme"></a></div>',
      'Acme',
    ],
    [
      'a logo in microdata',
      '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Copper lamp</b><a itemprop="brand"><img src="/a.png" alt="Acme"></a></div>',
      'Acme',
    ],
    ['a label against one printed nowhere', `${product({ brand: 'Lumenshop' })}<p>Brand: Acme</p>`, 'Acme'],
    [
      'one that is printed, against a label',
      `${product({ brand: 'Lumen' })}<p>Lumen</p><p>Brand: Acme</p>`,
      'Lumen',
    ],
    ['a word that a template left', product({ brand: 'Your Brand' }), null],
    ['a variable that a template left', product({ brand: '[brand]' }), null],
    ['references written twice', product({ brand: 'H&amp;amp;M' }), 'H&M'],
    ['the name of the product', product({ brand: 'Copper lamp' }), null],
    ['the title of the page', product({ brand: 'Copper lamp | Lumen' }), null],
  ])('%s', (_, body, brand) => {
    expect(read(body).brand).toBe(brand);
  });
});

describe('the context of a fact', () => {
  it('is not navigation because an element inside it is', () => {
    expect(read('<div class="has-product-nav"><p>SKU: CL-79</p></div>').sku).toBe('CL-79');
  });

  it('prefers the printed price if the stated one is before tax', () => {
    const offers = {
      '@type': 'Offer',
      priceSpecification: { price: '66.39', priceCurrency: 'USD', valueAddedTaxIncluded: false },
    };
    expect(read(product({ offers })).price).toBe('79');
    expect(valuesOf(shopPage({ title: 'Copper lamp', body: product({ offers }) }), URL_OF_PAGE).price).toBe(
      '66.39',
    );
  });

  it('shows a name without the duplicate references of WooCommerce', () => {
    expect(read(jsonLd({ '@type': 'Product', name: 'Copper &amp;amp; lamp' })).name).toBe('Copper & lamp');
  });
});
