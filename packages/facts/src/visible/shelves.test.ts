import { describe, expect, it } from 'vitest';
import { shopPage, valuesOf } from '../shops/testing.ts';

const URL = 'https://lumen.example/lampe-4821';
const number = '<table><tr><th>Artikel-Nummer</th><td>L-4821</td></tr></table>';
const others = '<div class="row"><div>Artikelnummer: X-1</div><div class="price">9,00 €</div></div>';
const page = (below: string): string =>
  shopPage({
    title: 'Kupferlampe – Lumen',
    lang: 'de',
    body: `<div class="p"><h1>Kupferlampe</h1><div class="price">79,00 €</div></div><div class="q">${below}</div>`,
  });
const skuOf = (below: string): string | null => valuesOf(page(below), URL).sku;

describe('a title of other products', () => {
  it.each([
    ['a link to a panel', '<li><a href="#spec">Daten</a></li><li><a href="#more">Zubehör</a></li>'],
    [
      'a button',
      '<li><button role="tab" aria-controls="spec">Daten</button></li><li><button role="tab" aria-controls="more">Zubehör (3)</button></li>',
    ],
    [
      'a box that a script opens',
      '<li data-bs-target="#spec"><span>Daten</span></li><li data-bs-target="#more"><span>Zubehör</span></li>',
    ],
  ])('on a tab that is %s applies to its panel only', (_, tabs) => {
    const strip = `<ul>${tabs}</ul>`;
    expect(skuOf(`${strip}<div><div id="spec">${number}</div><div id="more">${others}</div></div>`)).toBe(
      'L-4821',
    );
    expect(skuOf(`${strip}<div><div id="spec">12 W</div><div id="more">${others}</div></div>`)).toBeNull();
  });

  it('on a tab without a panel applies to nothing', () => {
    expect(skuOf(`<div><span role="tab">Zubehör</span>${number}</div>`)).toBe('L-4821');
    expect(skuOf(`<div><a href="#">Zubehör</a><div>${number}</div></div>`)).toBe('L-4821');
  });

  it('that is not a tab applies to its enclosing box', () => {
    expect(skuOf(`<div><h3>Zubehör</h3>${others}</div>`)).toBeNull();
  });

  it('on a tab never applies to the product itself', () => {
    const html = page('').replace('<main>', '<main id="all">').replace('<h1>', '<h1>');
    const own = html.replace('</h1>', `</h1><a href="#all">Zubehör</a>${number}`);
    expect(valuesOf(own, URL).sku).toBe('L-4821');
  });
});

describe('labels of an article number with a hyphen', () => {
  it.each(['Artikel-Nummer', 'Waren-Nr.', 'Produkt-Nr.', 'Bestell-Nummer', 'Artikel-Code', 'Warennummer'])(
    '%s',
    (label) => {
      expect(skuOf(`<dl><dt>${label}</dt><dd>L-4821</dd></dl>`)).toBe('L-4821');
    },
  );
});
