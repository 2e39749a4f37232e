import { decodeBase64url } from '../proof/base64url.ts';

/** One RSA public key as published (spec "JWKS"; RFC 7517, RFC 7518 section 6.3). */
export interface RsaPublicJwk {
  readonly kty: 'RSA';
  /** Name of the key: what the header of a proof refers to. */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'RS256';
  /** Modulus, base64url. */
  readonly n: string;
  /** Exponent, base64url. */
  readonly e: string;
}

/**
 * The signature primitive: whether `signature` over `data` was made with RS256 by the key (RFC 8017 section
 * 8.2.2). Answers `false` for a bad signature; throws only when it cannot work at all.
 */
export type VerifyRs256 = (
  jwk: RsaPublicJwk,
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
) => boolean | Promise<boolean>;

/**
 * Whether a key of a JWKS may check RS256 signatures: RSA, public, meant for signatures, 2048 to 8192 bits
 * (RFC 7518 section 3.3), an odd exponent over 65536 (FIPS 186-5), not one of the moduli that flawed smart
 * cards made (CVE-2017-15361).
 */
export function isSuitableRsaKey(
  jwk: Readonly<Record<string, unknown>>,
): jwk is Readonly<Record<string, unknown>> & RsaPublicJwk {
  if (jwk.kty !== 'RSA' || 'd' in jwk) return false;
  if (jwk.use !== undefined && jwk.use !== 'sig') return false;
  if (jwk.alg !== undefined && jwk.alg !== 'RS256') return false;
  const operations = jwk.key_ops;
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) return false;
  const n = integer(jwk.n, 1024);
  const e = integer(jwk.e, 4);
  if (n === null || e === null || n % 2n === 0n || e % 2n === 0n || e <= 65536n) return false;
  const bits = n.toString(2).length;
  return bits >= 2048 && bits <= 8192 && !isRocaModulus(n);
}

function integer(text: unknown, maxBytes: number): bigint | null {
  if (typeof text !== 'string' || text.length > maxBytes * 2) return null;
  const bytes = decodeBase64url(text);
  if (bytes === null || bytes.length === 0) return null;
  let hex = '0x';
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0');
  return BigInt(hex);
}

const ROCA_PRIMES = [11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157];

/** Such a modulus is a power of 65537 modulo every one of these primes; a sound one almost never is. */
function isRocaModulus(n: bigint): boolean {
  return ROCA_PRIMES.every((prime) => {
    const rest = Number(n % BigInt(prime));
    let power = 1;
    for (let i = 0; i < prime; i++) {
      if (power === rest) return true;
      power = (power * 65537) % prime;
    }
    return false;
  });
}
