import { describe, expect, it } from 'vitest';
import { type Expected, jsonLd, shopPage, valuesOf } from './testing.ts';

const amount = (euros: string): string =>
  `<span class="woocommerce-Price-amount amount"><bdi>${euros}&nbsp;<span class="woocommerce-Price-currencySymbol">&euro;</span></bdi></span>`;
const card = (name: string): string =>
  `<li class="product type-product instock"><a href="https://lumen.example/product/${name}/" class="woocommerce-LoopProduct-link"><img src="/a.jpg"><h2 class="woocommerce-loop-product__title">${name} of oak</h2><span class="price">${amount('19,00')}</span></a>
   <a href="?add-to-cart=9" data-product_sku="OL-1" class="button product_type_simple add_to_cart_button ajax_add_to_cart">Add to cart</a></li>`;
const woo = (inner: string): string =>
  `<div id="product-7" class="product type-product"><div class="woocommerce-product-gallery"></div><div class="summary entry-summary"><h1 class="product_title entry-title">Copper lamp</h1>${inner}</div>
   <section class="related products"><h2>Related products</h2><ul class="products columns-4">${card('Lamp')}${card('Shade')}</ul></section></div>`;
const headed = (inner: string): string => `<h1>Copper lamp</h1>${inner}<button>Add to cart</button>`;
const stated = (price: string): string =>
  jsonLd({
    '@type': 'Product',
    name: 'Copper lamp',
    offers: { '@type': 'Offer', price, priceCurrency: 'EUR' },
  });

const PAGES: readonly (readonly [string, string, Expected])[] = [
  [
    'WooCommerce: sold out, next to products that are not',
    woo(
      `<p class="price">${amount('79,00')}</p><p class="stock out-of-stock">Out of stock</p><span class="sku_wrapper">SKU: <span class="sku">CL-7</span></span>`,
    ),
    { price: '79', currency: 'EUR', availability: 'OutOfStock', sku: 'CL-7' },
  ],
  [
    'WooCommerce: sold out, without a price',
    woo('<p class="stock out-of-stock">Out of stock</p>'),
    { price: null, currency: null, availability: 'OutOfStock', sku: null },
  ],
  [
    'WooCommerce: on request',
    woo('<p>Call us</p>'),
    { price: null, currency: null, availability: null, sku: null },
  ],
  [
    'WooCommerce: reduced, with words for screen readers',
    woo(
      `<p class="price"><del aria-hidden="true">${amount('99,00')}</del> <span class="screen-reader-text">Original price was: 99,00&nbsp;&euro;.</span><ins aria-hidden="true">${amount('79,00')}</ins><span class="screen-reader-text">Current price is: 79,00&nbsp;&euro;.</span></p>`,
    ),
    { price: '79', currency: 'EUR' },
  ],
  [
    'WooCommerce: without and with tax',
    woo(
      `<p class="price">${amount('65,83')} <small class="woocommerce-price-suffix">excl. VAT</small> ${amount('79,00')} <small class="woocommerce-price-suffix">incl. VAT</small></p>`,
    ),
    { price: '79', currency: 'EUR' },
  ],
  [
    'WooCommerce: a group of products',
    woo(
      `<p class="price">${amount('10,00')} &ndash; ${amount('20,00')}</p><form class="cart grouped_form"><table><tr><td><a href="/product/a">Copper lamp A</a></td><td>${amount('10,00')}</td></tr><tr><td><a href="/product/b">Copper lamp B</a></td><td>${amount('20,00')}</td></tr></table></form>`,
    ),
    { price: '10', currency: 'EUR' },
  ],
  [
    'Shopify: sold out',
    '<h1>Copper lamp</h1><div class="price price--sold-out"><div class="price__regular"><span class="price-item price-item--regular">$79.00 USD</span></div><span class="badge price__badge-sold-out">Sold out</span></div><button type="submit" name="add" disabled><span>Sold out</span></button><div class="related-products"><button>Add to cart</button></div>',
    { price: '79', currency: 'USD', availability: 'OutOfStock' },
  ],
  [
    'Shopify: badges of every state in its markup',
    '<h1>Copper lamp</h1><div class="price price--show-badge"><div class="price__regular"><span class="price-item price-item--regular">$79.00</span></div><div class="price__sale"><s class="price-item price-item--regular">$79.00</s><span class="price-item price-item--sale">$79.00</span></div><span class="badge price__badge-sale">Sale</span><span class="badge price__badge-sold-out">Sold out</span></div><button type="submit" name="add"><span>Add to cart</span></button>',
    { price: '79', currency: 'USD', availability: 'InStock' },
  ],
  [
    'Shopify: a cart and a bar to buy from before its heading',
    `<div class="cart-drawer"><p>Your cart is empty</p><span class="totals__subtotal-value">$0.00 USD</span><div class="cart-drawer__recommendations"><a href="/products/oak">Oak lamp</a><span class="price">$15.00</span></div></div><div class="sticky-atc"><span>Copper lamp</span><span>$79.00</span><button>Add to cart</button></div>${headed('<span class="price">$79.00</span>')}`,
    { price: '79', currency: 'USD', availability: 'InStock' },
  ],
  [
    'Magento: from a price on',
    headed(
      '<div class="price-box price-final_price"><span class="normal-price"><span class="price-container price-final_price tax weee"><span class="price-label">As low as</span><span class="price-wrapper"><span class="price">€79.00</span></span></span></span></div>',
    ),
    { price: '79', currency: 'EUR', availability: 'InStock' },
  ],
  [
    'prices of quantities in a list',
    headed(
      '<div class="price">€79.00</div><ul class="prices-tier items"><li>Buy 5 for <span class="price">€70.00</span> each</li><li>Buy 10 for <span class="price">€60.00</span> each</li></ul>',
    ),
    { price: '79' },
  ],
  [
    'prices of quantities in a table',
    headed(
      '<table><tr><th>1-9</th><td>€79.00</td></tr><tr><th>10+</th><td>€70.00</td></tr></table><div class="product-price">€79.00</div>',
    ),
    { price: '79' },
  ],
  [
    'options with prices of their own',
    headed(
      '<div class="price">€79.00</div><select><option>Small</option><option>Large (+ €20.00)</option></select><label><input type="radio"> Gift wrap +€4.00</label>',
    ),
    { price: '79' },
  ],
  [
    'data that states the price with tax, text without',
    headed(`<span class="price">€65.83 excl. VAT</span>${stated('79.00')}`),
    { price: '79' },
  ],
  [
    'data that states the former price',
    headed(`<div class="price"><del>€99.00</del> <ins>€79.00</ins></div>${stated('99.00')}`),
    { price: '79' },
  ],
  [
    'a heading of the second level',
    '<h2 class="name">Copper lamp</h2><p class="price">$79.00</p><button>Add to cart</button>',
    { name: 'Copper lamp', price: '79' },
  ],
  ['its price before its heading', `<div class="price">$79.00</div>${headed('')}`, { price: '79' }],
  [
    'its price far behind its heading',
    headed(`${'<p>Some words about it.</p>'.repeat(60)}<div class="product-price">$79.00</div>`),
    { price: '79' },
  ],
  [
    'its unit price first',
    headed('<div>£0.79 per 100g</div><div>£7.90</div>'),
    { price: '7.9', currency: 'GBP' },
  ],
  [
    'a rate per month',
    headed('<div class="price">€1,299.00</div><div>from €110.00 per month with Klarna</div>'),
    { price: '1299' },
  ],
  [
    'another price for members',
    headed('<div class="member-price">Member price: $69.00</div><div class="price">$79.00</div>'),
    { price: '79' },
  ],
  [
    'another price for subscribers',
    headed(
      '<div class="one-time">One-time purchase <span>$79.00</span></div><div class="subscribe">Subscribe &amp; save <span>$71.10</span></div>',
    ),
    { price: '79' },
  ],
  [
    'a threshold for free delivery before it',
    `<div class="announcement">Free shipping on orders over $50</div>${headed('<div class="price">$79.00</div>')}`,
    { price: '79' },
  ],
  [
    'reviews that speak of prices',
    headed(
      '<div class="price">$79.00</div><div class="reviews"><p>I paid $120 for it, out of stock everywhere</p></div>',
    ),
    { price: '79', availability: 'InStock' },
  ],
];

describe('a page that is easily misread', () => {
  it.each(PAGES)('%s', (_, body, expected) => {
    const html = shopPage({ title: 'Copper lamp - Lumen', body });
    expect(valuesOf(html, 'https://lumen.example/product/copper-lamp/')).toMatchObject(expected);
  });
});
