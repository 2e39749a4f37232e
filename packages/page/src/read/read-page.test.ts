import { describe, expect, it } from 'vitest';
import { readPage } from './read-page.ts';

const URL = 'https://shop.example/products/lamp';
const read = (html: string, extra: object = {}) => readPage(html, { url: URL, ...extra });
const page = (body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><title>Lamp</title>${head}</head><body>${body}</body></html>`;
const jsonLd = (value: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const product = { '@context': 'https://schema.org/', '@type': 'Product', name: 'Lamp', sku: 'L-1' };

describe('certificate nodes', () => {
  const certificate = { '@type': 'Product', productID: 'p', 'svc:issuedFor': { domain: 'shop.example' } };

  it.each([
    ['alone', certificate],
    ['in @graph', { '@graph': [product, certificate] }],
    ['as mainEntity', { '@type': 'WebPage', mainEntity: [{ '@type': 'ItemPage', mainEntity: certificate }] }],
    ['in nested arrays', [[[certificate]]]],
  ])('are found %s, as parsed', (_, value) => {
    expect(read(page(jsonLd(value))).certificates).toEqual([certificate]);
  });

  it('are found under full IRIs of the namespace, and returned with the prefix', () => {
    const namespaceUrl = 'https://touchstone.example/ns#';
    const iri = {
      '@type': 'Product',
      [`${namespaceUrl}issuedFor`]: { [`${namespaceUrl}x`]: 1, domain: 'shop.example' },
    };
    expect(read(page(jsonLd(iri)), { namespaceUrl }).certificates).toEqual([
      { '@type': 'Product', 'svc:issuedFor': { 'svc:x': 1, domain: 'shop.example' } },
    ]);
    expect(read(page(jsonLd(iri))).certificates).toEqual([]);
  });

  it('count only on Product nodes, and on every one of them', () => {
    const image = { ...certificate, '@type': 'ImageObject' };
    expect(
      read(page(jsonLd([image, certificate, { ...certificate, productID: 'q' }]))).certificates,
    ).toHaveLength(2);
  });

  it('remain data if they contain __proto__', () => {
    const text = '{"@type":"Product","svc:issuedFor":{},"__proto__":{"polluted":true}}';
    const { certificates } = read(page(`<script type="application/ld+json">${text}</script>`), {
      namespaceUrl: 'https://n/',
    });
    expect(certificates).toHaveLength(1);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('links', () => {
  it('include the canonical link, absolute', () => {
    expect(read(page('', '<link rel="canonical" href="/products/lamp">')).canonicalUrl).toBe(URL);
    expect(read(page('')).canonicalUrl).toBeNull();
    expect(read(page('', '<link rel=canonical href="javascript:alert(1)">')).canonicalUrl).toBeNull();
  });
});
