import { encodeBase64url } from './base64url.ts';
import { PROOF_TYP, type ProofKind } from './proof-rules.ts';
import { parseStrictObject } from './strict-json.ts';

/** `ok`, or why a proof, its header or its claims cannot be used; each is a `Reason` of the checks. */
export type ProofFault =
  | 'ok'
  | 'proof_malformed'
  | 'proof_too_large'
  | 'algorithm_not_allowed'
  | 'header_not_allowed'
  | 'kid_missing'
  | 'claims_unreadable';

/** What the header of a proof says. */
export interface ProofHeader {
  /** `ok`, or why no signature can be checked under this header. */
  readonly fault: ProofFault;
  /** A text where `fault` is `ok`. */
  readonly kid: unknown;
  readonly typ: unknown;
}

const HEADER_NAMES = ['alg', 'kid', 'typ'];

/** Reads a header, strictly: `alg`, `kid` and `typ` alone, RS256 alone (RFC 8725 sections 3.1 and 3.10). */
export function readHeader(bytes: Uint8Array): ProofHeader {
  const header = parseStrictObject(bytes);
  return { fault: headerFault(header), kid: header?.kid, typ: header?.typ };
}

function headerFault(header: Readonly<Record<string, unknown>> | null): ProofFault {
  if (header === null) return 'proof_malformed';
  if (header.alg !== 'RS256') return 'algorithm_not_allowed';
  if (!Object.keys(header).every((name) => HEADER_NAMES.includes(name))) return 'header_not_allowed';
  return typeof header.kid === 'string' && header.kid !== '' ? 'ok' : 'kid_missing';
}

/** The header of a proof of this kind, as we issue it: base64url of its bytes. */
export function encodeHeader(kind: ProofKind, kid: string): string {
  return encodeBase64url(headerBytes(kind, kid));
}

/**
 * What the headers say that we put before proofs under this key. They are the same for every proof of a kind, so
 * whoever has the key has read them before any proof came; a header in any other words is read when it comes.
 */
export function headersOf(kid: string): [string, ProofHeader][] {
  const kinds = Object.keys(PROOF_TYP) as ProofKind[];
  return kinds.map((kind) => [encodeHeader(kind, kid), readHeader(headerBytes(kind, kid))]);
}

function headerBytes(kind: ProofKind, kid: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify({ alg: 'RS256', kid, typ: PROOF_TYP[kind] }));
}
