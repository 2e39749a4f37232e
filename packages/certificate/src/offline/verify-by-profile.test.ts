import { expect, it } from 'vitest';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '../testing/issuer.ts';
import { type VerifyByProfileOptions, verifyByProfile } from './verify-by-profile.ts';

const issuer = await createTestIssuer();
const certificate = await issuer.certificate();
const options: VerifyByProfileOptions = {
  profile: 'standard',
  pageUrl: TEST_PRODUCT.url,
  now: TEST_NOW,
  trustedIssuers: [TEST_ISSUER],
  jwks: issuer.jwks,
};
const statusOf = async (changes: Partial<VerifyByProfileOptions>) =>
  (await verifyByProfile(certificate, { ...options, ...changes } as VerifyByProfileOptions)).status;

it('depends on what the requested profile requires, and on nothing else', async () => {
  const otherPage = 'https://shop.example/products/teapot';
  expect(await statusOf({})).toBe('trusted');
  expect(await statusOf({ pageUrl: otherPage })).toBe('untrusted');
  expect(await statusOf({ profile: 'minimal', pageUrl: otherPage })).toBe('trusted');
  expect(await statusOf({ profile: 'minimal', pageUrl: 'https://copy.example/' })).toBe('untrusted');
  expect(await statusOf({ productId: '11111111-1111-4111-8111-111111111111' })).toBe('untrusted');
});

it('trusts no profile if nobody has said where the certificate was seen, though it names a page itself', async () => {
  const answer = await verifyByProfile(certificate, {
    ...options,
    pageUrl: undefined,
  } as VerifyByProfileOptions);
  expect(answer).toMatchObject({
    profiles: { minimal: 'undetermined', standard: 'undetermined', full: 'undetermined' },
    checks: {
      signatureValid: { result: true },
      boundToDomain: { result: null },
      boundToUrl: { result: null },
    },
    signed: { url: TEST_PRODUCT.url },
  });
});

it('does not take the certificate of a product for that of an image, whatever bytes accompany it', async () => {
  const image = new Uint8Array([1]);
  const readManifest = () =>
    ({ hasManifest: true, valid: true, failures: [], trust: { status: 'trusted', list: 'all' } }) as const;
  // it names no bytes, so nothing can be said of these
  expect(await statusOf({ profile: 'full', image, readManifest })).toBe('undetermined');
  expect(await statusOf({ profile: 'full', kind: 'asset', image, readManifest })).toBe('untrusted');
});

it('requires a trusted issuer', async () => {
  await expect(statusOf({ trustedIssuers: [] })).rejects.toMatchObject({ code: 'no_trusted_issuer' });
});

it('names what is wrong with its options, instead of answering by an unknown profile', async () => {
  for (const wrong of [
    { profile: 'Standard' },
    { profile: undefined },
    { kind: 'photo' },
    { image: 'bytes' },
  ]) {
    const attempt = statusOf(wrong as Partial<VerifyByProfileOptions>);
    await expect(attempt).rejects.toThrow(new RegExp(`^${Object.keys(wrong)[0]} must be`));
  }
});

it('accepts the bytes of an image as they are, including a Buffer', async () => {
  const image = Buffer.from('an image');
  expect(await statusOf({ profile: 'full', image })).toBe('undetermined');
});
