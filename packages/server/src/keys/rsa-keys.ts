import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  hash,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { RsaPublicJwk, VerifyRs256 } from '@touchstone/certificate';
import type { Sha256, Signer } from '@touchstone/certificate/issue';
import { calculateJwkThumbprint } from 'jose';

const generateOffThread = promisify(generateKeyPair);
const signOffThread = promisify(sign);

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

/**
 * A signer over a private key in this process. The signature is made on libuv's thread pool, so that a burst
 * of cold certificates does not hold up the event loop.
 *
 * @param pkcs8 the private key, DER
 * @throws when the bytes are not an RSA key
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
 * The signature primitive of Node: synchronous, some 25 µs a proof, which is less than handing it to a thread.
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

/** Keeps private keys unreadable in the database: a backup of it must not be enough to sign. */
export interface PrivateKeySeal {
  seal(kid: string, pkcs8: Uint8Array): Buffer;
  /** @throws when the master key is another one, or the row was changed or moved to another kid */
  open(kid: string, sealed: Uint8Array): Buffer;
}

const FORMAT = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * AES-256-GCM under the master key. The kid is authenticated beside the key (AAD), so a row cannot be passed
 * off as another. Layout: format byte 1, nonce (12), ciphertext, tag (16).
 */
export function privateKeySeal(masterKey: Uint8Array): PrivateKeySeal {
  if (masterKey.byteLength !== 32) throw new Error('the master key must be 32 bytes');
  return {
    seal(kid, pkcs8) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(kid));
      const body = Buffer.concat([cipher.update(pkcs8), cipher.final()]);
      return Buffer.concat([Buffer.from([FORMAT]), nonce, body, cipher.getAuthTag()]);
    },
    open(kid, sealed) {
      const bytes = Buffer.from(sealed);
      if (bytes[0] !== FORMAT || bytes.byteLength < 1 + NONCE_BYTES + TAG_BYTES) {
        throw new Error(`the private key of ${kid} is not in a form that this version reads`);
      }
      const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', masterKey, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(kid));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    },
  };
}
