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

/** A member of a document that is not as it was issued. */
export interface AlteredMember {
  /** What was issued under which name. */
  readonly expected: string;
  readonly actual: string;
}

/** The proof that a document is compared with, and how. */
interface Signed {
  readonly proof: ProofReading | null;
  readonly signature: Reason;
  readonly kind: ProofKind;
  readonly sha256: Sha256;
}

/** A document as it counts, and the first member of it that is not as it was issued. */
export interface ComparedDocument {
  readonly document: Node | null;
  readonly altered: AlteredMember | null;
}

/**
 * Compares a document with what its proof binds of it. Proofs of before bind nothing, and behind a bad signature nothing is
 * worth the work: then the document counts as it is.
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
  // listed once, since a stranger's document may have a hundred thousand
  const names = Object.keys(document);
  const named = withPrefixedNames(document, names, namespace);
  const own = (named === document ? names : Object.keys(named)).filter((name) => name.startsWith('svc:'));
  const altered = findAlteredMember(named, own, DOCUMENT_FORMS[kind], { namespace, members }, sha256);
  return altered instanceof Promise
    ? altered.then((found) => ({ document: named, altered: found }))
    : { document: named, altered };
}

/**
 * The first member of a document that is not as it was issued, or `null`: altered, or one of our own that was added. What
 * was left out is fine, and so is what others add under names that are not ours (docs/format.md, section 4).
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
  // all of them begun at once, and without a turn of the loop where the primitive is synchronous
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

/** One that such a document may have and this one was issued without; every name of our namespace is ours. */
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

/** What is not there is not altered: parts may be left out. */
function isThere(member: unknown): boolean {
  return member !== undefined && member !== null;
}

/** `@type` may be extended, and `@context` too, or stand further up in the page: neither may come to mean another thing. */
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

/** The members of `svc:issuedFor` repeat claims; it may hold no others. */
function issuedForFault(document: Node, { issuedFor }: DocumentForm): AlteredMember | null {
  const stated = document['svc:issuedFor'];
  // of another type: the comparison with the claims says so
  if (!isObject(stated)) return null;
  const added = Object.keys(stated).find((name) => !issuedFor.includes(name));
  return added === undefined ? null : alteration(`no ${shown(added)} in svc:issuedFor`, stated[added]);
}

/**
 * A document with the names of this namespace written by their prefix at its top. One that stands there twice is a list of
 * both, which is no value that was issued.
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

/** What follows schema.org in this name; `null` where it is no name of theirs. */
function withoutSchemaOrg(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  if (name === 'https://schema.org') return ''; // as we write it; saves time
  return SCHEMA_ORG.test(name) ? name.replace(SCHEMA_ORG, '') : null;
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function alteration(expected: string, actual: unknown): AlteredMember {
  return { expected, actual: describeValue(actual) };
}

/** A name as it can be told: a stranger may have chosen it. */
function shown(name: string): string {
  return name.slice(0, 60).replace(/[^\w:.@-]/g, '?');
}

function isObject(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
