import { describe, expect, it } from 'vitest';
import { readPage } from '../testing.ts';

const URL = 'https://shop.example/products/kettle';
const ID = '0b7e4b1c-6c1d-4b6e-9d2f-3a5c7e9f1b2d';
const CERTIFICATE = {
  '@context': ['https://schema.org', { svc: 'https://certificates.example/ns#' }],
  '@type': 'Product',
  productID: ID,
  url: URL,
  'svc:issuedFor': { domain: 'shop.example', productID: ID },
  additionalProperty: [{ '@type': 'PropertyValue', name: 'sku', value: 'OF-THE-CERTIFICATE' }],
};
const KETTLE = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Kettle',
  sku: 'K-1',
  offers: { '@type': 'Offer', price: '40.00', priceCurrency: 'EUR' },
};
const named = (name: string) => ({ ...KETTLE, name, sku: `SKU-${name}` });

function read(...nodes: readonly unknown[]) {
  const blocks = nodes.map((node) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`);
  const html = `<!doctype html><html lang="en"><head><title>Kettle</title>${blocks.join('')}</head><body><h1>Kettle</h1></body></html>`;
  const { facts, findings, certificates } = readPage(html, { url: URL });
  return { facts, findings, certificates: certificates.length };
}

describe('a certificate on the page', () => {
  it.each([
    ['with the product of the shop', [KETTLE]],
    ['if the shop states no product', []],
    ['among the products of a listing', [named('Cup'), named('Bowl'), named('Plate'), named('Vase')]],
  ])('does not affect the facts: %s', (_, nodes) => {
    const without = read(...nodes);
    expect(read(CERTIFICATE, ...nodes)).toEqual({ ...without, certificates: 1 });
    expect(read(...nodes, CERTIFICATE)).toEqual({ ...without, certificates: 1 });
  });

  it('with full IRIs changes nothing either', () => {
    const { 'svc:issuedFor': issuedFor, ...rest } = CERTIFICATE;
    const full = { ...rest, 'https://certificates.example/ns#issuedFor': issuedFor };
    expect(read(full, KETTLE)).toEqual(read(KETTLE));
  });

  it('keeps the facts of the product that it was merged into, except for the identifier of the service', () => {
    const { sku: _, ...kettle } = KETTLE;
    const { facts, certificates } = read({ ...CERTIFICATE, ...kettle });
    expect(facts).toEqual(read(kettle).facts);
    expect(facts.price?.value).toBe('40.00');
    expect(certificates).toBe(1);
  });

  it('is distinguished from a product with an identifier of the shop', () => {
    const { sku: _, ...kettle } = KETTLE;
    expect(read({ ...kettle, productID: 'K-2' }).facts.sku?.value).toBe('K-2');
  });
});
