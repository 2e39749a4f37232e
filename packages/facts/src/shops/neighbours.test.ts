import { describe, expect, it } from 'vitest';
import { jsonLd, shopPage, valuesOf } from './testing.ts';

const URL = 'https://lumen.example/p/copper-lamp';
const HEADING = '<h1>Copper lamp</h1>';
const read = (body: string, head = '') =>
  valuesOf(shopPage({ title: 'Copper lamp | Lumen', head, body }), URL);

const product = (inner: string) => `<div itemscope itemtype="https://schema.org/Product">${inner}</div>`;
const offer = (price: string) =>
  `<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="${price}"><meta itemprop="priceCurrency" content="EUR"></div>`;
const own = product(`<h1 itemprop="name">Copper lamp</h1>${offer('79.00')}`);

describe('another product on the page', () => {
  it('gives no article number if it has no name of its own', () => {
    const card = product(
      `<a href="/p/brass-lamp">Brass lamp</a><meta itemprop="sku" content="BL-2">${offer('89.00')}`,
    );
    expect(read(own + card)).toMatchObject({ price: '79', sku: null });
    expect(
      read(own + product(`<a href="/p/brass-lamp"></a><meta itemprop="sku" content="BL-2">`)).sku,
    ).toBeNull();
  });

  it('gives none if it has the same name, with a URL of its own', () => {
    const card = product(
      `<a itemprop="url" href="/p/copper-lamp-large"><span itemprop="name">Copper lamp</span></a><meta itemprop="sku" content="CL-9">${offer('99.00')}`,
    );
    expect(read(own + card)).toMatchObject({ price: '79', sku: null });
  });

  it('is the same product if it states the same about the same page', () => {
    const again = product(`<meta itemprop="sku" content="CL-1">${offer('79.00')}`);
    expect(read(own + again).sku).toBe('CL-1');
    const shorter = jsonLd({
      '@type': 'Product',
      name: 'Copper lamp',
      url: '/lamps/p/copper-lamp',
      sku: 'CL-1',
      offers: { price: '79.00' },
    });
    expect(read(own + shorter).sku).toBe('CL-1');
  });
});

describe('a heading that is only shown without scripts', () => {
  it('is not the name', () => {
    const hint = '<noscript><h1>Please enable JavaScript</h1></noscript>';
    const html = `<html><head><title>Copper lamp</title></head><body>${hint}<div id="app"></div></body></html>`;
    expect(valuesOf(html, URL).name).toBe('Copper lamp');
    expect(read(`${hint}${HEADING}<p class="price">€79.00</p>`)).toMatchObject({
      name: 'Copper lamp',
      price: '79',
    });
    expect(valuesOf(`<template><h1>Brass lamp</h1></template><title>Copper lamp</title>`, URL).name).toBe(
      'Copper lamp',
    );
  });
});

describe('a currency stated apart from the price', () => {
  it('is taken from the product of a variant', () => {
    const group = jsonLd({
      '@type': 'ProductGroup',
      name: 'Copper lamp',
      offers: { '@type': 'AggregateOffer', priceCurrency: 'EUR' },
      hasVariant: ['S', 'L'].map((size) => ({
        '@type': 'Product',
        name: `Copper lamp ${size}`,
        offers: { price: '79.00' },
      })),
    });
    expect(read(HEADING + group)).toMatchObject({ price: '79', currency: 'EUR' });
  });

  it('is taken from the product itself, in any spelling', () => {
    const stated = {
      '@type': 'Product',
      name: 'Copper lamp',
      priceCurrency: 'EUR',
      offers: { price: '79.00' },
    };
    expect(read(HEADING + jsonLd(stated))).toMatchObject({ price: '79', currency: 'EUR' });
    const marked = product(
      `<h1 itemprop="name">Copper lamp</h1><span itemprop="price">79.00</span><meta itemprop="pricecurrency" content="EUR">`,
    );
    expect(read(marked)).toMatchObject({ price: '79', currency: 'EUR' });
  });
});
