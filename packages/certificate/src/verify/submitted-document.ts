import { isObject } from '../proof/strict-json.ts';
import type { Reason } from './reasons.ts';

/** A submitted document: one node with a proof, or nothing and the reason why. No content of it causes a 4xx response. */
export interface SubmittedDocument {
  readonly node: Readonly<Record<string, unknown>> | null;
  readonly jwt: string | null;
  /** Why the document was dropped; absent if none was submitted. */
  readonly dropped?: Reason;
}

/** Reads the `document` of a verify request (spec "Verify a product certificate", rules 1 to 6). */
export function readSubmittedDocument(document: unknown): SubmittedDocument {
  if (document === undefined || document === null) return { node: null, jwt: null };
  let node: unknown = document;
  if (typeof document === 'string') {
    try {
      node = JSON.parse(document);
    } catch {
      return dropped('document_not_json');
    }
  }
  if (!isObject(node) || '@graph' in node) return dropped('document_not_single_node');
  const proof = node.proof;
  const jwt = isObject(proof) ? proof.jwt : undefined;
  return typeof jwt === 'string' ? { node, jwt } : dropped('proof_absent');
}

/**
 * The compact JWS of a proof: given as such, or in the document that contains it.
 *
 * @returns `null` if there is none
 * @example
 * ```ts
 * import { proofJwt } from '@touchstone/certificate/log';
 *
 * proofJwt({ '@type': 'Product', proof: { jwt: 'a.b.c' } }); // 'a.b.c'
 * ```
 */
export function proofJwt(proof: unknown): string | null {
  const isJws = typeof proof === 'string' && !proof.trimStart().startsWith('{');
  return isJws ? proof : readSubmittedDocument(proof).jwt;
}

function dropped(reason: Reason): SubmittedDocument {
  return { node: null, jwt: null, dropped: reason };
}
