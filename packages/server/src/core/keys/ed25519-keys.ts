import { createPrivateKey, generateKeyPair, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint } from 'jose';
import type { NewKey } from './key-store.ts';
import type { MessageSigner } from './sign-message.ts';

/** The name of the algorithm: that of RFC 8037, as the key directory shows it, or that of RFC 9864. */
export type Ed25519Alg = 'EdDSA' | 'Ed25519';

/** A public key as it is published (RFC 8037; named by its RFC 7638 thumbprint). */
export interface Ed25519PublicJwk<Alg extends Ed25519Alg = 'EdDSA'> {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: Alg;
  readonly x: string;
}

const generateOffThread = promisify(generateKeyPair);

export async function newEd25519Key<Alg extends Ed25519Alg = 'EdDSA'>(
  alg = 'EdDSA' as Alg,
): Promise<NewKey<Ed25519PublicJwk<Alg>>> {
  const { publicKey, privateKey } = await generateOffThread('ed25519', {});
  const { x } = publicKey.export({ format: 'jwk' });
  if (x === undefined) throw new Error('not an Ed25519 public key');
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  return {
    publicJwk: { kty: 'OKP', crv: 'Ed25519', kid, use: 'sig', alg, x },
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
