import { decodeInPlace } from '../keys/base64url.ts';
import type { Reason } from './reasons.ts';
import { parseStrictObject } from './strict-json.ts';

/** A proof over this many characters is not valid (decision 13). */
export const MAX_PROOF_LENGTH = 8192;

/** What checking the signature of a compact JWS takes; nothing of it is trusted yet. */
export interface CompactJws {
  readonly kid: string;
  /** What was signed: ASCII of header, dot, payload (RFC 7515 section 5.2). */
  readonly signingInput: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** A proof as far as it could be read: a header fault leaves the claims readable, and the other way round. */
export interface ProofReading {
  /** `ok`, or why the header or the structure cannot be used for checking a signature. */
  readonly fault: Reason;
  readonly jws: CompactJws | null;
  /** `ok`, or why there are no claims. */
  readonly claimsFault: Reason;
  /** `null` where the payload is not one JSON object with unique names. */
  readonly claims: Readonly<Record<string, unknown>> | null;
  readonly typ: unknown;
}

const HEADER_NAMES = ['alg', 'kid', 'typ'];
const UTF8 = new TextEncoder();

/**
 * Takes a proof apart, strictly: three canonical base64url parts, a header of `alg`, `kid` and `typ` alone,
 * RS256 alone (RFC 8725 sections 3.1 and 3.10). Nothing that a header may point to is ever followed
 * (decision 25). Never throws.
 */
export function readProof(token: unknown): ProofReading {
  if (typeof token !== 'string') return unreadable('proof_malformed');
  if (token.length > MAX_PROOF_LENGTH) return unreadable('proof_too_large');
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  if (second === -1) return unreadable('proof_malformed');
  const bytes = new Uint8Array(token.length + second);
  if (UTF8.encodeInto(token, bytes).written !== token.length) return unreadable('proof_malformed');
  // header and payload stand twice, since they are decoded and are what was signed
  bytes.copyWithin(token.length, 0, second);
  const signingInput = new Uint8Array(bytes.buffer, token.length);
  const headerBytes = decodeInPlace(bytes, 0, first);
  const payloadBytes = decodeInPlace(bytes, first + 1, second);
  const signature = decodeInPlace(bytes, second + 1, token.length);
  if (!headerBytes || !payloadBytes || !signature || signature.length === 0) {
    return unreadable('proof_malformed');
  }
  const claims = parseStrictObject(payloadBytes);
  const header = parseStrictObject(headerBytes);
  const fault = headerFault(header);
  return {
    fault,
    jws: fault === 'ok' ? { kid: header?.kid as string, signingInput, signature } : null,
    claims,
    claimsFault: claims === null ? 'claims_unreadable' : 'ok',
    typ: header?.typ,
  };
}

function headerFault(header: Readonly<Record<string, unknown>> | null): Reason {
  if (header === null) return 'proof_malformed';
  if (header.alg !== 'RS256') return 'algorithm_not_allowed';
  if (!Object.keys(header).every((name) => HEADER_NAMES.includes(name))) return 'header_not_allowed';
  return typeof header.kid === 'string' && header.kid !== '' ? 'ok' : 'kid_missing';
}

function unreadable(fault: Reason): ProofReading {
  return { fault, jws: null, claims: null, claimsFault: fault, typ: undefined };
}
