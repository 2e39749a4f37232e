import { isObject } from '../proof/strict-json.ts';
import { listed } from './alteration.ts';

/** What the `@context` of a document says about names, as far as that is known without a request (JSON-LD 1.1). */
export interface DocumentContext {
  /** Whether it is schema.org's with `svc` for the signed namespace, and was read whole. */
  readonly isOurs: boolean;
  /** Whether it names a remote context other than schema.org's: what that defines is unknown. */
  readonly isForeign: boolean;
  /** Whether it says more than what names stand for: then ids and values may mean something else, too. */
  readonly changesValues: boolean;
  /** The terms and prefixes that it defines itself, besides `svc`, and what each stands for. */
  readonly terms: ReadonlyMap<string, string>;
}

/** Each term is looked for in the document: a hostile one could define 50,000, or prefixes of prefixes without end. */
const MAX_TERMS = 100;
/** Contexts of one document. */
const MAX_PARTS = 100;
const MAX_IRI = 500;
/** Its names, and the addresses of its context. */
const SCHEMA_ORG = /^(schema:|https?:\/\/(www\.)?schema\.org\/?(docs\/jsonldcontext\.json(ld)?$)?)/;

/** Reads the `@context` of a document; an absent one is inherited from the page. */
export function readContext(context: unknown, namespace: string): DocumentContext {
  const terms = new Map<string, string>();
  // what definitions refer to: to define it afterwards would change them
  const referred = new Set<string>();
  let hasSchemaOrg = false;
  let isForeign = false;
  let changesValues = false;
  const parts = listed(context ?? 'https://schema.org');
  let isOurs = parts.length <= MAX_PARTS;
  for (const entry of parts) {
    // nothing more is asked of it
    if (!isOurs) break;
    if (withoutSchemaOrg(entry) === '') hasSchemaOrg = true;
    else if (typeof entry === 'string') isForeign = true;
    else if (!isObject(entry)) isOurs = false;
    else {
      for (const [name, definition] of Object.entries(entry)) {
        if (!isOurs) break;
        if (name === 'svc') isOurs &&= definition === namespace;
        else if (name === '@vocab' || name === 'schema') {
          isOurs &&= withoutSchemaOrg(definition) === '';
          hasSchemaOrg ||= name === '@vocab';
        } else if (name === '@base') changesValues = true;
        else if (name[0] === '@') isOurs &&= !/^@(import|propagate)$/.test(name);
        else {
          const { '@id': id = name, ...more } = isObject(definition) ? definition : { '@id': definition };
          const target = typeof id === 'string' ? id : '';
          const iri = (target !== name && terms.get(target)) || withoutPrefix(target, terms);
          isOurs &&= !referred.has(name) && (terms.get(name) ?? iri) === iri;
          // a context of its own, a reverse property
          isOurs &&= !('@context' in more || '@reverse' in more) && (id === null || target === id);
          isOurs &&= terms.size < MAX_TERMS && iri.length <= MAX_IRI;
          changesValues ||= Object.keys(more).some((key) => key !== '@prefix');
          terms.set(name, iri);
          if (target !== name) referred.add(target);
          referred.add(target.replace(/:.*/s, ''));
        }
      }
    }
  }
  return { isOurs: isOurs && hasSchemaOrg, isForeign, changesValues, terms };
}

/** The IRI of a compact IRI; other text, also an address, is returned as it is. */
export function withoutPrefix(text: string, terms: DocumentContext['terms']): string {
  let colon = text.indexOf(':');
  while (colon !== -1 && text.startsWith('//', colon + 1)) colon = text.indexOf(':', colon + 1);
  const start = colon === -1 ? undefined : terms.get(text.slice(0, colon));
  return start === undefined ? text : start + text.slice(colon + 1);
}

/**
 * The name under which we issue what this name stands for: `url` for `schema:url`, `svc:status` for its full IRI, a
 * keyword for its alias. The name of anything else is returned in a form that is none of ours.
 *
 * @param terms - the terms that the context of the document defines
 */
export function issuedName(name: string, namespace: string, terms?: DocumentContext['terms']): string {
  const iri = terms?.size ? (terms.get(name) ?? withoutPrefix(name, terms)) : name;
  // nearly every name
  if (iri.startsWith('svc:') || !(iri.includes(':') || iri === 'type' || iri === 'id')) return iri;
  const bare = iri.replace(/^https?:/, '');
  const own = namespace.replace(/^https?:/, '');
  if (iri !== bare && own !== '' && bare.startsWith(own)) return `svc:${bare.slice(own.length)}`;
  const short = withoutSchemaOrg(iri) ?? iri;
  // aliases of keywords in schema.org's context
  return short === 'type' || short === 'id' ? `@${short}` : short;
}

/** The part of this name after schema.org; `null` if it is not a schema.org name. */
export function withoutSchemaOrg(name: unknown): string | null {
  if (typeof name !== 'string') return null;
  if (name === 'https://schema.org') return ''; // the form we issue; saves the regular expression
  return SCHEMA_ORG.test(name) ? name.replace(SCHEMA_ORG, '') : null;
}
