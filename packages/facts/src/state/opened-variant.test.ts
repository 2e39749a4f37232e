import { describe, expect, it } from 'vitest';
import { type Expected, lampData, valuesOf } from '../shops/testing.ts';

const URL = 'https://lumen.example/products/copper-lamp';
const SMALL = { id: 4101, price: 7900, name: 'Copper lamp - Small', public_title: 'Small', sku: 'CL-S' };
const LARGE = { id: 4102, price: 9900, name: 'Copper lamp - Large', public_title: 'Large', sku: 'CL-L' };
const meta = `<script>var meta = ${JSON.stringify({ product: { id: 41, vendor: 'Nordlicht', variants: [SMALL, LARGE] } })};</script>`;
const viewed = (call: object) =>
  `<script>window.ShopifyAnalytics.lib.track("Viewed Product",${JSON.stringify(call)});</script>`;
const LARGE_VIEWED = viewed({ currency: 'NZD', variantId: 4102, productId: 41, price: '99', sku: 'CL-L' });
const lowest =
  '<meta property="og:type" content="product"><meta property="og:price:amount" content="79.00"><meta property="og:price:currency" content="NZD">';
const form = (inner: string) => `<form action="/cart/add">${inner}</form>`;
const page = (head: string, body = '') =>
  `<title>Copper lamp – Lumen</title>${head}<h1>Copper lamp</h1><p class="price">$79.00</p>${body}`;

const FORMS: Readonly<Record<string, readonly [html: string, expected: Expected, url?: string]>> = {
  'its analytics, where the preview states the lowest price of all variants': [
    page(lowest + meta + LARGE_VIEWED),
    { price: '99', currency: 'NZD', sku: 'CL-L', brand: 'Nordlicht' },
  ],
  'its analytics, where structured data states the first variant': [
    page(lampData({ sku: 'CL-S', offers: { price: '79.00', priceCurrency: 'NZD' } }) + meta + LARGE_VIEWED),
    { price: '99', sku: 'CL-L' },
  ],
  'the selected option rather than its analytics': [
    page(
      meta + LARGE_VIEWED,
      form(
        '<select name="id"><option value="4101" selected>S</option><option value="4102">L</option></select>',
      ),
    ),
    { price: '79', sku: 'CL-S' },
  ],
  'the hidden input of its form; those of other products are not asked': [
    page(
      meta,
      form('<input type="hidden" name="id" value="4102">') +
        form('<input type="hidden" name="id" value="9999">'),
    ),
    { price: '99', sku: 'CL-L' },
  ],
  'its address rather than anything else': [
    page(meta + LARGE_VIEWED, form('<input type="hidden" name="id" value="4102">')),
    { price: '79', sku: 'CL-S' },
    `${URL}?variant=4101`,
  ],
  'its analytics, where forms of this product disagree': [
    page(
      meta + LARGE_VIEWED,
      form('<input name="id" value="4101">') + form('<input name="id" value="4102">'),
    ),
    { price: '99', sku: 'CL-L' },
  ],
  'nothing in running text that only looks like the call': [
    page(
      lowest,
      `<p>window.ShopifyAnalytics.lib.track("Viewed Product",{"variantId":1,"price":"1.00"});</p>`,
    ),
    { price: '79' },
  ],
};

describe('the variant that a Shopify page shows', () => {
  it.each(Object.entries(FORMS))('is selected by %s', (_, [html, expected, url = URL]) => {
    expect(valuesOf(html, url)).toMatchObject(expected);
  });

  const record = (stocks: readonly boolean[]) =>
    JSON.stringify({
      id: 41,
      title: 'Copper lamp',
      handle: 'copper-lamp',
      vendor: 'Nordlicht',
      variants: [SMALL, LARGE].map((variant, i) => ({ ...variant, available: stocks[i] })),
    });
  const inScript = (...stocks: boolean[]) =>
    `<script type="application/json" id="ProductJson">${record(stocks)}</script>`;

  it('has the stock of this variant in the product’s own data', () => {
    const stated = lampData({ offers: { price: '79.00', availability: 'https://schema.org/InStock' } });
    const html = page(stated + meta, inScript(true, false));
    expect(valuesOf(html, `${URL}?variant=4102`).availability).toBe('OutOfStock');
    expect(valuesOf(html, `${URL}?variant=4101`).availability).toBe('InStock');
  });

  it('has the stock of the product’s data in an attribute, whatever a badge or a button says', () => {
    const attribute = `<product-form data-product="${record([true, true]).replaceAll('"', '&quot;')}"></product-form>`;
    const badge = '<span class="badge price__badge-sold-out">Sold out</span>';
    expect(valuesOf(page(meta + LARGE_VIEWED, badge + attribute), URL).availability).toBe('InStock');
    const soldOut = inScript(false, false) + form('<button>Add to cart</button>');
    expect(valuesOf(page(meta + LARGE_VIEWED, soldOut), URL).availability).toBe('OutOfStock');
  });

  it('is the first available one, if the one in its analytics is sold out', () => {
    const html = page(meta + LARGE_VIEWED, inScript(true, false));
    expect(valuesOf(html, URL)).toMatchObject({ price: '79', sku: 'CL-S', availability: 'InStock' });
    const all = page(meta + LARGE_VIEWED, inScript(false, false));
    expect(valuesOf(all, URL)).toMatchObject({ price: '99', sku: 'CL-L', availability: 'OutOfStock' });
  });

  it('is unknown, if the one in its analytics is sold out and nothing is known about the others', () => {
    const stock = `<script>let variant = ${JSON.stringify({ ...LARGE, available: false })};</script>`;
    expect(valuesOf(page(meta + LARGE_VIEWED, stock), URL)).toMatchObject({ price: '79', sku: null });
  });

  it('never has its database id as article number', () => {
    const stated = lampData({ sku: '4102', offers: { price: '99.00', priceCurrency: 'NZD' } });
    const call = viewed({ currency: 'NZD', variantId: 4102, productId: 41, price: '99.00', sku: null });
    expect(valuesOf(page(stated + call), URL).sku).toBeNull();
  });

  it('has an article number of several words if its field contains them', () => {
    const call = viewed({
      currency: 'NZD',
      variantId: 4102,
      price: '99.00',
      sku: 'Lamp Copper - L - 2 - Case',
    });
    expect(valuesOf(page(call), URL).sku).toBe('Lamp Copper - L - 2 - Case');
  });
});
