import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';

const HOST = 'https://www.shop.example';
const values = (html: string, url = `${HOST}/p/copper-floor-lamp-10482`) => {
  const { facts } = readPage(html, { url });
  return {
    name: facts.name?.value,
    price: facts.price?.value,
    currency: facts.currency?.value,
    availability: facts.availability?.value,
    sku: facts.sku?.value,
    brand: facts.brand?.value,
  };
};
const page = (body: string, lang = 'en', title = 'Copper floor lamp - Lumen shop'): string =>
  `<!doctype html><html lang="${lang}"><head><title>${title}</title></head><body><header><nav><a href="/">Home</a>
  <a href="/cart">Cart <span class="cart-total">$0.00</span></a></nav></header><main>${body}</main>
  <footer>© Lumen <a href="/shipping">Free shipping over $50</a></footer></body></html>`;
const card = (name: string, price: string): string =>
  `<li class="grid-item"><a href="/p/${name}"><img src="/${name}.jpg"><h3>The ${name} of the house</h3></a><span class="price">${price}</span></li>`;

describe('a page without structured data', () => {
  it('is read as a Shopify theme shows it', () => {
    const html =
      page(`<div class="product__info"><p class="product__vendor">Lumen</p><h1 class="product__title">Copper floor lamp</h1>
      <div class="price price--on-sale"><div class="price__regular"><span class="visually-hidden">Regular price</span>
      <s class="price-item price-item--regular">$129.00 USD</s></div><div class="price__sale"><span class="visually-hidden">Sale price</span>
      <span class="price-item price-item--sale price-item--last">$99.00 USD</span></div></div>
      <p class="product__sku">SKU: CFL-10482</p><form action="/cart/add"><button name="add" type="submit"><span>Add to cart</span></button></form></div>
      <section class="product-recommendations"><h2>You may also like</h2><ul>${card('Table lamp', '$19.00')}${card('Wall lamp', '$29.00')}</ul></section>`);
    expect(values(html)).toEqual({
      name: 'Copper floor lamp',
      price: '99.00',
      currency: 'USD',
      availability: 'InStock',
      sku: 'CFL-10482',
      brand: 'Lumen',
    });
  });

  it('is read as a WooCommerce theme shows it, sold out in German', () => {
    const html = page(
      `<div class="product"><div class="summary entry-summary"><h1 class="product_title entry-title">Copper floor lamp</h1>
      <p class="price"><del><span class="woocommerce-Price-amount amount"><bdi>149,00&nbsp;<span class="woocommerce-Price-currencySymbol">&euro;</span></bdi></span></del>
      <ins><span class="woocommerce-Price-amount amount"><bdi>119,90&nbsp;<span class="woocommerce-Price-currencySymbol">&euro;</span></bdi></span></ins></p>
      <p class="stock out-of-stock">Nicht vorrätig</p><div class="product_meta"><span class="sku_wrapper">Artikelnummer: <span class="sku">10-482</span></span></div></div>
      <section class="related products"><ul class="products">${card('Tischlampe', '19,00 €')}</ul></section></div>`,
      'de',
    );
    expect(values(html)).toMatchObject({
      price: '119.90',
      currency: 'EUR',
      availability: 'OutOfStock',
      sku: '10-482',
    });
  });

  it('is read as a Magento theme shows it, its number under a label', () => {
    const html =
      page(`<div class="product-info-main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base">Copper floor lamp</span></h1></div>
      <div class="product-info-price"><div class="price-box price-final_price"><span class="special-price"><span class="price-label">Special Price</span>
      <span data-price-amount="89.95" data-price-type="finalPrice" class="price-wrapper"><span class="price">£89.95</span></span></span>
      <span class="old-price"><span class="price-label">Regular Price</span><span class="price">£110.00</span></span></div></div>
      <div class="product-info-stock-sku"><div class="stock available" title="Availability"><span>In stock</span></div>
      <div class="product attribute sku"><strong class="type">SKU</strong> <div class="value">LMP482</div></div></div>
      <button type="submit" title="Add to Basket" class="action primary tocart"><span>Add to Basket</span></button></div>`);
    expect(values(html)).toMatchObject({
      price: '89.95',
      currency: 'GBP',
      availability: 'InStock',
      sku: 'LMP482',
    });
  });

  it('is read as an OpenCart theme shows it, with brand and code in a list', () => {
    const html =
      page(`<div id="content"><h1>Copper floor lamp</h1><ul class="list-unstyled"><li>Brand: <a href="/lumen">Lumen</a></li>
      <li>Product Code: CFL 482</li><li>Availability: In Stock</li></ul><ul class="list-unstyled"><li><h2>$122.00</h2></li><li>Ex Tax: $100.00</li></ul>
      <button id="button-cart">Add to Cart</button></div>`);
    expect(values(html)).toMatchObject({
      price: '122.00',
      availability: 'InStock',
      sku: 'CFL 482',
      brand: 'Lumen',
    });
  });

  it('is read from a table of attributes, in Czech', () => {
    const html = page(
      `<h1>Copper floor lamp</h1><div class="cena">Cena: <strong>2 490 Kč</strong> <small>bez DPH 2 058 Kč</small></div>
      <div class="dostupnost">Skladem &gt; 5 ks</div><form><input type="submit" value="Do košíku"></form>
      <table><tr><th>Kód zboží</th><td>LMP-482/A</td></tr><tr><th>Výrobce</th><td>Lumen</td></tr></table>`,
      'cs',
    );
    expect(values(html)).toMatchObject({
      price: '2490',
      currency: 'CZK',
      availability: 'InStock',
      sku: 'LMP-482/A',
      brand: 'Lumen',
    });
  });

  it('joins a price that is split over elements', () => {
    const html = page(
      `<h1>Copper floor lamp</h1><div class="product-price"><span class="int">74</span><sup class="dec">90</sup> <span class="cur">lei</span></div><a class="btn add-to-cart" href="#">Adaugă în coș</a>`,
      'ro',
    );
    expect(values(html)).toMatchObject({ price: '74.90', currency: 'RON', availability: 'InStock' });
  });

  it.each([
    ['<span class="price"><span>12</span><span>,99 €</span></span>', '12.99', 'EUR'],
    ['<span class="price"><span>12</span><sup>99 €</sup></span>', '12.99', 'EUR'],
    ['<span class="price"><span>$</span><span>12</span><span>.</span><span>99</span></span>', '12.99', 'USD'],
    ['<span class="price">۱۲۳٬۰۰۰ تومان</span>', '123000', 'IRR'],
    ['<span class="price">₹1,29,999</span>', '129999', 'INR'],
    ['<div>R 1 299,00</div><div class="price">R 1 199,00</div>', '1199.00', 'ZAR'],
    ['<div><s>49,90 €</s> <b>39,90 €</b></div>', '39.90', 'EUR'],
    ['<div><b>1 529 ₽</b> <b>899 ₽</b></div>', '899', 'RUB'],
    ['<div class="qty">1</div><div><b>99 €</b></div>', '99', 'EUR'],
  ])('reads %s', (price, amount, currency) => {
    expect(values(page(`<h1>Copper floor lamp</h1>${price}`))).toMatchObject({ price: amount, currency });
  });

  it.each([
    ['<input type="submit" value="In den Warenkorb">', 'InStock'],
    ['<button disabled class="add-to-cart">Sold out</button>', 'OutOfStock'],
    ['<p>Only 3 left in stock</p>', 'InStock'],
    ['<p>Email me when back in stock</p>', undefined],
    ['<select><option>Red - sold out</option></select><button>Add to bag</button>', 'InStock'],
    ['<p>Image not available</p>', undefined],
    ['<p class="availability">Ordered before 5 pm, pre-order</p>', 'PreOrder'],
  ])('distinguishes from %s that it is %s', (shown, availability) => {
    const html = page(`<h1>Copper floor lamp</h1><p class="price">$5.00</p>${shown}`);
    expect(values(html).availability).toBe(availability);
  });

  it.each([
    ['<a href="/brands/lumen">Lumen</a>', 'Lumen'],
    ['<div class="product-brand"><img src="l.png" alt="Lumen logo"></div>', 'Lumen'],
    ['<table><tr><td>Marke</td><td>Lumen</td></tr></table>', 'Lumen'],
    ['<p>Visit the Lumen Store</p>', 'Lumen'],
    ['<p>Brand new</p>', undefined],
    ['<a href="/brands/">Brands</a>', undefined],
  ])('reads the brand of %s', (shown, brand) => {
    expect(values(page(`<h1>Copper floor lamp</h1>${shown}<p class="price">$5.00</p>`)).brand).toBe(brand);
  });

  it('reads data attributes if nothing else states a fact, and none of them differ', () => {
    const own = '<h1>Copper floor lamp</h1><div data-price="12.50" data-sku="L-5" data-brand="Lumen"></div>';
    expect(values(page(own))).toMatchObject({ price: '12.50', sku: 'L-5', brand: 'Lumen' });
    expect(values(page(`${own}<div data-price="13.00"></div>`)).price).toBeUndefined();
    expect(values(page(`${own}<p class="price">$14.00</p>`)).price).toBe('14.00');
  });

  it('distinguishes instalments, shipping, unit prices and savings from the price', () => {
    const html =
      page(`<h1>Copper floor lamp</h1><div>12x de <b>R$ 8,33</b> sem juros</div><div class="unit-price">R$ 10,00 / kg</div>
      <div class="main-price"><span class="price">R$ 99,96</span></div><p>Shipping: R$ 15,00</p><p class="savings">You save R$ 20,00</p><button>Comprar</button>`);
    expect(values(html)).toMatchObject({ price: '99.96', currency: 'BRL', availability: 'InStock' });
  });

  it('takes the identifier in the URL if the page uses it as its product id', () => {
    const html = page(
      '<h1>Copper floor lamp</h1><div data-product-id="10482"><span class="price">$5.00</span></div>',
    );
    expect(values(html).sku).toBe('10482');
    const unused = page('<h1>Copper floor lamp</h1><span class="price">$5.00</span>');
    expect(values(unused).sku).toBeUndefined();
  });

  it('states no price if only other products have one', () => {
    const html = page(`<h1>Copper floor lamp</h1><p>Currently unavailable.</p>
      <section><h2>Customers also viewed</h2><ul>${card('Table lamp', '$19.00')}${card('Wall lamp', '$29.00')}</ul></section>`);
    expect(values(html)).toMatchObject({ price: undefined, currency: undefined, availability: 'OutOfStock' });
  });

  it('states no availability if the page does not', () => {
    const html = page('<h1>Copper floor lamp</h1><p class="price">$5.00</p><p>A lamp for tall rooms.</p>');
    expect(values(html)).toMatchObject({ price: '5.00', availability: undefined });
  });

  it('prefers a price shown as current to a stated one that the page strikes through', () => {
    const html =
      page(`<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Copper floor lamp</h1>
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="129.00"><meta itemprop="priceCurrency" content="EUR"></div>
      <span class="original-price">EUR129.00</span> <span class="current-price">EUR99.00</span></div>`);
    expect(values(html).price).toBe('99.00');
    expect(readPage(html, { url: `${HOST}/p/1` }).findings.join()).toMatch(/facts_disagree.*129\.00/);
  });

  it('keeps the stated number if the page prints it, and otherwise prefers the printed one', () => {
    const data =
      '<script type="application/ld+json">{"@type":"Product","name":"Copper floor lamp","sku":"INT99"}</script>';
    expect(values(page(`${data}<h1>Copper floor lamp</h1><p>Item no.: 4821</p>`)).sku).toBe('4821');
    expect(values(page(`${data}<h1>Copper floor lamp</h1><p>Item no.: 4821</p><p>Ref INT99</p>`)).sku).toBe(
      'INT99',
    );
  });
});
