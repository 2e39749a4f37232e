import { constants, createHash, createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { coseSign1, protectedHeader, type SigningAlgorithm, toBeSigned, toBeStamped } from './cose.ts';

/** Whose signature manifests carry. */
export interface ManifestSigner {
  /** The signer's certificate, then those between it and an authority, PEM. */
  readonly certificateChainPem: string;
  /** PKCS #8, PEM. It stays in this process: it is never where images are opened. */
  readonly privateKeyPem: string;
  readonly algorithm: SigningAlgorithm;
  /**
   * Asks a time-stamp authority (RFC 3161), so that signatures outlive the certificate.
   *
   * @param digest SHA-256 of what is stamped
   * @returns the token, DER, at most `MAX_TIME_STAMP_BYTES`; `null`: the signature goes without
   */
  readonly timeStamp?: ((digest: Uint8Array) => Promise<Uint8Array | null>) | undefined;
}

/** Bytes of the longest time-stamp token that has its place beside a signature: it brings certificates of its own. */
export const MAX_TIME_STAMP_BYTES = 16_384;

/** Makes the signatures of one signer. */
export interface ClaimSignature {
  readonly algorithm: SigningAlgorithm;
  /** Bytes of every signature by this signer. */
  readonly size: number;
  sign(claim: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
}

/** Bytes of the longest signature (RSA 4096), and of what lies around it. */
const SIGNATURE_BYTES = 1_024;

/** @throws Error when key or certificates cannot be read, or do not belong together */
export function claimSignature({
  certificateChainPem,
  privateKeyPem,
  algorithm,
  timeStamp,
}: ManifestSigner): ClaimSignature {
  const key = createPrivateKey(privateKeyPem);
  const chain = (certificateChainPem.match(PEM_CERTIFICATE) ?? []).map((pem) => new X509Certificate(pem));
  const [leaf] = chain;
  if (leaf === undefined) throw new Error('The certificate chain holds no PEM certificate.');
  if (!leaf.checkPrivateKey(key)) throw new Error('The private key is not that of the first certificate.');
  const header = protectedHeader(
    algorithm,
    chain.map(({ raw }) => raw),
  );
  const size = header.length + SIGNATURE_BYTES + (timeStamp === undefined ? 0 : MAX_TIME_STAMP_BYTES);
  return {
    algorithm,
    size,
    async sign(claim) {
      const signature = rawSignature(algorithm, key, toBeSigned(header, claim));
      const stamp = await timeStamp?.(sha256(toBeStamped(header, signature)));
      return coseSign1(header, signature, size, stamp);
    },
  };
}

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();

const PEM_CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** ECDSA as r and s one after the other, RSA as PSS with a salt as long as the hash (RFC 9053, RFC 8230). */
function rawSignature(algorithm: SigningAlgorithm, key: KeyObject, data: Uint8Array): Uint8Array {
  if (algorithm === 'ed25519') return sign(null, data, key);
  const hash = `sha${algorithm.slice(2)}`;
  if (algorithm.startsWith('es')) return sign(hash, data, { key, dsaEncoding: 'ieee-p1363' });
  return sign(hash, data, {
    key,
    padding: constants.RSA_PKCS1_PSS_PADDING,
    saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
  });
}
