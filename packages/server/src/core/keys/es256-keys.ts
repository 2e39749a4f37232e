import { createPrivateKey, generateKeyPair, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint } from 'jose';
import type { NewKey } from './key-store.ts';
import type { MessageSigner } from './sign-message.ts';

/** A public key on P-256 as it is published (RFC 7518 section 6.2; named by its RFC 7638 thumbprint). */
export interface Es256PublicJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'ES256';
  readonly x: string;
  readonly y: string;
}

const generateOffThread = promisify(generateKeyPair);

export async function newEs256Key(): Promise<NewKey<Es256PublicJwk>> {
  const { publicKey, privateKey } = await generateOffThread('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  if (x === undefined || y === undefined) throw new Error('not a public key on P-256');
  const kid = await calculateJwkThumbprint({ kty: 'EC', crv: 'P-256', x, y });
  return {
    publicJwk: { kty: 'EC', crv: 'P-256', kid, use: 'sig', alg: 'ES256', x, y },
    pkcs8: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

/**
 * A signer, synchronous: some 30 µs a signature. A signature is `r` and `s`, 32 bytes each (RFC 7518 section 3.4), not the DER that
 * OpenSSL makes otherwise.
 *
 * @param pkcs8 the private key, DER
 */
export function es256Signer(keyid: string, pkcs8: Uint8Array): MessageSigner {
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error(`the key ${keyid} is not a key on P-256`);
  return { keyid, sign: (bytes) => sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }) };
}
