import { beforeAll, describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/issuer.ts';
import { createKeySet } from './key-set.ts';
import type { RsaPublicJwk } from './rsa-key.ts';

let key: RsaPublicJwk;

beforeAll(async () => {
  const { jwks } = await createTestIssuer('a');
  key = jwks.keys[0] as RsaPublicJwk;
});

describe('a key set', () => {
  it('finds a valid key by its kid', () => {
    expect(createKeySet({ keys: [key] }).find('a')).toEqual(key);
  });

  it('never guesses between two keys with the same kid', () => {
    expect(createKeySet({ keys: [key, { ...key }] }).find('a')).toBe('key_ambiguous');
  });

  it.each([
    ['another key type', { kty: 'EC' }],
    ['a private key', { d: 'AQAB' }],
    ['a key for encryption', { use: 'enc' }],
    ['a key for another algorithm', { alg: 'RS512' }],
    ['a key that may not verify', { key_ops: ['sign'] }],
    ['an exponent of 1', { e: 'AQ' }],
    ['an exponent of 3', { e: 'Aw' }],
    ['an even exponent', { e: 'AQAC' }],
    ['a modulus of 1024 bits', { n: `w${'A'.repeat(169)}B` }],
    ['an even modulus', { n: `w${'A'.repeat(341)}` }],
    ['a modulus of 16384 bits', { n: `w${'A'.repeat(2730)}B` }],
    ['padding in the modulus', { n: 'AQAB=' }],
    ['no modulus', { n: undefined }],
  ])('does not use %s', (_, change) => {
    expect(createKeySet({ keys: [{ ...key, ...change }] }).find('a')).toBe('key_unsuitable');
  });

  it('contains no keys if the JWKS is anything else', () => {
    for (const jwks of [null, 7, 'x', [], {}, { keys: {} }, { keys: [null, 7, {}] }]) {
      expect(createKeySet(jwks).find('a')).toBe('key_unknown');
    }
  });

  it('finds nothing under the names of Object.prototype', () => {
    expect(createKeySet({ keys: [key] }).find('constructor')).toBe('key_unknown');
  });
});
