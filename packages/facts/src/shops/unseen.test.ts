import { describe, expect, it } from 'vitest';
import { type Expected, jsonLd, shopPage, valuesOf } from './testing.ts';

const URL = 'https://lumen.example/p/copper-lamp';
const HEADING = '<h1>Copper lamp</h1>';
const BUY = '<button type="submit">Add to cart</button>';

interface Arrangement extends Expected {
  readonly body: string;
  readonly lang?: string;
  readonly url?: string;
}

function expectAll(arrangements: Readonly<Record<string, Arrangement>>): void {
  it.each(Object.entries(arrangements))('%s', (_, { body, lang = 'en', url = URL, ...expected }) => {
    const html = shopPage({ title: 'Copper lamp | Lumen', lang, body });
    expect(valuesOf(html, url)).toMatchObject(expected);
  });
}

describe('what an amount is', () => {
  expectAll({
    'a hundredfold of what is printed is that amount in cents': {
      body: `${HEADING}<p class="price">$1,279.00</p>${jsonLd({ '@type': 'Product', name: 'Copper lamp', offers: { price: 127900, priceCurrency: 'USD' } })}`,
      price: '1279',
    },
    'a saving after a price does not make it a former one': {
      lang: 'ja',
      body: `${HEADING}<div class="price">7,900円</div><div class="price-gain">2,000円お得</div>`,
      price: '7900',
    },
    'nor does an instalment, recognised by the text around it': {
      lang: 'ru',
      body: `${HEADING}<div class="price">22 510 <span>₽</span></div><button><span>от</span><div class="price">5 627 <span>₽</span></div><span>×</span><span>4</span><span>платежа</span></button>`,
      price: '22510',
      currency: 'RUB',
    },
    'nor does a price for more pieces': {
      body: `${HEADING}<table class="qty-prices"><tr><td>1 - 9</td><td>$79.00</td></tr><tr><td>10+</td><td>$69.00</td></tr></table>${BUY}`,
      price: '79',
    },
    'a price before tax is not the price, even in front of it': {
      lang: 'pl',
      body: `${HEADING}<div class="price_minor">Cena netto: <span>69,11 zł</span></div><div class="price"><span>85,00 zł</span></div>`,
      price: '85',
    },
    'a price for members is a different one': {
      body: `${HEADING}<div class="price">$79.00</div><div class="member">Members pay <span class="price">$69.00</span></div>${BUY}`,
      price: '79',
    },
    'the minimum for free delivery is not a price': {
      body: `${HEADING}<p>Free delivery on orders over $2,500</p>`,
      price: null,
    },
    'nor is an amount in a sentence': { body: `${HEADING}<p>Returns of any item cost $5.</p>`, price: null },
    'nor a count of pieces': {
      lang: 'ko',
      body: `${HEADING}<span class="max_amount">1인당 최대 <em>999</em>개 구매 가능</span>`,
      price: null,
    },
    'a final price may be named for its discount': {
      body: `${HEADING}<div class="discount_block"><div class="original_price">$100.00</div><div class="discount_final_price">$79.00</div></div><h2>More</h2><div class="price">$5.95</div>`,
      price: '79',
    },
    'cents may be raised after the sign': {
      lang: 'fr',
      body: `${HEADING}<div class="price">79€<sup>99</sup></div>`,
      price: '79.99',
      currency: 'EUR',
    },
    'dashes may stand for cents, before the sign': {
      lang: 'es',
      body: `${HEADING}<div class="pdp-price"><span>259,</span><div><span>–</span></div><span> €</span></div>`,
      price: '259',
      currency: 'EUR',
    },
  });
});

describe('what is shown', () => {
  expectAll({
    'is not hidden by an id that names a template, as storefronts number their sections': {
      body: `<section id="shopify-section-template--1"><div id="title-template--1">${HEADING}</div><div id="price-template--1"><span class="price-item">$79.00</span></div><form id="product-form-template--1">${BUY}</form></section>`,
      price: '79',
      availability: 'InStock',
    },
    'is not what a class hides': {
      body: `${HEADING}<p class="price">$79.00</p><span class="sold-out-badge hide">Sold out</span><form action="/cart/add"><input type="submit" value="Add to Cart"></form>`,
      availability: 'InStock',
    },
    'is what a class hides on narrow screens only': {
      body: `${HEADING}<p class="price hidden md:block">$79.00</p>${BUY}`,
      price: '79',
    },
  });
});

describe('the value of a label', () => {
  expectAll({
    'in one text without a colon, before other texts': {
      lang: 'da',
      body: `${HEADING}<p>Varenr. KL-9</p><p>På lager</p>`,
      sku: 'KL-9',
      availability: 'InStock',
    },
    'in Turkish capitals': {
      lang: 'tr',
      body: `${HEADING}<ul><li><b>İlan No</b> <span>987654321</span></li></ul>`,
      sku: '987654321',
    },
    'in Portuguese': { lang: 'pt', body: `${HEADING}<p>Cód: LC-9</p>`, sku: 'LC-9' },
    'an availability in one text with its label, next to a link to the maker and an unrelated button': {
      lang: 'ru',
      body: `${HEADING}<ul><li>Производитель: <a href="/n">Нордлихт</a></li><li>Наличие: Нет в наличии</li></ul><p>7 990 ₽</p><button>Купить</button>`,
      availability: 'OutOfStock',
    },
    'an availability that is negated with words in between': {
      lang: 'es',
      body: `${HEADING}<p id="availability">Este producto ya no está disponible</p>`,
      availability: 'OutOfStock',
    },
  });
});

const variant = (size: string, price: string, availability: string) => ({
  '@type': 'Product',
  name: `Copper lamp ${size}`,
  sku: `CL-${size}`,
  offers: { '@type': 'Offer', price, priceCurrency: 'USD', availability },
});

describe('structured data as found in practice', () => {
  expectAll({
    'with capital letters': {
      body: `${HEADING}${jsonLd({ '@context': 'https://schema.org', '@type': 'Product', name: 'Copper lamp', Offers: { '@type': 'Offer', price: '79', priceCurrency: 'USD', Availability: 'https://schema.org/InStock' } })}`,
      price: '79',
      currency: 'USD',
      availability: 'InStock',
    },
    'with variants, the first of them sold out': {
      body: `${HEADING}${jsonLd({ '@context': 'https://schema.org', '@type': 'ProductGroup', name: 'Copper lamp', url: URL, hasVariant: [variant('S', '79.00', 'https://schema.org/OutOfStock'), variant('L', '99.00', 'https://schema.org/InStock')] })}`,
      price: '99',
      // no variant is selected, and its number is printed nowhere
      sku: null,
      availability: 'InStock',
    },
  });
});

describe('a page without headings', () => {
  it('is recognised by a title in a script without spaces between words', () => {
    const html = shopPage({
      title: '【市場】銅のランプ 北欧：ルーメン',
      lang: 'ja',
      body: '<b>銅のランプ 北欧</b><table><tr><td>価格</td><td><span class="price">7,900円</span></td></tr></table>',
    });
    expect(valuesOf(html, URL)).toMatchObject({ price: '7900', currency: 'JPY' });
  });
});
