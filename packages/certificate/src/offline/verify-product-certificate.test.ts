import { describe, expect, it } from 'vitest';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '../testing/issuer.ts';
import { createTrust } from './trust.ts';
import {
  type VerifyProductCertificateOptions,
  verifyProductCertificate,
} from './verify-product-certificate.ts';

const pageUrl = TEST_PRODUCT.url;
const now = TEST_NOW;
const issuer = await createTestIssuer();
const { jwks } = issuer;
const sound = await issuer.certificate();

const KEYS_OF = (base: string) => `${base}/api/v1/.well-known/jwks.json`;

/** A network where these addresses answer with a JWKS; every address that was asked is kept. */
function network(sets: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const fetch = async (url: string | URL | Request): Promise<Response> => {
    asked.push(String(url));
    return String(url) in sets ? Response.json(sets[String(url)]) : new Response('', { status: 404 });
  };
  return { fetch, asked };
}

describe('trusts', () => {
  it('nobody by default: there is no verdict, and no request is sent', async () => {
    const { fetch, asked } = network({ [KEYS_OF(TEST_ISSUER)]: jwks });
    // ''.split(',') is a list of one that names nobody
    for (const trustedIssuers of [[], ''.split(','), [' /']]) {
      const attempt = verifyProductCertificate(sound, { pageUrl, now, trustedIssuers, jwks, fetch });
      await expect(attempt).rejects.toMatchObject({ name: 'CannotVerifyError', code: 'no_trusted_issuer' });
    }
    expect(asked).toEqual([]);
  });

  it('never the issuer that a document names, however valid its keys', async () => {
    const forger = await createTestIssuer();
    const forged = await forger.certificate({ claims: { iss: 'https://forger.example' } });
    const { fetch, asked } = network({
      [KEYS_OF('https://forger.example')]: forger.jwks,
      [KEYS_OF(TEST_ISSUER)]: jwks,
    });
    const result = await verifyProductCertificate(forged, {
      pageUrl,
      now,
      trustedIssuers: [TEST_ISSUER],
      fetch,
    });
    expect(result).toMatchObject({
      status: 'failed',
      checkDetails: {
        signatureValid: { result: false, reason: 'issuer_untrusted' },
        certificateIntegrity: { result: false, reason: 'issuer_untrusted' },
      },
    });
    expect(asked).toEqual([]);
  });

  it('each named issuer for its own proofs only: never a proof by the keys of another issuer', async () => {
    const other = await createTestIssuer();
    const inTheNameOfOther = await issuer.certificate({ claims: { iss: 'https://other.example' } });
    const { fetch } = network({
      [KEYS_OF('https://other.example')]: other.jwks,
      [KEYS_OF(TEST_ISSUER)]: jwks,
    });
    const trust = createTrust({ trustedIssuers: [TEST_ISSUER, 'https://other.example/'], fetch });
    const verdicts = [
      sound,
      inTheNameOfOther,
      await other.certificate({ claims: { iss: 'https://other.example' } }),
    ];
    const results = await Promise.all(
      verdicts.map((document) => verifyProductCertificate(document, { pageUrl, now, trust })),
    );
    expect(results.map(({ status }) => status)).toEqual(['verified', 'failed', 'verified']);
  });
});

describe('takes keys from', () => {
  it('a JWKS that the caller passes, without network', async () => {
    const { fetch, asked } = network({});
    const options = { pageUrl, now, trustedIssuers: [TEST_ISSUER], jwks, fetch };
    expect((await verifyProductCertificate(sound, options)).status).toBe('verified');
    expect(asked).toEqual([]);
  });

  it('an address that the caller names', async () => {
    const { fetch, asked } = network({ 'https://keys.example/set': jwks });
    const options = {
      pageUrl,
      now,
      trustedIssuers: [TEST_ISSUER],
      jwksUrl: 'https://keys.example/set',
      fetch,
    };
    expect((await verifyProductCertificate(sound, options)).status).toBe('verified');
    expect(asked).toEqual(['https://keys.example/set']);
  });

  it('the issuer, once for many certificates with the same trust', async () => {
    const { fetch, asked } = network({ [KEYS_OF(TEST_ISSUER)]: jwks });
    const trust = createTrust({ trustedIssuers: [TEST_ISSUER], fetch });
    for (let i = 0; i < 5; i++) {
      expect((await verifyProductCertificate(sound, { pageUrl, now, trust })).status).toBe('verified');
    }
    expect(asked).toEqual([KEYS_OF(TEST_ISSUER)]);
  });

  it('a JWKS of a known age, which says nothing about the key of a later proof', async () => {
    const later = await (await createTestIssuer('later')).certificate();
    const question = { pageUrl, now, trustedIssuers: [TEST_ISSUER] };
    const at = (seconds: number) => new Date(TEST_NOW.getTime() + seconds * 1000);
    for (const [fetchedAt, expected] of [
      [at(-1), 'keys_unavailable'],
      [at(1), 'failed'],
      [undefined, 'failed'],
    ] as const) {
      for (const keys of [{ jwks, fetchedAt }, { keys: [{ issuers: [TEST_ISSUER], jwks, fetchedAt }] }]) {
        const told = (document: unknown) =>
          verifyProductCertificate(document, { ...question, ...keys, now: at(60) }).then(
            ({ status }) => status,
            ({ code }) => code,
          );
        expect(await told(later)).toBe(expected);
        expect(await told(sound)).toBe('verified');
      }
    }
  });

  it('nowhere, and then gives no verdict: an honest certificate must not look forged', async () => {
    const { fetch } = network({});
    const trustedIssuers = [TEST_ISSUER];
    await expect(
      verifyProductCertificate(sound, { pageUrl, now, trustedIssuers, fetch }),
    ).rejects.toMatchObject({ code: 'keys_unavailable' });
    for (const none of [{ keys: [] }, {}, null, [], 'keys']) {
      await expect(
        verifyProductCertificate(sound, { pageUrl, now, trustedIssuers, jwks: none }),
      ).rejects.toMatchObject({ code: 'keys_unavailable' });
    }
  });

  it('nowhere if there is no readable proof', async () => {
    const { fetch, asked } = network({});
    const options = { pageUrl, now, trustedIssuers: [TEST_ISSUER], fetch };
    const { proof: _, ...identity } = sound;
    for (const document of [undefined, null, identity, [], 'garbage']) {
      expect((await verifyProductCertificate(document, options)).status).toBe('unverified');
    }
    expect((await verifyProductCertificate({ proof: { jwt: 'a.b.c' } }, options)).status).toBe('failed');
    expect(asked).toEqual([]);
  });
});

describe('verifies for the product', () => {
  const ask = (document: unknown, productId?: string) =>
    verifyProductCertificate(document, {
      pageUrl,
      now,
      trustedIssuers: [TEST_ISSUER],
      jwks,
      ...(productId === undefined ? {} : { productId }),
    });

  it('that the caller names', async () => {
    expect((await ask(sound, TEST_PRODUCT.productId)).status).toBe('verified');
    const result = await ask(sound, '11111111-1111-4111-8111-111111111111');
    expect(result.checkDetails.productIdMatches.reason).toBe('product_differs');
    expect(result.status).toBe('failed');
  });

  it('or else the signed one, which the document may not contradict', async () => {
    expect(await ask(sound)).toMatchObject({ status: 'verified', productId: TEST_PRODUCT.productId });
    expect((await ask({ proof: sound.proof })).status).toBe('verified');
    const result = await ask({ ...sound, productID: '11111111-1111-4111-8111-111111111111' });
    expect(result).toMatchObject({
      status: 'failed',
      checkDetails: { certificateIntegrity: { reason: 'document_differs' } },
    });
    const odd = await issuer.certificate({ claims: { productId: 'cup' } });
    expect(await ask({ proof: odd.proof })).toMatchObject({ status: 'failed', productId: '' });
  });
});

describe('options that no compiler checked', () => {
  it('are named if they are missing altogether', async () => {
    const bare = verifyProductCertificate as (document: unknown) => Promise<unknown>;
    await expect(bare(sound)).rejects.toThrow('pageUrl must be the address of the page, as a string.');
  });

  const options = { pageUrl, now, trustedIssuers: [TEST_ISSUER], jwks };
  const untyped = (changes: object) =>
    verifyProductCertificate(sound, { ...options, ...changes } as VerifyProductCertificateOptions);

  it.each([
    ['pageUrl', undefined],
    ['pageUrl', new URL(pageUrl)],
    ['now', undefined],
    ['now', now.getTime()],
    ['now', now.toISOString()],
    ['now', new Date('no date')],
    ['trustedIssuers', TEST_ISSUER],
    ['trustedIssuers', undefined],
    ['trustedIssuers', [undefined]],
  ])('report %s as invalid, instead of accusing an honest shop: %s', async (name, value) => {
    const attempt = untyped({ [name]: value });
    await expect(attempt).rejects.toThrow(TypeError);
    await expect(attempt).rejects.toThrow(`${name} must be`);
  });

  it('may be present and undefined, as when options are passed through', async () => {
    const unset = { productId: undefined, trust: undefined, jwksUrl: undefined, fetch: undefined };
    expect((await verifyProductCertificate(sound, { ...options, ...unset })).status).toBe('verified');
  });
});
