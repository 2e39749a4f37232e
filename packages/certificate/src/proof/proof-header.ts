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

/** The parsed header of a proof. */
export interface ProofHeader {
  /** `ok`, or why no signature can be checked with this header. */
  readonly fault: ProofFault;
  /** A string if `fault` is `ok`. */
  readonly kid: unknown;
  readonly typ: unknown;
}

const HEADER_NAMES = ['alg', 'kid', 'typ'];

/** Parses a header strictly: only `alg`, `kid` and `typ`, only RS256 (RFC 8725 sections 3.1 and 3.10). */
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

/** The header that we issue for a proof of this kind, as base64url. */
export function encodeHeader(kind: ProofKind, kid: string): string {
  return encodeBase64url(headerBytes(kind, kid));
}

/**
 * The parsed headers of our proofs with this key, by their base64url. They are equal for every proof of a kind, so they
 * can be parsed in advance; differently written headers are parsed on demand.
 */
export function headersOf(kid: string): [string, ProofHeader][] {
  const kinds = Object.keys(PROOF_TYP) as ProofKind[];
  return kinds.map((kind) => [encodeHeader(kind, kid), readHeader(headerBytes(kind, kid))]);
}

function headerBytes(kind: ProofKind, kid: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify({ alg: 'RS256', kid, typ: PROOF_TYP[kind] }));
}
