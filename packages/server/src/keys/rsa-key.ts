import { generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { RsaPublicJwk } from '@touchstone/certificate';
import { calculateJwkThumbprint } from 'jose';

const generateOffThread = promisify(generateKeyPair);

/** RFC 7518 section 3.3 asks for at least 2048 bits; more would only make the proofs longer. */
const MODULUS_BITS = 2048;

export interface NewKey {
  readonly publicJwk: RsaPublicJwk;
  /** PKCS#8, DER; not yet sealed. */
  readonly pkcs8: Buffer;
}

/** Makes a key pair on libuv's thread pool (some 100 ms), named by its RFC 7638 thumbprint. */
export async function newRsaKey(): Promise<NewKey> {
  const pair = await generateOffThread('rsa', { modulusLength: MODULUS_BITS, publicExponent: 0x10001 });
  return {
    publicJwk: await publicJwkOf(pair.publicKey),
    pkcs8: pair.privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

/** The published form of an RSA public key (spec "JWKS"). */
async function publicJwkOf(key: KeyObject): Promise<RsaPublicJwk> {
  const { n, e } = key.export({ format: 'jwk' });
  if (n === undefined || e === undefined) throw new Error('not an RSA public key');
  const kid = await calculateJwkThumbprint({ kty: 'RSA', n, e });
  return { kty: 'RSA', kid, use: 'sig', alg: 'RS256', n, e };
}
