/**
 * A schema.org node: parsed JSON-LD, or microdata and RDFa converted to the same shape. The data is hostile, so only own
 * properties are read.
 */
export type Node = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const SCHEMA_PREFIX = /^(?:https?:\/\/(?:www\.)?(?:schema\.org|data-vocabulary\.org)\/|schema:|s:)/i;

/** Local name of a schema.org type or property, written as an IRI, with a prefix or plainly. */
export function localName(name: string): string {
  return name.replace(SCHEMA_PREFIX, '').trim();
}

/** Local names of the node's types. */
export function typesOf(node: Node): string[] {
  const raw = Object.hasOwn(node, '@type') ? node['@type'] : undefined;
  const list = Array.isArray(raw) ? raw.slice(0, 20) : [raw];
  return list.filter((type): type is string => typeof type === 'string').map(localName);
}
