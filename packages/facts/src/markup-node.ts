import { isNode, type Node, typesOf } from '@touchstone/page/document';

export function hasType(node: Node, types: ReadonlySet<string>): boolean {
  return typesOf(node).some(
    (type) => types.has(type) || types.has(type.charAt(0).toUpperCase() + type.slice(1)),
  );
}

/** All values of a property, under its plain name or its schema.org IRI; `@list`, `@set` and `@value` are unwrapped. */
export function valuesOf(node: Node, name: string): unknown[] {
  for (const key of [name, `schema:${name}`, `http://schema.org/${name}`, `https://schema.org/${name}`]) {
    if (Object.hasOwn(node, key)) return flatten(node[key], 0);
  }
  // a large site builder writes `Offers` and `Availability`
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return Object.hasOwn(node, capital) ? flatten(node[capital], 0) : [];
}

function flatten(value: unknown, depth: number): unknown[] {
  if (value === null || value === undefined || depth > 4) return [];
  if (Array.isArray(value)) return value.slice(0, 500).flatMap((entry) => flatten(entry, depth + 1));
  if (isNode(value)) {
    for (const key of ['@value', '@list', '@set']) {
      if (Object.hasOwn(value, key)) return flatten(value[key], depth + 1);
    }
  }
  return [value];
}

/** The first value that is a non-empty string or a number, as text. */
export function textOf(node: Node, name: string): string | undefined {
  for (const value of valuesOf(node, name)) {
    const text = scalar(value);
    if (text !== undefined) return text;
  }
  return undefined;
}

export function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (typeof value === 'number' && Number.isFinite(value)) return numberText(value);
  return undefined;
}

/** The number in decimal notation, without an exponent. */
function numberText(value: number): string {
  const text = String(value);
  return text.includes('e')
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
    : text;
}

export function nodesOf(node: Node, name: string): Node[] {
  return valuesOf(node, name).filter(isNode);
}

/** The reference that a property's value holds: the string itself, or a node's `@id`, else its `url`. */
export function refOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isNode(value)) return undefined;
  const id = Object.hasOwn(value, '@id') ? value['@id'] : undefined;
  return typeof id === 'string' ? id : textOf(value, 'url');
}
