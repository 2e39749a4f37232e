import { decodeInPlace } from './base64url.ts';
import { type ProofFault, type ProofHeader, readHeader } from './proof-header.ts';
import { parseStrictObject } from './strict-json.ts';

/** Maximum length of a proof in characters, which bounds the work of one request. */
export const MAX_PROOF_LENGTH = 8192;

/** Parts of a compact JWS for checking its signature; not trusted yet. */
export interface CompactJws {
  readonly kid: string;
  /** The signed bytes: ASCII of header, dot, payload (RFC 7515 section 5.2). */
  readonly signingInput: Uint8Array<ArrayBuffer>;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** A proof as far as it can be parsed: with a header fault the claims are still readable, and vice versa. */
export interface ProofReading {
  /** `ok`, or why the header or the structure does not allow checking a signature. */
  readonly fault: ProofFault;
  /** `null` unless `fault` is `ok`. */
  readonly jws: CompactJws | null;
  /** `ok`, or why there are no claims. */
  readonly claimsFault: ProofFault;
  /** `null` if the payload is not one JSON object with unique names. */
  readonly claims: Readonly<Record<string, unknown>> | null;
  /** As stated in the header; may have any type. */
  readonly typ: unknown;
}

const UTF8 = new TextEncoder();

/**
 * Parses a proof strictly: three canonical base64url parts, and JSON that parsers cannot interpret differently.
 * References in the header (`jku`, `x5u`, `jwk`) are never followed. Never throws.
 *
 * @param known - headers parsed before, by their base64url
 */
export function readProof(token: unknown, known?: ReadonlyMap<string, ProofHeader>): ProofReading {
  if (typeof token !== 'string') return unreadable('proof_malformed');
  if (token.length > MAX_PROOF_LENGTH) return unreadable('proof_too_large');
  const first = token.indexOf('.');
  const second = token.indexOf('.', first + 1);
  if (second === -1) return unreadable('proof_malformed');
  const bytes = new Uint8Array(token.length + second);
  if (UTF8.encodeInto(token, bytes).written !== token.length) return unreadable('proof_malformed');
  // header and payload are copied: one copy is decoded in place, the other is the signing input
  bytes.copyWithin(token.length, 0, second);
  const signingInput = new Uint8Array(bytes.buffer, token.length);
  const header = known?.get(token.slice(0, first)) ?? headerOf(decodeInPlace(bytes, 0, first));
  const payload = decodeInPlace(bytes, first + 1, second);
  const signature = decodeInPlace(bytes, second + 1, token.length);
  if (!header || !payload || !signature || signature.length === 0) return unreadable('proof_malformed');
  const claims = parseStrictObject(payload);
  return {
    fault: header.fault,
    jws: header.fault === 'ok' ? { kid: header.kid as string, signingInput, signature } : null,
    claims,
    claimsFault: claims === null ? 'claims_unreadable' : 'ok',
    typ: header.typ,
  };
}

function headerOf(bytes: Uint8Array | null): ProofHeader | null {
  return bytes && readHeader(bytes);
}

function unreadable(fault: ProofFault): ProofReading {
  return { fault, jws: null, claims: null, claimsFault: fault, typ: undefined };
}
