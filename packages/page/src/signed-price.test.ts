import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { createKeySet, verify } from '@touchstone/certificate/verify';
import { readFacts } from '@touchstone/facts';
import { expect, it } from 'vitest';
import { judgePage } from './judge-page.ts';
import { readPage } from './read/index.ts';

const issuer = await createTestIssuer();
const keySet = createKeySet(issuer.jwks);
const PRICED = {
  attributes: [
    { name: 'price', value: '24.90' },
    { name: 'priceCurrency', value: 'EUR' },
    { name: 'priceSince', value: '2026-02-20' },
  ],
};

/** The report of a page that asks this price and carries the certificate. */
async function reportOf(certificate: object, price: string) {
  const product = {
    '@type': 'Product',
    name: TEST_PRODUCT.name,
    image: TEST_PRODUCT.images[0]?.contentUrl,
    offers: { '@type': 'Offer', price, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
  };
  const scripts = [certificate, { '@context': 'https://schema.org', ...product }].map(
    (node) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`,
  );
  const { url } = TEST_PRODUCT;
  const html = `<html lang="en"><head>${scripts.join('')}</head><body><h1>${TEST_PRODUCT.name}</h1></body></html>`;
  const reading = readPage(html, { url, namespaceUrl: `${TEST_ISSUER}/ns#` }, readFacts);
  const outcome = { kind: 'page', status: 200, reading } as const;
  const observation = { url, finalUrl: url, fetchedAt: TEST_NOW.toISOString(), outcome };
  const { report } = await judgePage(observation, {
    baseUrls: [TEST_ISSUER],
    verifyProduct: (productId, { document, pageUrl }) =>
      verify({ document, pageUrl, productId, keySet, issuers: [TEST_ISSUER], now: TEST_NOW }),
  });
  return report;
}

it('a page that asks another price than the signed one is told, and its verdict, checks and conclusion stay', async () => {
  const certificate = await issuer.certificate({ product: PRICED });
  const [same, other] = [await reportOf(certificate, '24.90'), await reportOf(certificate, '31.90')];
  expect(same.warnings.filter((note) => note.startsWith('signed_price'))).toEqual([]);
  expect(other.warnings.at(-1)).toMatch(
    /^signed_price_differs: .*: signed 24\.90 EUR on 2026-02-20, asked 31\.90 EUR$/,
  );
  expect(other.verdict).toBe('verified');
  expect([other.verdict, other.conclusion, other.mc4p.checks]).toEqual([
    same.verdict,
    same.conclusion,
    same.mc4p.checks,
  ]);
});

it('a price counts only as the proof binds it, with its currency and day', async () => {
  const undated = await issuer.certificate({ product: { attributes: PRICED.attributes.slice(0, 2) } });
  const plain = await issuer.certificate();
  const added = {
    ...plain,
    additionalProperty: (await issuer.certificate({ product: PRICED })).additionalProperty,
  };
  for (const certificate of [undated, plain, added]) {
    const { warnings } = await reportOf(certificate, '31.90');
    expect(warnings.filter((note) => note.startsWith('signed_price'))).toEqual([]);
  }
});
