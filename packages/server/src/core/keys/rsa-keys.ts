import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { RsaPublicJwk, VerifyRs256 } from '@touchstone/certificate';
import type { Sha256, Signer } from '@touchstone/certificate/issue';
import { calculateJwkThumbprint } from 'jose';
import type { NewKey } from './key-store.ts';

const generateOffThread = promisify(generateKeyPair);
const signOffThread = promisify(sign);

/** RFC 7518, section 3.3 requires at least 2048 bits; more would make proofs longer. */
const MODULUS_BITS = 2048;

/** Generates a key pair on libuv's thread pool (some 100 ms), named by its RFC 7638 thumbprint. */
export async function newRsaKey(): Promise<NewKey<RsaPublicJwk>> {
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

/**
 * A signer with a private key in this process. It signs on libuv's thread pool, so that a burst
 * of uncached certificates does not block the event loop.
 *
 * @param pkcs8 the private key, DER
 * @throws if the bytes are not an RSA key
 */
export function rsaSigner(kid: string, pkcs8: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType !== 'rsa') throw new Error(`the key ${kid} is not an RSA key`);
  return {
    kid,
    async sign(bytes) {
      return new Uint8Array(await signOffThread('sha256', bytes, key));
    },
  };
}

/**
 * The signature primitive of Node: synchronous, some 25 µs per proof, which is less than passing it to a thread.
 * Each key is imported once.
 */
export function nodeRs256(): VerifyRs256 {
  const imported = new WeakMap<RsaPublicJwk, KeyObject>();
  return (jwk, signature, data) => {
    let key = imported.get(jwk);
    if (key === undefined) {
      key = createPublicKey({ key: { kty: jwk.kty, n: jwk.n, e: jwk.e }, format: 'jwk' });
      imported.set(jwk, key);
    }
    return verify('sha256', data, key, signature);
  };
}

/** The digest primitive of Node, synchronous. */
export function nodeSha256(): Sha256 {
  return (text) => hash('sha256', text, 'base64url');
}
