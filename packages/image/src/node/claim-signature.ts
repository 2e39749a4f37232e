import { constants, createHash, createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { coseSign1, protectedHeader, type SigningAlgorithm, toBeSigned, toBeStamped } from './cose.ts';

/** The signer of manifests. */
export interface ManifestSigner {
  /** The signer's certificate, then the intermediate ones, PEM. */
  readonly certificateChainPem: string;
  /** PKCS #8, PEM. It stays in this process, and is never sent to those that open images. */
  readonly privateKeyPem: string;
  readonly algorithm: SigningAlgorithm;
  /**
   * Requests a time stamp (RFC 3161), so that signatures outlive the certificate.
   *
   * @param digest SHA-256 of the data to be stamped
   * @returns the token, DER, at most `MAX_TIME_STAMP_BYTES`; `null`: the signature gets no time stamp
   */
  readonly timeStamp?: ((digest: Uint8Array) => Promise<Uint8Array | null>) | undefined;
}

/** Bytes reserved for a time-stamp token, which contains certificates of its own. */
export const MAX_TIME_STAMP_BYTES = 16_384;

/** Makes the signatures of one signer. */
export interface ClaimSignature {
  readonly algorithm: SigningAlgorithm;
  /** Bytes of every signature by this signer. */
  readonly size: number;
  sign(claim: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
}

/** Bytes for the longest signature (RSA 4096) and its encoding. */
const SIGNATURE_BYTES = 1_024;

/** @throws Error if key or certificates cannot be read, or do not match */
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

/** ECDSA as r and s concatenated, RSA as PSS with a salt as long as the hash (RFC 9053, RFC 8230). */
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
