import { canonicalJson } from '../proof/canonical-json.ts';
import { prefixed } from '../proof/canonical-text.ts';
import type { ProofReading } from '../proof/compact-jws.ts';
import {
  type BoundMembers,
  DOCUMENT_FORMS,
  type DocumentForm,
  isDigests,
  memberOf,
  type Sha256,
} from '../proof/members.ts';
import { PROOF_TYP, type ProofKind } from '../proof/proof-rules.ts';
import { describeValue } from './describe.ts';
import type { Reason } from './reasons.ts';

type Node = Readonly<Record<string, unknown>>;

/** A member of a document that differs from the one issued. */
export interface AlteredMember {
  /** Name of the member, and what was issued. */
  readonly expected: string;
  readonly actual: string;
}

/** The proof that a document is compared with, and its verification context. */
interface Signed {
  readonly proof: ProofReading | null;
  readonly signature: Reason;
  readonly kind: ProofKind;
  readonly sha256: Sha256;
}

/** A document with prefixed names, and its first member that differs from the one issued. */
export interface ComparedDocument {
  readonly document: Node | null;
  readonly altered: AlteredMember | null;
}

/**
 * Compares a document with the members that its proof binds. The document is returned unchanged if the signature is not
 * valid, which makes the comparison pointless, or if the proof was issued before proofs bound members.
 */
export function compareMembers(
  document: Node | null,
  { proof, signature, kind, sha256 }: Signed,
): ComparedDocument | Promise<ComparedDocument> {
  const claims = proof?.claims;
  if (document === null || signature !== 'ok' || !claims || proof?.typ !== PROOF_TYP[kind]) {
    return { document, altered: null };
  }
  const { namespace, members } = claims;
  if (!isDigests(members) || typeof namespace !== 'string') return { document, altered: null };
  // listed once: an untrusted document may have 100,000 names
  const names = Object.keys(document);
  const named = withPrefixedNames(document, names, namespace);
  const own = (named === document ? names : Object.keys(named)).filter((name) => name.startsWith('svc:'));
  const altered = findAlteredMember(named, own, DOCUMENT_FORMS[kind], { namespace, members }, sha256);
  return altered instanceof Promise
    ? altered.then((found) => ({ document: named, altered: found }))
    : { document: named, altered };
}

/**
 * Finds the first member of a document that was altered, or that was added under a name of ours; `null` if there is
 * none. Members may be left out, and others may add members under names that are not ours (docs/format.md, section 4).
 *
 * @param own - its names with our prefix
 */
function findAlteredMember(
  document: Node,
  own: readonly string[],
  form: DocumentForm,
  { namespace, members }: BoundMembers,
  sha256: Sha256,
): AlteredMember | null | Promise<AlteredMember | null> {
  const byName = differentlyMeant(document, namespace, form) ?? issuedForFault(document, form);
  if (byName !== null) return byName;
  const bound = Object.keys(members).filter((name) => isThere(memberOf(document, name)));
  // all digests start at once; with a synchronous primitive nothing is awaited
  const digests = bound.map((name) => {
    const text = canonicalJson(memberOf(document, name), namespace);
    return text === null ? null : sha256(text);
  });
  const first = (found: readonly (string | null)[]) => {
    const name = bound.find((one, at) => found[at] !== members[one]);
    if (name !== undefined) return alteration(`${shown(name)} as it was issued`, memberOf(document, name));
    return addedMember(document, own, form, members);
  };
  return digests.some((digest) => digest instanceof Promise)
    ? Promise.all(digests).then(first)
    : first(digests as (string | null)[]);
}

/** Finds a member that this form may have but was issued without; every name in our namespace counts as ours. */
function addedMember(
  document: Node,
  own: readonly string[],
  { digested, repeated }: DocumentForm,
  members: BoundMembers['members'],
): AlteredMember | null {
  const isAdded = (name: string) => members[name] === undefined && isThere(memberOf(document, name));
  const name = digested.find(isAdded) ?? own.find((one) => !repeated.includes(one) && isAdded(one));
  return name === undefined ? null : alteration(`no ${shown(name)}`, memberOf(document, name));
}

/** Parts may be left out: an absent or `null` member is not an alteration. */
function isThere(member: unknown): boolean {
  return member !== undefined && member !== null;
}

/** `@type` and `@context` may be extended, and `@context` may be inherited in the page, but neither may change its meaning. */
function differentlyMeant(document: Node, namespace: string, { type }: DocumentForm): AlteredMember | null {
  const stated = document['@type'] ?? type;
  if (!listed(stated).some((one) => one === type || withoutSchemaOrg(one) === type)) {
    return alteration(`@type ${type}`, stated);
  }
  const context = document['@context'] ?? null;
  if (context === null) return null;
  const entries = listed(context);
  const isSchemaOrg = entries.some(
    (entry) => withoutSchemaOrg(isObject(entry) ? entry['@vocab'] : entry) === '',
  );
  const isOurs = entries.every(
    (entry) => !isObject(entry) || entry.svc === undefined || entry.svc === namespace,
  );
  return isSchemaOrg && isOurs
    ? null
    : alteration(`@context of schema.org, with svc for ${namespace}`, context);
}

/** Members of `svc:issuedFor` repeat claims; it may hold no others. */
function issuedForFault(document: Node, { issuedFor }: DocumentForm): AlteredMember | null {
  const stated = document['svc:issuedFor'];
  // a wrong type is reported by the comparison with the claims
  if (!isObject(stated)) return null;
  const added = Object.keys(stated).find((name) => !issuedFor.includes(name));
  return added === undefined ? null : alteration(`no ${shown(added)} in svc:issuedFor`, stated[added]);
}

/**
 * Rewrites top-level names of this namespace to their prefixed form. A name present in both forms becomes a list of
 * both values, which never equals an issued value.
 */
function withPrefixedNames(document: Node, names: readonly string[], namespace: string): Node {
  if (namespace === '' || !names.some((name) => name.startsWith(namespace))) return document;
  const renamed = new Map<string, unknown>();
  for (const name of names) {
    const to = prefixed(name, namespace);
    renamed.set(to, renamed.has(to) ? [renamed.get(to), document[name]] : document[name]);
  }
  // fromEntries defines own properties, so that a key like __proto__ stays data
  return Object.fromEntries(renamed);
}

const SCHEMA_ORG = /^(?:schema:|https?:\/\/(?:www\.)?schema\.org\/?)/;

/** The part of this name after schema.org; `null` if it is not a schema.org name. */
function withoutSchemaOrg(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  if (name === 'https://schema.org') return ''; // the form we issue; saves the regular expression
  return SCHEMA_ORG.test(name) ? name.replace(SCHEMA_ORG, '') : null;
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function alteration(expected: string, actual: unknown): AlteredMember {
  return { expected, actual: describeValue(actual) };
}

/** Sanitises a name for output: it may come from an untrusted document. */
function shown(name: string): string {
  return name.slice(0, 60).replace(/[^\w:.@-]/g, '?');
}

function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
