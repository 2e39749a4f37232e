import { createPrivateKey, generateKeyPair, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint } from 'jose';
import type { NewKey } from './key-store.ts';
import type { MessageSigner } from './sign-message.ts';

/** A public key as the key directory shows it (RFC 8037; named by its RFC 7638 thumbprint). */
export interface Ed25519PublicJwk {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
  readonly x: string;
}

const generateOffThread = promisify(generateKeyPair);

export async function newEd25519Key(): Promise<NewKey<Ed25519PublicJwk>> {
  const { publicKey, privateKey } = await generateOffThread('ed25519', {});
  const { x } = publicKey.export({ format: 'jwk' });
  if (x === undefined) throw new Error('not an Ed25519 public key');
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return {
    publicJwk: { kty: 'OKP', crv: 'Ed25519', kid, use: 'sig', alg: 'EdDSA', x },
    pkcs8: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

/**
 * A signer of HTTP messages, synchronous: some 30 µs a request.
 *
 * @param pkcs8 the private key, DER
 */
export function ed25519Signer(keyid: string, pkcs8: Uint8Array): MessageSigner {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`the key ${keyid} is not an Ed25519 key`);
  return { keyid, sign: (bytes) => sign(null, bytes, key) };
}
