import { generateKeyPairSync } from 'node:crypto';
import { type ProofCase, proofVector } from './builder.ts';
import { type Keys, rocaKey, rsaKey, type VectorKey } from './keys.ts';
import { issuerKeySet, jwksOf, type Theme } from './theme.ts';
import { proof } from './tokens.ts';

/** What a key set may contain besides, or instead of, the key of a proof. */
export function keySets(keys: Keys): Theme {
  const sets = [...soundSets(keys), ...notInSet(keys), ...unfit(keys)];
  return {
    name: 'key-sets',
    about:
      'Key sets that hold duplicates, unfit keys, private members, junk, or nothing. Every key is public.',
    jwks: { issuer: issuerKeySet(keys), ...Object.fromEntries(sets.map(({ id, jwks }) => [id, jwks])) },
    vectors: sets.map((given) => proofVector({ ...given, jwks: given.id })),
  };
}

type KeySetCase = Omit<ProofCase, 'jwks'> & { readonly jwks: unknown };

const RULES = ['AUTH-3-KID', 'STRICT-JWS', 'CHECK-SIGNATURE'];

function soundSets({ issuer, next, stranger }: Keys): KeySetCase[] {
  const jwt = proof(issuer);
  const { use: _use, alg: _alg, ...spare } = issuer.jwk;
  const { kid: _kid, ...nameless } = stranger.jwk;
  const big = rsaKey('issuer-4096', 4096);
  return [
    {
      id: 'set-of-several',
      title: 'The right key among others',
      rules: RULES,
      jwt,
      jwks: jwksOf(stranger, next, issuer),
    },
    {
      id: 'set-with-junk',
      title: 'The right key among entries that are no keys',
      rules: RULES,
      jwt,
      jwks: { keys: [null, 7, 'key', [], {}, { kty: 'EC' }, nameless, issuer.jwk], more: true },
    },
    {
      id: 'set-key-without-use-and-alg',
      title: 'A key that says neither use nor alg',
      rules: RULES,
      jwt,
      jwks: { keys: [spare] },
    },
    {
      id: 'set-key-ops-verify',
      title: 'A key whose key_ops allow verifying',
      rules: RULES,
      jwt,
      jwks: { keys: [{ ...issuer.jwk, key_ops: ['verify'] }] },
    },
    {
      id: 'set-unknown-members',
      title: 'A key with members that nobody knows',
      rules: RULES,
      jwt,
      jwks: { keys: [{ ...issuer.jwk, x5t: 'AAAA', exp: 1, note: 'hello' }] },
    },
    {
      id: 'set-key-4096',
      title: 'A key of 4096 bits',
      rules: RULES,
      jwt: proof(big),
      jwks: jwksOf(big),
    },
  ];
}

function notInSet({ issuer, impostor }: Keys): KeySetCase[] {
  const jwt = proof(issuer);
  const { kid: _, ...nameless } = issuer.jwk;
  const nothing: [string, string, unknown][] = [
    ['empty', 'An empty key set', { keys: [] }],
    ['no-keys', 'A key set without keys', {}],
    ['keys-object', 'Keys that are no list', { keys: { [issuer.kid]: issuer.jwk } }],
    ['bare-list', 'A list in place of the set', [issuer.jwk]],
    ['bare-key', 'The key in place of the set', issuer.jwk],
    ['null', 'null in place of the set', null],
    ['text', 'A text in place of the set', JSON.stringify(jwksOf(issuer))],
    ['nameless', 'The right key without its name', { keys: [nameless] }],
    ['numeric-name', 'A key that is called by a number', { keys: [{ ...issuer.jwk, kid: 7 }] }],
  ];
  return [
    ...nothing.map(
      ([id, title, jwks]): KeySetCase => ({
        id: `set-${id}`,
        title,
        rules: RULES,
        jwt,
        jwks,
        checks: { signatureValid: 'key_unknown' },
      }),
    ),
    {
      id: 'set-duplicate-same',
      title: 'The right key twice: no guess is made between two of one name',
      rules: RULES,
      jwt,
      jwks: jwksOf(issuer, issuer),
      checks: { signatureValid: 'key_ambiguous' },
    },
    {
      id: 'set-duplicate-first',
      title: 'The right key, then another of the same name',
      rules: RULES,
      jwt,
      jwks: jwksOf(issuer, impostor),
      checks: { signatureValid: 'key_ambiguous' },
    },
    {
      id: 'set-duplicate-last',
      title: 'Another key of the same name, then the right one',
      rules: RULES,
      jwt,
      jwks: jwksOf(impostor, issuer),
      checks: { signatureValid: 'key_ambiguous' },
    },
  ];
}

function unfit({ issuer }: Keys): KeySetCase[] {
  const jwt = proof(issuer);
  const { n = '', e = '' } = issuer.jwk;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const changed: [string, string, Readonly<Record<string, unknown>>][] = [
    ['use-enc', 'meant for encryption', { ...issuer.jwk, use: 'enc' }],
    ['use-list', 'with a list of uses', { ...issuer.jwk, use: ['sig'] }],
    ['alg-rs512', 'meant for RS512', { ...issuer.jwk, alg: 'RS512' }],
    ['alg-ps256', 'meant for PS256', { ...issuer.jwk, alg: 'PS256' }],
    ['alg-none', 'meant for none', { ...issuer.jwk, alg: 'none' }],
    ['key-ops-sign', 'whose key_ops allow signing alone', { ...issuer.jwk, key_ops: ['sign'] }],
    ['key-ops-empty', 'whose key_ops allow nothing', { ...issuer.jwk, key_ops: [] }],
    ['private-member', 'that carries a private member (a made-up one)', { ...issuer.jwk, d: 'AQAB' }],
    ['kty-ec', 'of an elliptic curve', { ...ec, kid: issuer.kid, use: 'sig' }],
    ['kty-oct', 'that is a shared secret', { kty: 'oct', kid: issuer.kid, k: 'c2VjcmV0', alg: 'HS256' }],
    ['kty-missing', 'without its type', { kid: issuer.kid, use: 'sig', alg: 'RS256', n, e }],
    ['kty-lower-case', 'with its type in lower case', { ...issuer.jwk, kty: 'rsa' }],
    ['n-missing', 'without its modulus', { ...issuer.jwk, n: undefined }],
    ['n-padded', 'whose modulus is padded', { ...issuer.jwk, n: `${n}==` }],
    ['n-number', 'whose modulus is a number', { ...issuer.jwk, n: 7 }],
    ['n-even', 'whose modulus is even', { ...issuer.jwk, n: evened(n) }],
    ['8193-bit', 'of 8193 bits', { ...issuer.jwk, n: wideModulus() }],
    ['e-missing', 'without its exponent', { ...issuer.jwk, e: undefined }],
    ['e-one', 'whose exponent is 1', { ...issuer.jwk, e: 'AQ' }],
    ['e-even', 'whose exponent is even', { ...issuer.jwk, e: 'AQAC' }],
    ['e-empty', 'whose exponent is empty', { ...issuer.jwk, e: '' }],
  ];
  const made: [string, string, VectorKey][] = [
    ['1024-bit', 'of 1024 bits, which really signed', rsaKey('weak-1024', 1024)],
    ['2047-bit', 'of 2047 bits, which really signed', rsaKey('weak-2047', 2047)],
    ['1536-bit', 'of 1536 bits, which really signed', rsaKey('weak-1536', 1536)],
    ['exponent-3', 'with exponent 3, which really signed', rsaKey('weak-e3', 2048, 3)],
    ['exponent-17', 'with exponent 17, which really signed', rsaKey('weak-e17', 2048, 17)],
    ['roca', 'with the fingerprint of CVE-2017-15361, which really signed', rocaKey('weak-roca')],
  ];
  return [
    ...changed.map(([id, title, jwk]) => unfitCase(id, title, jwt, { keys: [jwk] })),
    ...made.map(([id, title, key]) => unfitCase(id, title, proof(key), jwksOf(key))),
  ];
}

/** An odd number of 8193 bits. */
function wideModulus(): string {
  const bytes = Buffer.alloc(1025, 0xa5);
  bytes[0] = 1;
  return bytes.toString('base64url');
}

function unfitCase(id: string, title: string, jwt: string, jwks: unknown): KeySetCase {
  return {
    id: `key-${id}`,
    title: `A key ${title}`,
    rules: RULES,
    jwt,
    jwks,
    checks: { signatureValid: 'key_unsuitable' },
  };
}

/** The modulus with its last bit cleared. */
function evened(n: string): string {
  const bytes = Buffer.from(n, 'base64url');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) & 0xfe;
  return bytes.toString('base64url');
}
