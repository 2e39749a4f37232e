import { beforeAll, describe, expect, it } from 'vitest';
import { SelfVerificationError, type Signer } from '../issue/sign.ts';
import { createKeySet } from '../keys/key-set.ts';
import { verifyProductCertificate } from '../offline/verify-product-certificate.ts';
import { decodeBase64url, encodeBase64url } from '../proof/base64url.ts';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT, type TestIssuer } from '../testing/issuer.ts';
import { verifyProof } from '../verify/verify-proof.ts';
import { credentialOf } from './credential.ts';
import { encodeEnvelope, signEnvelope } from './sign-envelope.ts';
import { verifyEnvelope } from './verify-envelope.ts';

const STATUS = { status_list: { idx: 5, uri: `${TEST_ISSUER}/api/v1/mc4p/status/7` } };
let issuer: TestIssuer;
let signer: Signer;
let certificate: Record<string, unknown>;

const text = (part = '') => new TextDecoder().decode(decodeBase64url(part) ?? new Uint8Array());
const signerOf = (one: TestIssuer): Signer => ({
  kid: one.kid,
  sign: async (data) => {
    const [header, payload] = new TextDecoder().decode(data).split('.');
    const jws = await one.signRaw(text(header), text(payload));
    return decodeBase64url(jws.slice(jws.lastIndexOf('.') + 1)) ?? new Uint8Array();
  },
});
const trusting = () => ({ trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks, now: TEST_NOW });
const codeOf = async (envelope: unknown, more = {}) =>
  (await verifyEnvelope(envelope, { ...trusting(), ...more })).fault?.code ?? 'valid';
/** Signs this header and credential as they are. */
const sealed = (credential: object, header: object = {}) =>
  issuer.signRaw(
    JSON.stringify({ alg: 'RS256', kid: issuer.kid, typ: 'vc+jwt', cty: 'vc', ...header }),
    JSON.stringify(credential),
  );

beforeAll(async () => {
  issuer = await createTestIssuer();
  signer = signerOf(issuer);
  certificate = await issuer.certificate({ claims: { status: STATUS } });
});

describe('a certificate in an envelope', () => {
  it('is a credential of the data model 2.0 with the status and times of the proof, and the certificate whole', async () => {
    const envelope = await signEnvelope(certificate, signer, createKeySet(issuer.jwks));
    const [header, payload] = envelope.split('.');
    expect(JSON.parse(text(header))).toEqual({ alg: 'RS256', kid: issuer.kid, typ: 'vc+jwt', cty: 'vc' });
    expect(JSON.parse(text(payload))).toMatchObject({
      '@context': ['https://www.w3.org/ns/credentials/v2', { certificate: { '@type': '@json' } }],
      type: ['VerifiableCredential', 'ProductCertificateCredential'],
      issuer: TEST_ISSUER,
      iss: TEST_ISSUER,
      validFrom: '2026-03-01T12:00:00Z',
      validUntil: '2026-03-08T12:00:00Z',
      credentialSubject: { id: `urn:uuid:${TEST_PRODUCT.productId}`, url: TEST_PRODUCT.url, certificate },
      credentialStatus: {
        type: 'TokenStatusListEntry',
        statusListIndex: 5,
        statusListUri: STATUS.status_list.uri,
      },
    });
    expect(JSON.parse(text(payload))).not.toHaveProperty('vc');
  });

  it('has the same bytes each time', async () => {
    const keySet = createKeySet(issuer.jwks);
    const [one, other] = [
      await signEnvelope(certificate, signer, keySet),
      await signEnvelope(certificate, signer, keySet),
    ];
    expect(one).toBe(other);
  });

  it('verifies, and so does the certificate in it, on its page and on no other', async () => {
    const envelope = await signEnvelope(certificate, signer, createKeySet(issuer.jwks));
    const finding = await verifyEnvelope(envelope, trusting());
    expect(finding).toMatchObject({ valid: true, certificate });
    const statusOn = async (pageUrl: string) =>
      (await verifyProductCertificate(finding.certificate, { ...trusting(), pageUrl })).status;
    expect(await statusOn(TEST_PRODUCT.url)).toBe('verified');
    expect(await statusOn('https://copy.example/products/cup')).toBe('failed');
  });

  it('is no proof, and a proof is none', async () => {
    const envelope = await signEnvelope(certificate, signer, createKeySet(issuer.jwks));
    const small = await sealed({ iss: TEST_ISSUER });
    expect(
      (await verifyProof(small, createKeySet(issuer.jwks), { now: TEST_NOW })).certificateIntegrity.result,
    ).toBe(false);
    expect(envelope).not.toBe('');
    expect(await codeOf((certificate.proof as { jwt: string }).jwt)).toBe('envelope_type_wrong');
  });

  it('is not made of an identity-only document, nor signed by a key that is not published', async () => {
    const keySet = createKeySet(issuer.jwks);
    const { proof: _, ...identity } = certificate;
    await expect(signEnvelope(identity, signer, keySet)).rejects.toThrow(TypeError);
    const other = await createTestIssuer();
    await expect(signEnvelope(certificate, signerOf(other), keySet)).rejects.toThrow(SelfVerificationError);
  });
});

describe('an envelope is refused', () => {
  it.each<[string, string, () => unknown]>([
    ['that is none', 'envelope_malformed', () => 7],
    ['with four parts', 'envelope_malformed', () => 'e30.e30.e30.e30'],
    ['of another type', 'envelope_type_wrong', () => sealed(credentialOf(certificate), { typ: 'JWT' })],
    [
      'with another content type',
      'envelope_type_wrong',
      () => sealed(credentialOf(certificate), { cty: 'vp' }),
    ],
    [
      'without algorithm',
      'envelope_algorithm_not_allowed',
      () => sealed(credentialOf(certificate), { alg: 'none' }),
    ],
    ['by HMAC', 'envelope_algorithm_not_allowed', () => sealed(credentialOf(certificate), { alg: 'HS256' })],
    [
      'with a demand',
      'envelope_header_not_allowed',
      () => sealed(credentialOf(certificate), { crit: ['b64'], b64: false }),
    ],
    ['by an unknown key', 'envelope_key_unknown', () => sealed(credentialOf(certificate), { kid: 'other' })],
    [
      'with the claim vc',
      'envelope_not_a_credential',
      () => sealed({ ...credentialOf(certificate), vc: {} }),
    ],
    [
      'of the data model 1.1',
      'envelope_not_a_credential',
      () => sealed({ ...credentialOf(certificate), '@context': ['https://www.w3.org/2018/credentials/v1'] }),
    ],
    [
      'without subject',
      'envelope_not_a_credential',
      () => sealed({ ...credentialOf(certificate), credentialSubject: [] }),
    ],
    [
      'of two issuers',
      'envelope_issuer_differs',
      () => sealed({ ...credentialOf(certificate), iss: 'https://a.example' }),
    ],
    [
      'without certificate',
      'envelope_without_certificate',
      () => sealed({ ...credentialOf(certificate), credentialSubject: { id: 'urn:x:y' } }),
    ],
    [
      'of another issuer',
      'envelope_issuer_untrusted',
      () => sealed({ ...credentialOf(certificate), iss: 'https://a.example', issuer: 'https://a.example' }),
    ],
    [
      'that is valid longer than its certificate',
      'envelope_certificate_differs',
      () => sealed({ ...credentialOf(certificate), validUntil: '2036-03-08T12:00:00Z' }),
    ],
    [
      'with another status',
      'envelope_certificate_differs',
      () => sealed({ ...credentialOf(certificate), credentialStatus: undefined }),
    ],
    [
      'about another page',
      'envelope_certificate_differs',
      () => {
        const { credentialSubject, ...rest } = credentialOf(certificate);
        return sealed({ ...rest, credentialSubject: { ...credentialSubject, url: 'https://copy.example/' } });
      },
    ],
  ])('%s', async (_, code, made) => {
    expect(await codeOf(await made())).toBe(code);
  });

  it('if a byte of it was changed, or its issuer is not trusted', async () => {
    const envelope = await sealed(credentialOf(certificate));
    const [header = '', payload = '', signature = ''] = envelope.split('.');
    const other = text(payload).replace('urn:uuid:0', 'urn:uuid:1');
    const changed = `${header}.${encodeBase64url(new TextEncoder().encode(other))}.${signature}`;
    expect(await codeOf(changed)).toBe('envelope_signature_invalid');
    expect(await codeOf(envelope, { trustedIssuers: ['https://other.example'] })).toBe(
      'envelope_issuer_untrusted',
    );
    expect((await verifyEnvelope(changed, trusting())).certificate).toBeUndefined();
  });

  it('before and after its time, by the tolerance of proofs', async () => {
    const envelope = await sealed(credentialOf(certificate));
    const at = (seconds: number) => codeOf(envelope, { now: new Date(TEST_NOW.getTime() + seconds * 1000) });
    expect(await at(-300)).toBe('valid');
    expect(await at(-301)).toBe('envelope_not_current');
    expect(await at(604_800 + 59)).toBe('valid');
    expect(await at(604_800 + 60)).toBe('envelope_not_current');
  });
});

it('encodes the header in the order that every node signs', () => {
  const [header] = encodeEnvelope({ alg: 'RS256', kid: 'key-1' }, {}).split('.');
  expect(text(header)).toBe('{"alg":"RS256","kid":"key-1","typ":"vc+jwt","cty":"vc"}');
});
