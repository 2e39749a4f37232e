import { createTrust, verifyByProfile } from '@touchstone/certificate';
import {
  createTestIssuer,
  TEST_NOW as now,
  TEST_ISSUER,
  TEST_PRODUCT,
} from '@touchstone/certificate/testing';
import { expect, it } from 'vitest';
import { openSavedPage } from './saved-page.ts';

const issuer = await createTestIssuer();
const trust = createTrust({ trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks });
const script = (node: unknown) => `<script type="application/ld+json">${JSON.stringify(node)}</script>`;
const url = TEST_PRODUCT.url;
const NAMED = `<!-- saved from url=(0033)${url} --><base href="${url}"><link rel="canonical" href="${url}"><meta property="og:url" content="${url}">`;

it('a saved page has no verdict by the addresses that it names, only what it is signed for', async () => {
  const saved = await openSavedPage(NAMED + script(await issuer.certificate()), { trust, now });
  if (saved.kind !== 'certificate') throw new Error(saved.kind);
  const answer = await verifyByProfile(saved.document, { profile: 'standard', trust, now });
  expect([answer.status, answer.checks.boundToUrl.result, answer.signed?.url]).toEqual([
    'undetermined',
    null,
    url,
  ]);
});

it('of several certificates, the first that a trusted issuer has signed speaks for it', async () => {
  const forged = await (await createTestIssuer()).certificate();
  const sound = await issuer.certificate();
  const saved = await openSavedPage([forged, sound].map(script).join(''), { trust, now });
  expect(saved).toMatchObject({ kind: 'certificate', document: { proof: sound.proof } });
  expect(await openSavedPage(script(forged), { trust, now })).toMatchObject({
    kind: 'certificate',
    document: { proof: forged.proof },
  });
});

it('a saved page without a certificate of a trusted issuer has the verdict that no address would change', async () => {
  const foreign = createTrust({ trustedIssuers: ['https://other.example'], jwks: issuer.jwks });
  const html = script(await issuer.certificate());
  for (const [page, by, verdict] of [
    ['<h1>Cup</h1>', trust, 'no_certificate'],
    [html, foreign, 'canonical_mismatch'],
  ] as const) {
    const saved = await openSavedPage(page, { trust: by, now });
    expect(saved).toMatchObject({
      kind: 'judged',
      page: { report: { verdict, warnings: expect.anything() } },
    });
  }
});
