import { canonicalJson } from '../proof/canonical-json.ts';
import { type DocumentForm, LOG_PROOF } from '../proof/members.ts';
import { type Differs, listed, type Node, shown } from './alteration.ts';
import { type DocumentContext, issuedName, withoutPrefix, withoutSchemaOrg } from './document-context.ts';

/** What a document is compared with. */
interface Issued {
  readonly context: DocumentContext;
  readonly form: DocumentForm;
  readonly namespace: string;
  /** The signed address of the page, against which relative ids are resolved. */
  readonly url: string;
}

/** Keywords whose values state members of the node that has them, or of nodes that can be taken for it. */
const INNER: ReadonlySet<string> = new Set(['@nest', '@included', '@graph', '@reverse']);
/** Documents that we issue have six levels. */
const MAX_DEPTH = 64;
/** Members of a document, and ids within it: more would keep whoever verifies a hostile one busy for long. */
const MAX_MEMBERS = 1_000;
const MAX_IDS = 5_000;

/**
 * Names each member of a document as it was issued, whatever spelling the document uses, and finds what would state
 * more about our members than the document itself does: two different values, a keyword that adds members, a context
 * that redefines a name, another object with the same `@id`.
 */
export function nameMembers(
  document: Node,
  { context: { terms, changesValues }, form, namespace, url }: Issued,
  differs: Differs,
): Node {
  if (Object.keys(document).length > MAX_MEMBERS) {
    differs(`at most ${MAX_MEMBERS} members`, document);
    return document;
  }
  const nameOf = (name: string) => issuedName(name, namespace, terms);
  const isOurs = (name: string) =>
    (name.startsWith('svc:') && name !== LOG_PROOF) ||
    name === 'proof' ||
    form.repeated.includes(name) ||
    form.digested.includes(name);
  const textOf = (value: unknown) => canonicalJson(value, namespace);

  const renamed = new Map<string, unknown>();
  let isRenamed = false;
  let isOne = true;
  for (const [spelling, value] of Object.entries(document)) {
    const name = nameOf(spelling);
    const known = renamed.get(name) ?? null;
    isRenamed ||= name !== spelling;
    if (known === null) renamed.set(name, value);
    else if (name === '@type') renamed.set(name, listed(known).concat(value));
    else if (isOne && value !== null && isOurs(name)) {
      // only until one differs: equal ones are as long as each other, so that the length of the document bounds the work
      const text = textOf(known);
      isOne = text !== null && text === textOf(value);
      if (!isOne) differs(`one ${shown(name)}`, value);
    }
    if (!INNER.has(name)) continue;
    const adds = (inner: string) => {
      const member = nameOf(inner);
      return isOurs(member) || member === '@context' || (member === '@id' && name === '@nest');
    };
    if (hasMember(value, adds)) differs(`no members in ${name}`, value);
  }
  // fromEntries defines own properties, so that a key like __proto__ stays data
  const named: Node = isRenamed ? Object.fromEntries(renamed) : document;

  if (terms.size > 0) {
    const text = textOf(Object.fromEntries([...renamed].filter(([name]) => isOurs(name))));
    const isUsed = (name: string) =>
      name[0] === '@' || name === form.type || isOurs(name) || (text?.includes(JSON.stringify(name)) ?? true);
    for (const term of terms.keys()) {
      const before = issuedName(term, namespace);
      const after = nameOf(term);
      const isChanged = changesValues ? isUsed(before) || isUsed(after) : before !== after && isUsed(before);
      if (isChanged) differs(`@context without ${shown(term)}`, named['@context']);
    }
  }

  const id = renamed.get('@id') ?? null;
  if (id !== null) {
    const idOf = (text: unknown) => {
      const iri = typeof text === 'string' ? withoutPrefix(text, terms) : '';
      return URL.parse(iri, url)?.href ?? iri;
    };
    let self: string | undefined; // parsed only for a document that has other ids
    let ids = 0;
    const isSelf = (text: unknown) => {
      self ??= idOf(id);
      ids += 1;
      return ids > MAX_IDS || idOf(text) === self;
    };
    // a reference may have the same id; what a context of its own or a reverse property makes of an object is not followed
    const restates = (inner: string, value: unknown, object: Node) => {
      const name = nameOf(inner);
      if (name === '@context') return withoutSchemaOrg(value) !== '';
      return (
        changesValues ||
        name === '@reverse' ||
        (name === '@id' && typeof value === 'string' && isSelf(value) && !isReference(object))
      );
    };
    const isReference = (object: Node) =>
      Object.keys(object).every((inner) => /^@(id|type)$/.test(nameOf(inner)));
    const isOther = (name: string) => !isOurs(name) && name[0] !== '@';
    if (
      Object.entries(document).some(([name, value]) => isOther(nameOf(name)) && hasMember(value, restates))
    ) {
      differs('no other object with its @id', id);
    }
  }
  return named;
}

/** Whether this is true of a member of an object in this value, at any depth; true for a value nested too deeply. */
function hasMember(
  value: unknown,
  test: (name: string, member: unknown, object: Node) => boolean,
  depth = 0,
): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    depth > MAX_DEPTH ||
    Object.entries(value).some(
      ([name, member]) =>
        (!Array.isArray(value) && test(name, member, value as Node)) || hasMember(member, test, depth + 1),
    )
  );
}
