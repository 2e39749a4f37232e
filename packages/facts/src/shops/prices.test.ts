import { describe, expect, it } from 'vitest';
import { shopPage, valuesOf } from './testing.ts';

const priceOf = (block: string, lang = 'en', host = 'lumen.example') => {
  const body = `<h1>Copper lamp with shade</h1>${block}<button>Add to cart</button><h2>Description</h2><p>A lamp of copper.</p>`;
  const html = shopPage({ title: 'Copper lamp with shade - Lumen', body, lang });
  const { price, currency } = valuesOf(html, `https://${host}/p/copper-lamp-with-shade`);
  return [price, currency];
};

describe('the price that a page prints', () => {
  it.each([
    // former prices, by element, by name, by words
    ['<del>$99.00</del> <ins>$79.00</ins>', '79', 'USD'],
    ['<ins>$79.00</ins> <del>$99.00</del>', '79', 'USD'],
    ['<span class="price-old">$99.00</span><span class="price-new">$79.00</span>', '79', 'USD'],
    ['<div>Was <span>$99.00</span></div><div>Now <span>$79.00</span></div>', '79', 'USD'],
    ['<div>RRP: <span>£99.00</span></div><div>Our price: <span>£79.00</span></div>', '79', 'GBP'],
    ['<p>UVP 99,00 €</p><p class="price">79,00 €</p>', '79', 'EUR'],
    ['<p>statt 99,00 €</p><p>nur 79,00 €</p>', '79', 'EUR'],
    ['<span style="text-decoration:line-through">99,00 €</span><span>79,00 €</span>', '79', 'EUR'],
    ['<p>Antes: <span>99,00 €</span></p><p>Ahora: <span>79,00 €</span></p>', '79', 'EUR'],
    ['<p>Běžná cena: <span>2 490 Kč</span></p><p>Naše cena: <span>1 990 Kč</span></p>', '1990', 'CZK'],
    ['<p>Старая цена <span>2 490 ₽</span></p><p><b>1 990 ₽</b></p>', '1990', 'RUB'],
    // the lowest price of the last 30 days, which EU shops must print with a reduced price
    [
      '<div class="price">89,00 zł</div><div>Najniższa cena z 30 dni przed obniżką: 79,00 zł</div>',
      '89',
      'PLN',
    ],
    [
      '<div class="price">89,00 zł</div><div>Najniższa cena z ostatnich 30 dni: <span class="price">79,00 zł</span></div>',
      '89',
      'PLN',
    ],
    [
      '<div class="price">89,00 €</div><div>Niedrigster Preis der letzten 30 Tage: <span>84,00 €</span></div>',
      '89',
      'EUR',
    ],
    // unit prices
    ['<div class="price">12,50 €</div><div class="unit-price">25,00 € / kg</div>', '12.5', 'EUR'],
    ['<div class="base-price">(1 l = 4,20 €)</div><div class="price">2,10 €</div>', '2.1', 'EUR'],
    ['<div class="price">2,10 €</div><small>Grundpreis: 4,20 €/l</small>', '2.1', 'EUR'],
    // instalments, shipping, savings, points
    ['<div class="price">50,00 €</div><div>ou 4x 12,50 € sans frais</div>', '50', 'EUR'],
    ['<div>4 interest-free payments of <b>$12.50</b></div><div class="price">$50.00</div>', '50', 'USD'],
    ['<div class="price">$50.00</div><div>or 4 payments of $12.50 with <b>Afterpay</b></div>', '50', 'USD'],
    ['<div class="price">R$ 120,00</div><div>10x de R$ 12,00 sem juros</div>', '120', 'BRL'],
    ['<div>Versandkosten: <b>4,90 €</b></div><div class="price">79,00 €</div>', '79', 'EUR'],
    ['<div class="price">79,00 €</div><div>zzgl. <b>4,90 €</b> Versand</div>', '79', 'EUR'],
    ['<div>Save <b>$20.00</b></div><div class="price">$79.00</div>', '79', 'USD'],
    [
      '<div class="price">$79.00</div><div>Earn 79 points</div><div>Spend <b>$21.00</b> more for free shipping</div>',
      '79',
      'USD',
    ],
    // with and without tax
    [
      '<div class="price">£79.00 <span>inc VAT</span></div><div class="price-ex">£65.83 <span>ex VAT</span></div>',
      '79',
      'GBP',
    ],
    ['<div>65,29 € zzgl. MwSt.</div><div class="price">79,00 € inkl. MwSt.</div>', '79', 'EUR'],
    [
      '<div class="price-excluding-tax">£65.83</div><div class="price-including-tax">£79.00</div>',
      '79',
      'GBP',
    ],
    ['<strong class="price">1 990 Kč</strong><div>1 645 Kč bez DPH</div>', '1990', 'CZK'],
    // a range: its low end
    ['<div class="price">From $79.00</div>', '79', 'USD'],
    ['<div class="price">$79.00 – $99.00</div>', '79', 'USD'],
    ['<div class="price">ab 79,00 €</div>', '79', 'EUR'],
    // amounts in other currencies
    [
      '<select name="currency"><option>USD $</option><option selected>EUR €</option></select><div class="price">€79.00</div>',
      '79',
      'EUR',
    ],
    ['<div class="price">€79.00</div><div class="price-converted">approx. $85.00</div>', '79', 'EUR'],
    ['<div class="price">79,00 € <span>(154,51 лв.)</span></div>', '79', 'EUR'],
    // number formats
    ['<div class="price">CHF 1\u2019299.\u2013</div>', '1299', 'CHF'],
    ['<div class="price">1.299,-</div>', '1299', null],
    ['<div class="price">₹1,29,999.00</div>', '129999', 'INR'],
    ['<div class="price">Rp1.299.000</div>', '1299000', 'IDR'],
    ['<div class="price">¥12,980 <span>税込</span></div>', '12980', 'JPY'],
    ['<div class="price">12,980円(税込)</div>', '12980', 'JPY'],
    ['<div class="price"><strong>129,000</strong>원</div>', '129000', 'KRW'],
    ['<div class="price">1 299,90 kr</div>', '1299.9', 'SEK'],
    ['<div class="price">1.299,90 TL</div>', '1299.9', 'TRY'],
    ['<div class="price">1 299.90 грн</div>', '1299.9', 'UAH'],
    ['<div class="price">12 990 Ft</div>', '12990', 'HUF'],
    ['<div class="price">1.299,99 Lei</div>', '1299.99', 'RON'],
    ['<div class="price"><span>12</span><sup>99</sup> <span>€</span></div>', '12.99', 'EUR'],
    [
      '<div class="price"><span class="currency">$</span><span class="int">12</span><span class="dec">.99</span></div>',
      '12.99',
      'USD',
    ],
    [
      '<div class="price"><span aria-hidden="true"><span>$</span><span>12</span><span>99</span></span></div>',
      '12.99',
      'USD',
    ],
    // a discount, quantity or rating alone is not a price
    ['<div>-20%</div><div>4.8 (120)</div><div>Qty 1</div>', null, null],
    ['<div class="price">Price on request</div>', null, null],
    ['<p>Rated 4.5 of 5 by 1,204 customers</p>', null, null],
  ] as const)('%s', (block, price, currency) => {
    const language = /kr</.test(block) ? 'sv-SE' : 'en';
    expect(priceOf(block, language)).toEqual([price, currency]);
  });

  it('is in the currency of the country if a sign stands for several', () => {
    expect(priceOf('<div class="price">$79.00</div>', 'en', 'shop.lumen.com.au')).toEqual(['79', 'AUD']);
    expect(priceOf('<div class="price">$79.00</div>', 'en-CA')).toEqual(['79', 'CAD']);
    expect(priceOf('<div class="price">79 kr.</div>', 'da', 'lumen.dk')).toEqual(['79', 'DKK']);
  });

  it('is not that of other products on the page', () => {
    const card =
      '<li class="product-card"><a href="/p/oak-lamp">Table lamp of oak</a><span class="price">$19.00</span></li>';
    expect(
      priceOf(
        `<p>Currently not for sale</p><section><h2>You may also like</h2><ul>${card}${card}</ul></section>`,
      ),
    ).toEqual([null, null]);
    expect(
      priceOf(
        `<div class="frequently-bought"><h3>Frequently bought together</h3><span>Total: $98.00</span></div><div class="price">$79.00</div>`,
      ),
    ).toEqual(['79', 'USD']);
  });
});
