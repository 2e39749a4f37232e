import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { expect, it } from 'vitest';
import { verifyFromHtml } from './verify-from-html.ts';

const issuer = await createTestIssuer();
const options = {
  pageUrl: TEST_PRODUCT.url,
  now: TEST_NOW,
  trustedIssuers: [TEST_ISSUER],
  jwks: issuer.jwks,
};

const page = (node: unknown) =>
  `<!doctype html><title>Cup</title><h1>Cup</h1><script type="application/ld+json">${JSON.stringify(node)}</script>`;

it('judges a saved page as the service does, with facts and the complete verification', async () => {
  const report = await verifyFromHtml(page(await issuer.certificate()), options);
  expect(report).toMatchObject({
    verdict: 'verified',
    mc4p: { present: true, product_id: TEST_PRODUCT.productId, status: 'verified' },
    verification: { status: 'verified', checks: { boundToUrl: true, domainKnown: null } },
  });
  expect(Object.keys(report)).not.toContain('id');
});

it('distinguishes a copy, an expired one, a page without certificate, and a foreign source', async () => {
  const sound = page(await issuer.certificate());
  const verdictOf = async (html: string, changes: object = {}) =>
    (await verifyFromHtml(html, { ...options, ...changes })).verdict;
  expect(await verdictOf(sound, { pageUrl: 'https://copy.example/products/cup' })).toBe('checks_failed');
  expect(await verdictOf(sound, { now: new Date('2026-03-09T12:00:00Z') })).toBe('certificate_expired');
  expect(await verdictOf('<!doctype html><p>Nothing here.')).toBe('no_certificate');
  expect(await verdictOf(sound, { trustedIssuers: ['https://other.example'] })).toBe('canonical_mismatch');
  expect(await verdictOf(sound, { productId: '11111111-1111-4111-8111-111111111111' })).toBe('checks_failed');
});

it('reads a certificate in the @context that is in force for it in the page', async () => {
  const certificate = await issuer.certificate();
  const inContext = async (context: unknown, more = {}) => {
    const graph = { '@context': context, '@graph': [{ ...certificate, ...more }] };
    const { verdict, warnings } = await verifyFromHtml(page(graph), options);
    return [verdict, warnings.map((warning) => warning.split(':')[0])];
  };
  const alias = { link: 'https://schema.org/url' };
  expect(await inContext('https://schema.org')).toEqual(['verified', []]);
  expect(await inContext(['https://schema.org', { gs1: 'https://gs1.org/voc/' }])).toEqual(['verified', []]);
  expect(await inContext(alias)).toEqual(['verified', []]);
  expect(await inContext(alias, { link: 'https://bargains.example/' })).toEqual(['checks_failed', []]);
  expect(await inContext({ url: 'https://bargains.example/' })).toEqual(['checks_failed', []]);
  expect(await inContext('https://bargains.example/context')).toEqual(['verified', ['context_foreign']]);
  expect(await inContext(Array(101).fill('https://schema.org'))).toEqual(['checks_failed', []]);
});

it('verifies a genuine certificate beside one whose key may be newer than the keys at hand', async () => {
  const { certificate } = await createTestIssuer('made-up');
  const node = await certificate();
  const given = {
    ...options,
    fetchedAt: new Date(TEST_NOW.getTime() - 1000),
    now: new Date(TEST_NOW.getTime() + 1000),
  };
  const many = Array.from({ length: 9 }, (_, index) => page({ ...node, name: String(index) })).join('');
  const genuine = page(await issuer.certificate());
  for (const others of [page(node), many]) {
    expect((await verifyFromHtml(others + genuine, given)).verdict).toBe('verified');
    await expect(verifyFromHtml(others, given)).rejects.toMatchObject({ code: 'keys_unavailable' });
    expect((await verifyFromHtml(others, options)).verdict).toBe('checks_failed');
  }
});

it('reads bytes in the encoding that the response declared', async () => {
  const html = page(await issuer.certificate());
  const bytes = new Uint8Array([...html].flatMap((c) => [c.charCodeAt(0) & 255, c.charCodeAt(0) >> 8]));
  const report = await verifyFromHtml(bytes, { ...options, contentType: 'text/html; charset=utf-16le' });
  expect(report.verdict).toBe('verified');
});

it('throws if nobody is trusted', async () => {
  const html = page(await issuer.certificate());
  await expect(verifyFromHtml(html, { ...options, trustedIssuers: [] })).rejects.toMatchObject({
    code: 'no_trusted_issuer',
  });
});

it('names an argument of the wrong type, instead of saying that the page cannot be read', async () => {
  const html = page(await issuer.certificate());
  const untyped: (html: unknown) => Promise<unknown> = (given) =>
    Reflect.apply(verifyFromHtml, null, [given, options]);
  for (const wrong of [undefined, null, new ArrayBuffer(8), Promise.resolve(html)]) {
    await expect(untyped(wrong)).rejects.toThrow('html must be');
  }
  await expect(verifyFromHtml(html, { ...options, now: new Date('no date') })).rejects.toThrow('now must be');
});

it('reads names in full of each trusted issuer, in any order of the issuers', async () => {
  const html = page(await issuer.certificate()).replaceAll('"svc:', `"${TEST_ISSUER}/ns#`);
  for (const trustedIssuers of [[TEST_ISSUER], ['https://other.example', TEST_ISSUER]]) {
    const keys = [{ issuers: [TEST_ISSUER], jwks: issuer.jwks }];
    const named = { ...options, jwks: undefined, trustedIssuers, keys };
    expect((await verifyFromHtml(html, named)).verdict).toBe('verified');
  }
  const foreign = await verifyFromHtml(html, { ...options, trustedIssuers: ['https://other.example'] });
  expect(foreign.verdict).toBe('no_certificate');
});
