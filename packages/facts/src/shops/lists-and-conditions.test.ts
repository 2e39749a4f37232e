import { describe, expect, it } from 'vitest';
import { type Expected, jsonLd, shopPage, valuesOf } from './testing.ts';

const BUY = '<form action="/cart/add"><button type="submit">Add to cart</button></form>';
const offer = (price: string, more: object = {}) => ({
  '@type': 'Offer',
  price,
  priceCurrency: 'EUR',
  ...more,
});
const product = (name: string, offers: object, more: object = {}) =>
  jsonLd({ '@context': 'https://schema.org', '@type': 'Product', name, offers, ...more });
const page = (body: string, head = '', title = 'Copper lamp | Lumen', lang = 'en') =>
  shopPage({ title, lang, head, body });
const HEADING = '<h1>Copper lamp</h1>';
/** Products that are each offered on a page of their own. */
const offeredElsewhere = ['small', 'medium', 'large']
  .map((size, i) => product(`Copper lamp ${size}`, offer(`${79 + i}.00`, { url: `/p/${size}` })))
  .join('');
const metaPrices = (...amounts: string[]) =>
  amounts.map((amount) => `<meta property="product:price:amount" content="${amount}">`).join('');

const PAGES: Readonly<Record<string, readonly [html: string, expected: Expected]>> = {
  'a list of marked-up products that are offered on other pages has no price': [
    page('<h1>Copper lamps for every room</h1>', offeredElsewhere, 'Copper lamps small and large | Lumen'),
    { price: null, sku: null },
  ],
  'a product page keeps its own price beside such products': [
    page(`${HEADING}<p class="price">€99.00</p>${BUY}`, offeredElsewhere),
    { price: '99', availability: 'InStock' },
  ],
  'a product named by the title is read, even if its offer has another address': [
    page('<h1>Copper lamp medium</h1>', offeredElsewhere, 'Copper lamp medium | Lumen'),
    { price: '80', currency: 'EUR' },
  ],
  'meta elements with the prices of three products state none': [
    page('<h1>Lamps</h1>', metaPrices('145', '225', '79'), 'Lamps | Lumen'),
    { price: null },
  ],
  'meta elements that repeat one price state it': [
    page('<h1>Lamps</h1>', metaPrices('145', '145', '145'), 'Lamps | Lumen'),
    { price: '145' },
  ],
  'the limits of a price filter are no price': [
    page(
      '<h1>Lamps</h1><div class="filter"><span class="price">€10.00</span> <span class="price">€900.00</span></div>',
      '',
      'Lamps',
    ),
    { price: null },
  ],
  'a list is recognised by its many amounts': [
    page(
      `<h1>Lamps</h1>${Array.from({ length: 30 }, () => '<p>Text</p>').join('')}${['4', '5', '6', '7', '8'].map((n) => `<p class="price">€${n}.00</p>`).join('')}`,
      '',
      'Lamps',
    ),
    { price: null },
  ],
  'an article number that begins with the sign of a currency is no price': [
    page(`${HEADING}<div class="price"><span>SKU</span> <span>E75033</span></div>`),
    { price: null, sku: 'E75033' },
  ],
  'an amount in a box named for the price and the saving is the price': [
    page(
      `${HEADING}${'<p>Text</p>'.repeat(20)}<div class="price-and-saving"><div class="box__price">€295.00</div></div>${BUY}`,
    ),
    { price: '295', currency: 'EUR' },
  ],
  'a price per unit is the price if the unit is one piece': [
    page(
      `${HEADING}<p class="pricePerUnit">£1.75<abbr>/</abbr><abbr>unit</abbr></p><p class="pricePerMeasure">£8.75/kg</p>${BUY}`,
    ),
    { price: '1.75', currency: 'GBP' },
  ],
  'a price after a coupon or a subsidy is not the price': [
    page(
      `<h1>美的空调</h1><p class="final price">￥2549.15 <span>国补领后价</span></p><p class="price">￥2999.00</p>`,
      '',
      '美的空调',
      'zh-CN',
    ),
    { price: '2999', currency: 'CNY' },
  ],
  'used articles yield to a new one, in data and in print': [
    page(
      `${HEADING}<p>From <span class="price now">€913.00</span></p><p><del>€1046.00</del></p>${BUY}`,
      product('Copper lamp', [
        offer('1046.00', { itemCondition: 'https://schema.org/NewCondition' }),
        offer('913.00', { itemCondition: 'UsedCondition' }),
      ]),
    ),
    { price: '1046' },
  ],
  'a used article that is stated first yields to a new one': [
    page(
      HEADING,
      product('Copper lamp', [offer('913.00', { itemCondition: 'UsedCondition' }), offer('1046.00')]),
    ),
    { price: '1046' },
  ],
  'a used article has its price where no new one is offered': [
    page(HEADING, product('Copper lamp', [offer('913.00', { itemCondition: 'UsedCondition' })])),
    { price: '913' },
  ],
};

describe('lists, conditions and other amounts of large shops', () => {
  it.each(Object.entries(PAGES))('%s', (_, [html, expected]) => {
    expect(valuesOf(html, 'https://lumen.example/p/copper-lamp')).toMatchObject(expected);
  });

  it('the main heading names the product, although a shorter one is the beginning of the address', () => {
    const html = page(
      '<h1>Viewmaster VX32 Pro 32 Inch Monitor</h1><p class="price">€259.00</p><h2>Viewmaster VX32 Pro</h2>',
      '',
      'Lumen.example: Viewmaster VX32 Pro 32 Inch Monitor, IPS',
    );
    const { name } = valuesOf(html, 'https://lumen.example/viewmaster-vx32-pro-monitor');
    expect(name).toBe('Viewmaster VX32 Pro 32 Inch Monitor');
  });
});
