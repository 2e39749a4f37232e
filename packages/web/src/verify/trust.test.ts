import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { expect, it } from 'vitest';
import { judgeDocument } from './judge.ts';
import { trustIn } from './trust.ts';

const ours = await createTestIssuer('ours');
const theirs = await createTestIssuer('theirs');
const place = { pageUrl: TEST_PRODUCT.url };
const judged = async (document: object, ...keys: Parameters<typeof trustIn>[0]) => {
  const trust = trustIn(keys);
  const question = { document, certificate: 'product', place } as const;
  return judgeDocument(question, { trust, now: TEST_NOW });
};

it('keys of one issuer never verify proofs of another', async () => {
  const other = { issuers: ['https://other.example'], jwks: theirs.jwks };
  const here = { issuers: [TEST_ISSUER, 'https://former.example'], jwks: ours.jwks };
  const sound = await judged(await ours.certificate(), other, here);
  expect(sound.verification?.status).toBe('verified');
  const forged = await judged(await theirs.certificate(), other, here);
  expect(forged.verification?.checkDetails.signatureValid.reason).toBe('key_unknown');
  const untrusted = await judged(
    await theirs.certificate({ claims: { iss: 'https://third.example' } }),
    here,
    other,
  );
  expect(untrusted.verification?.status).toBe('failed');
});

it('without a page, there is no result for one', async () => {
  const trust = trustIn([{ issuers: [TEST_ISSUER], jwks: ours.jwks }]);
  const question = { document: await ours.certificate(), certificate: 'product', place: {} } as const;
  const { verification, profiles } = await judgeDocument(question, { trust, now: TEST_NOW });
  expect(verification).toBeUndefined();
  expect(profiles.checks.boundToDomain).toEqual({ result: null, reason: 'context_not_given' });
  expect(profiles.profiles).toEqual({
    minimal: 'undetermined',
    standard: 'undetermined',
    full: 'undetermined',
  });
});

it('no trusted issuer, or no keys, is no verdict', () => {
  expect(() => trustIn([])).toThrow(expect.objectContaining({ code: 'no_trusted_issuer' }));
  const empty = { issuers: [TEST_ISSUER], jwks: { keys: [] } };
  expect(() => trustIn([empty])).toThrow(expect.objectContaining({ code: 'keys_unavailable' }));
});
