import { describe, expect, it } from 'vitest';
import { type Expected, shopPage, valuesOf } from './testing.ts';

const URL = 'https://lumen.example/p/copper-lamp';
const BUY = '<button type="submit">Add to cart</button>';

/** A product card that links to the page itself, as some templates do instead of leaving the link empty. */
const ownLinkCard = (name: string, price: string): string =>
  `<div itemscope itemtype="https://schema.org/Product"><a itemprop="url" href="/p/copper-lamp"><h2 itemprop="name">${name}</h2></a><p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><span itemprop="priceCurrency">EUR</span> <span itemprop="price">${price}</span></p></div>`;

const PAGES: Readonly<Record<string, readonly [html: string, url: string, expected: Expected]>> = {
  'cards of other products that all link to the page itself are not its product': [
    shopPage({
      title: 'Copper lamp | Lumen',
      body: `<h1>Copper lamp</h1><p class="price">€79.00</p>${BUY}<section>${ownLinkCard('Oat biscuits', '2.90')}${ownLinkCard('Rye bread', '4.10')}${ownLinkCard('Plum jam', '6.05')}</section>`,
    }),
    URL,
    { price: '79', currency: 'EUR', name: 'Copper lamp' },
  ],
  'a card that is the only one to link to the page itself is its product': [
    shopPage({ title: 'Lumen', body: ownLinkCard('Copper lamp', '79.00') }),
    URL,
    { price: '79', name: 'Copper lamp' },
  ],
  'a title over other products is not the heading of the product': [
    shopPage({
      title: 'Welcome',
      body: '<h1>You may also like</h1><div class="card"><p>Brass lamp</p><p class="price">$300</p></div>',
    }),
    'https://lumen.example/p/41',
    { price: null, availability: null },
  ],
  'a product of that name has its heading': [
    shopPage({
      title: 'Lumen | Trending lamp',
      body: `<h1>Trending lamp</h1><p class="price">$79.00</p>${BUY}`,
    }),
    'https://lumen.example/p/trending-lamp',
    { price: '79', availability: 'InStock' },
  ],
  'an amount alone is not the heading of the product': [
    shopPage({ title: 'Welcome', body: `<h1>$1,299.00</h1>${BUY}` }),
    'https://lumen.example/p/41',
    { price: null, availability: null },
  ],
  'a word of the address for the kind of page does not make a heading the product’s': [
    shopPage({
      title: 'Lumen',
      lang: 'pl',
      body: '<div><h1><span>Lampa miedziana</span> <span>79,00 zł</span></h1><button>Dodaj do koszyka</button></div><h2>Produkt</h2><form><h3>Opinie</h3></form>',
    }),
    'https://lumen.example/produkt/1439.html',
    { name: 'Lampa miedziana 79,00 zł', price: '79', currency: 'PLN', availability: 'InStock' },
  ],
  'a page of a site generator that calls all of them articles, with a cart button for what its title names': [
    shopPage({
      title: 'Copper lamp',
      head: '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-01-01">',
      body: '<h1>Copper lamp</h1><h3>€79.00 <del>€99.00</del></h3><button data-item-id="l1" data-item-name="Copper lamp" data-item-price="79.00">Add to cart</button>',
    }),
    URL,
    { price: '79', currency: 'EUR', availability: 'InStock' },
  ],
  'an article with a cart button for something else that it mentions': [
    shopPage({
      title: 'How to choose a lamp',
      head: '<meta property="og:type" content="article"><meta property="article:published_time" content="2024-01-01">',
      body: '<h1>How to choose a lamp</h1><p>Ours:</p><h3>€79.00</h3><button data-item-id="l1" data-item-name="Copper lamp" data-item-price="79.00">Add to cart</button>',
    }),
    'https://lumen.example/how-to-choose-a-lamp',
    { price: null, availability: null },
  ],
};

describe('which product a page is about', () => {
  it.each(Object.entries(PAGES))('%s', (_, [html, url, expected]) => {
    expect(valuesOf(html, url)).toMatchObject(expected);
  });
});
