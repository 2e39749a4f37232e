import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  generatePrimeSync,
  type KeyObject,
} from 'node:crypto';

/** A key of this run: its private half exists in memory only and is never written. */
export interface VectorKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  /** Public key as in a JWKS (RFC 7517). */
  readonly jwk: Readonly<Record<string, string>>;
  /** Public key as PEM (SubjectPublicKeyInfo). */
  readonly pem: string;
}

/** A fresh RSA key pair. */
export function rsaKey(kid: string, bits = 2048, exponent = 65_537): VectorKey {
  const pair = generateKeyPairSync('rsa', { modulusLength: bits, publicExponent: exponent });
  return listed(kid, pair.privateKey, pair.publicKey);
}

function listed(kid: string, privateKey: KeyObject, publicKey: KeyObject): VectorKey {
  const { n, e } = publicKey.export({ format: 'jwk' });
  if (n === undefined || e === undefined) throw new Error('not an RSA key');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  return { kid, privateKey, jwk: { kty: 'RSA', kid, use: 'sig', alg: 'RS256', n, e }, pem };
}

/** The primes of the fingerprint of CVE-2017-15361. */
const FINGERPRINT = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157].map(BigInt);

/** An RSA key whose modulus has the fingerprint of CVE-2017-15361, as from affected smart cards. */
export function rocaKey(kid: string): VectorKey {
  const product = FINGERPRINT.reduce((left, right) => left * right);
  const p = generatePrimeSync(1024, { add: product, rem: power(65_537n, 12n, product), bigint: true });
  const q = generatePrimeSync(1024, { add: product, rem: power(65_537n, 29n, product), bigint: true });
  const e = 65_537n;
  const d = inverse(e, (p - 1n) * (q - 1n));
  const jwk = {
    kty: 'RSA',
    n: base64urlOf(p * q),
    e: base64urlOf(e),
    d: base64urlOf(d),
    p: base64urlOf(p),
    q: base64urlOf(q),
    dp: base64urlOf(d % (p - 1n)),
    dq: base64urlOf(d % (q - 1n)),
    qi: base64urlOf(inverse(q, p)),
  };
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  return { kid, privateKey, jwk: { kty: 'RSA', kid, use: 'sig', alg: 'RS256', n: jwk.n, e: jwk.e }, pem: '' };
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (let i = 0n; i < exponent; i++) result = (result * base) % modulus;
  return result;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [r, nextR, t, nextT] = [modulus, value % modulus, 0n, 1n];
  while (nextR !== 0n) {
    const quotient = r / nextR;
    [r, nextR] = [nextR, r - quotient * nextR];
    [t, nextT] = [nextT, t - quotient * nextT];
  }
  return t < 0n ? t + modulus : t;
}

function base64urlOf(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}

/** RFC 7638 thumbprint, which the service uses as `kid`. */
export function thumbprint({ e, n }: Readonly<Record<string, string>>): string {
  return createHash('sha256').update(`{"e":"${e}","kty":"RSA","n":"${n}"}`).digest('base64url');
}

/** The keys common to all themes. */
export interface Keys {
  /** Key of the issuer that verifiers trust. */
  readonly issuer: VectorKey;
  /** The issuer's second key. */
  readonly next: VectorKey;
  /** Key of another party. */
  readonly stranger: VectorKey;
  /** Key of another party, with the issuer's `kid`. */
  readonly impostor: VectorKey;
}

export function makeKeys(): Keys {
  return {
    issuer: rsaKey('issuer-2026-03'),
    next: rsaKey('issuer-2026-04'),
    stranger: rsaKey('stranger-1'),
    impostor: rsaKey('issuer-2026-03'),
  };
}
