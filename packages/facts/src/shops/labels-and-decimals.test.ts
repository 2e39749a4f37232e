import type { PageFacts } from '@touchstone/page/document';
import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';
import { type Expected, jsonLd, shopPage, valuesOf } from './testing.ts';

const URL = 'https://lumen.example/p/copper-lamp';
const HEADING = '<h1>Copper lamp</h1>';

const read = (body: string, lang = 'en'): Required<Expected> =>
  valuesOf(shopPage({ title: 'Copper lamp | Lumen', lang, body }), URL);

const facts = (body: string): PageFacts =>
  readPage(shopPage({ title: 'Copper lamp | Lumen', body }), { url: URL }).facts;

const offer = (price: string, priceCurrency: string): string =>
  jsonLd({ '@type': 'Product', name: 'Copper lamp', offers: { '@type': 'Offer', price, priceCurrency } });

describe('three decimals in a currency without small units in practice', () => {
  it.each([
    ['pesos', '$ 6,099.000', offer('6099.000', 'COP'), '6099000'],
    ['dong', '78,990.000 ₫', offer('78990.000', 'VND'), '78990000'],
    ['dong without data', '78,990.000 ₫', '', '78990000'],
    // this currency has three decimals
    ['dinars', '1,189.000 TND', offer('1189.000', 'TND'), '1189'],
    // prices of electronic parts may have tenths of a cent
    ['dollars', '$1,250.125', offer('1250.125', 'USD'), '1250.125'],
    // decimals only in the data, as software writes them
    ['dong in data, printed otherwise', '78.990 ₫', offer('78990.000', 'VND'), '78990'],
  ])('are thousands only if they are printed: %s', (_, printed, data, price) => {
    expect(read(`${HEADING}<p class="price">${printed}</p>${data}`).price).toBe(price);
  });

  it('make the price an inferred one', () => {
    const body = `${HEADING}<p class="price">78,990.000 ₫</p>`;
    expect(facts(body).price?.doubts).toContain('inferred');
  });
});

describe('the label of a stock', () => {
  it.each([
    ['ro', 'Disponibilitate:', 'Stoc epuizat'],
    ['fr', 'Disponibilité :', 'Rupture de stock'],
    ['it', 'Disponibilità:', 'Esaurito'],
    ['pt', 'Disponibilidade:', 'Esgotado'],
    ['de', 'Verfügbarkeit:', 'ausverkauft'],
    ['pl', 'Dostępność:', 'brak towaru'],
    ['cs', 'Dostupnost:', 'vyprodáno'],
    ['hu', 'Elérhetőség:', 'elfogyott'],
  ])('is not the availability, but its value is: %s', (lang, label, value) => {
    const body = `${HEADING}<p class="price">90 €</p><p class="availability">${label} <span>${value}</span></p>`;
    expect(read(body, lang).availability).toBe('OutOfStock');
  });

  it('does not affect words that mean available', () => {
    const body = `${HEADING}<p class="price">90 €</p><p class="availability">Disponibilità: <span>disponibile</span></p>`;
    expect(read(body, 'it').availability).toBe('InStock');
  });
});

describe('numbers and names', () => {
  it.each([
    ['IG-PWRTWR', 'IG-PWRTWR'],
    ['N/A', null],
    ['see below', null],
    ['Copper', null],
  ])('a number may have only some of its words in capitals: %s', (printed, sku) => {
    expect(read(`${HEADING}<p>Product code: ${printed}</p><p class="price">$90.00</p>`).sku).toBe(sku);
  });

  it('a link to the seller’s store, labelled as brand, gives its name', () => {
    const body = `${HEADING}<p class="price">90 €</p><table><tr><th>Marca</th><td>Visita la Store de Halden Works</td></tr></table>`;
    expect(read(body, 'es').brand).toBe('Halden Works');
  });

  it.each([
    ['pt', 'Código do produto: 3300582', '3300582'],
    ['es', 'Código del producto: LT-20', 'LT-20'],
  ])('a product code is its article number: %s', (lang, text, sku) => {
    expect(read(`${HEADING}<p>${text}</p><p class="price">90 €</p>`, lang).sku).toBe(sku);
  });

  it.each([
    ['a link to all of a maker', 'index.php?route=product/manufacturer/info&manufacturer_id=9', 'Halden'],
    ['not one to a product of it', 'index.php?manufacturer_id=9&product_id=4', null],
  ])('%s labels the brand', (_, href, brand) => {
    const body = `${HEADING}<ul><li>Производители <a href="${href}">Halden</a></li></ul>`;
    expect(read(body, 'ru').brand).toBe(brand);
  });

  it('a link that differs from the page only in its query gives a brand too', () => {
    const body = `${HEADING}<ul><li>Производители <a href="index.php?route=product/manufacturer&manufacturer_id=9">Halden</a></li></ul>`;
    const html = shopPage({ title: 'Copper lamp | Lumen', lang: 'ru', body });
    expect(valuesOf(html, 'https://lumen.example/index.php?route=product/product&product_id=4').brand).toBe(
      'Halden',
    );
  });

  it('digits are a brand only if the page prints them', () => {
    const data = (name: string): string =>
      jsonLd({ '@type': 'Product', name: 'Copper lamp', brand: { '@type': 'Brand', name } });
    expect(read(`${HEADING}${data('4248')}`).brand).toBeNull();
    expect(read(`${HEADING}<p>by 4711</p>${data('4711')}`).brand).toBe('4711');
  });
});

describe('a list under a heading that names one model', () => {
  const cards = ['16 GB', '24 GB']
    .map((size) => `<li><h2><a href="/p/lamp-${size}">Copper lamp ${size}</a></h2><p>3 419,000 DT</p></li>`)
    .join('');

  it.each([
    ['fr', 'Trier par:'],
    ['en', 'Sort by'],
    ['de', 'Sortieren nach'],
  ])('is a listing without a price, recognised by its sort control: %s', (lang, sort) => {
    const body = `${HEADING}<div class="toolbar"><label>${sort}</label> <select><option>1</option></select></div><div class="price">3 419,000 DT</div><ul>${cards}</ul>`;
    expect(read(body, lang).price).toBeNull();
  });

  it('is not detected if reviews are sorted further down', () => {
    const body = `${HEADING}<p class="price">90.00 €</p><button>Add to cart</button><h3>Reviews</h3><p>Sort by</p>`;
    expect(read(body).price).toBe('90');
  });
});
