import { describe, expect, it } from 'vitest';
import { shopPage, valuesOf } from './shops/testing.ts';

const PRODUCT = 'https://lumen.example/product/copper-lamp/';
const priced = '<h1>Copper lamp</h1><p class="price">$79.00</p><button>Add to cart</button>';
const nothing = { price: null, currency: null, availability: null };

describe('which pages may state facts by what they print', () => {
  const article = '<meta property="og:type" content="article">';
  it.each([
    ['the shop software calls it a product’s page', { bodyClass: 'single-product postid-15' }, ''],
    ['it has a form that fills the cart', {}, '<form class="cart" method="post"></form>'],
    [
      'a second plugin calls it a product',
      { head: `${article}<meta property="og:type" content="product">` },
      '',
    ],
  ])('a page that a plugin calls an article, if %s', (_, parts, more) => {
    const html = shopPage({ title: 'Copper lamp – Lumen', head: article, body: priced + more, ...parts });
    expect(valuesOf(html, PRODUCT)).toMatchObject({ price: '79', availability: 'InStock' });
  });

  it('not an article that contains the card of a product', () => {
    const head = `${article}<meta property="article:published_time" content="2025-01-01">`;
    const body = `${priced}<form class="cart"></form>`;
    expect(valuesOf(shopPage({ title: 'Copper lamp – Lumen', head, body }), PRODUCT)).toMatchObject(nothing);
  });

  it.each([
    '/',
    '/cart',
    '/en/cart',
    '/search?q=lamp',
    '/contact-us',
    '/pages/shipping',
    '/blogs/news/lamps',
  ])('not %s', (path) => {
    const html = shopPage({ title: 'Copper lamp – Lumen', body: priced });
    expect(valuesOf(html, `https://lumen.example${path}`)).toMatchObject(nothing);
  });

  it.each(['collections/lamps/products/copper-lamp', 'shop?product_id=7', '?product=7'])(
    'a product below a listing or named by the query: /%s',
    (path) => {
      const html = shopPage({ title: 'Copper lamp – Lumen', body: priced });
      expect(valuesOf(html, `https://lumen.example/${path}`).price).toBe('79');
    },
  );

  it('a shop of one product at the root, if its meta elements say so', () => {
    const head = '<meta property="product:price:amount" content="79.00">';
    const html = shopPage({ title: 'Copper lamp', head, body: priced });
    expect(valuesOf(html, 'https://lumen.example/').price).toBe('79');
  });
});
