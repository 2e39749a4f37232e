import { jwksUrl } from '../keys/key-set.ts';
import { canonicalJson } from '../proof/canonical-json.ts';
import type { ProofReading } from '../proof/compact-jws.ts';
import {
  type BoundMembers,
  DOCUMENT_FORMS,
  type DocumentForm,
  isDigests,
  LOG_PROOF,
  memberOf,
  type Sha256,
} from '../proof/members.ts';
import { PROOF_TYP, type ProofKind } from '../proof/proof-rules.ts';
import { isObject } from '../proof/strict-json.ts';
import { type AlteredMember, alteration, type Differs, listed, type Node, shown } from './alteration.ts';
import { readContext, withoutSchemaOrg } from './document-context.ts';
import { nameMembers } from './own-members.ts';
import type { Reason } from './reasons.ts';

/** The proof that a document is compared with, and its verification context. */
interface Signed {
  readonly proof: ProofReading | null;
  readonly signature: Reason;
  readonly kind: ProofKind;
  readonly sha256: Sha256;
}

/** A document under the names by which its members were issued, and how it differs from the one issued. */
export interface ComparedDocument {
  readonly document: Node | null;
  /** Its first member that differs. */
  readonly altered: AlteredMember | null;
  /** Whether its `@context` names a remote context other than schema.org's: nobody knows here what that makes of it. */
  readonly isContextForeign: boolean;
}

/**
 * Compares a document with the members that its proof binds. The document is returned unchanged if the signature is not
 * valid, which makes the comparison pointless, or if the proof was issued before proofs bound members.
 */
export async function compareMembers(
  document: Node | null,
  { proof, signature, kind, sha256 }: Signed,
): Promise<ComparedDocument> {
  const claims = proof?.claims;
  if (document === null || signature !== 'ok' || !claims || proof?.typ !== PROOF_TYP[kind]) {
    return { document, altered: null, isContextForeign: false };
  }
  const { namespace, members } = claims;
  if (!isDigests(members) || typeof namespace !== 'string') {
    return { document, altered: null, isContextForeign: false };
  }
  const form = DOCUMENT_FORMS[kind];
  const context = readContext(document['@context'], namespace);
  const faults: AlteredMember[] = [];
  // only the first is told
  const differs: Differs = (expected, actual) => {
    if (faults.length === 0) faults.push(alteration(expected, actual));
  };
  // it may be extended, and inherited in the page
  if (!context.isOurs) {
    const expected = `@context of schema.org, with svc for ${namespace}`;
    return { document, altered: alteration(expected, document['@context']), isContextForeign: false };
  }
  const named = nameMembers(document, { context, form, namespace, url: String(claims.url) }, differs);
  compareFixed(named, form, proof, differs);
  const altered = faults[0] ?? (await findAlteredMember(named, form, { namespace, members }, sha256));
  return { document: named, altered, isContextForeign: context.isForeign };
}

/** Compares what has a fixed value, follows from the proof, or may have a fixed set of names. */
function compareFixed(
  document: Node,
  { type, issuedFor, proofMembers }: DocumentForm,
  { claims, jws }: ProofReading,
  differs: Differs,
): void {
  const types = listed(document['@type'] ?? type);
  // may be extended
  if (!types.some((one) => withoutSchemaOrg(one) === type || one === type)) differs(`@type ${type}`, types);
  // a wrong type of `svc:issuedFor` is reported by the comparison with the claims
  const repeated = document['svc:issuedFor'];
  const issued = isObject(repeated) ? repeated : {};
  const extra = Object.keys(issued).find((name) => !issuedFor.includes(name));
  if (extra !== undefined) differs(`no ${shown(extra)} in svc:issuedFor`, issued[extra]);
  const block = isObject(document.proof) ? document.proof : {};
  const other = Object.keys(block).find((name) => {
    if (name === 'jwt' || !isThere(block[name])) return false;
    const fixed = proofMembers[name] || `${jwksUrl(String(claims?.iss))}#${jws?.kid}`;
    return !Object.hasOwn(proofMembers, name) || block[name] !== fixed;
  });
  if (other !== undefined) differs(`proof.${shown(other)} as it was issued`, block[other]);
}

/**
 * Finds the first member of a document that was altered, or that was added under a name of ours; `null` if there is
 * none. Members may be left out, and others may add members under names that are not ours (docs/format.md, section 4).
 */
async function findAlteredMember(
  document: Node,
  { digested, repeated }: DocumentForm,
  { namespace, members }: BoundMembers,
  sha256: Sha256,
): Promise<AlteredMember | null> {
  // every name in our namespace counts as ours
  const own = Object.keys(document).filter(
    (name) => name.startsWith('svc:') && name !== LOG_PROOF && !repeated.includes(name),
  );
  const added = [...digested, ...own].filter((name) => members[name] === undefined);
  const compared = [...Object.keys(members), ...added].filter((name) => isThere(memberOf(document, name)));
  // all digests start at once
  const begun = compared.map((name) => {
    const text = members[name] === undefined ? null : canonicalJson(memberOf(document, name), namespace);
    return text && sha256(text);
  });
  // those of Node are there already
  const digests = begun.some((one) => one instanceof Promise) ? await Promise.all(begun) : begun;
  const altered = compared.find((name, at) => digests[at] !== members[name]);
  if (altered === undefined) return null;
  const expected =
    members[altered] === undefined ? `no ${shown(altered)}` : `${shown(altered)} as it was issued`;
  return alteration(expected, memberOf(document, altered));
}

/** Parts may be left out: an absent or `null` member is not an alteration. */
function isThere(member: unknown): boolean {
  return member !== undefined && member !== null;
}
