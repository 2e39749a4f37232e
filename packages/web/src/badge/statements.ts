import type { PageStatements, Statement } from '@touchstone/certificate/agreement';
import type { PageName } from './badge-result.ts';

type Node = Readonly<Record<string, unknown>>;

/** JSON-LD nodes that are read, so that a large page costs little. */
const MAX_NODES = 2_000;
/** Members that name other products than that of the page. */
const OTHERS: ReadonlySet<string> = new Set([
  'isRelatedTo',
  'isSimilarTo',
  'isAccessoryOrSparePartFor',
  'isVariantOf',
  'hasVariant',
  'itemListElement',
  'itemOffered',
  'review',
]);

/**
 * What the page states of its product: its names, and the product of its JSON-LD. Several products there are not told apart, and only
 * names and headings count then.
 *
 * @param values - parsed JSON-LD blocks
 */
export function statementsOf(names: readonly PageName[], values: readonly unknown[]): PageStatements {
  const products = productsIn(values);
  const [product] = products.length === 1 ? products : [];
  const stated = (...members: readonly string[]): Statement[] =>
    members.flatMap((member) =>
      textOf(product?.[member]).map((value) => ({ source: 'jsonld', value }) as const),
    );
  return {
    names: [...names, ...stated('name')],
    brands: stated('brand'),
    skus: stated('sku'),
    gtins: stated('gtin', 'gtin8', 'gtin12', 'gtin13', 'gtin14'),
    // file names differ between a page's data and its certificate too often to be told from here
    pictures: [],
  };
}

/** Products without a certificate; those of other pages are left out. */
function productsIn(values: readonly unknown[]): Node[] {
  const found: Node[] = [];
  const waiting = [...values];
  for (let read = 0; waiting.length > 0 && read < MAX_NODES; read += 1) {
    const value = waiting.shift();
    if (Array.isArray(value)) waiting.push(...value);
    else if (typeof value === 'object' && value !== null) {
      const node = value as Node;
      const types = [node['@type']].flat();
      const isCertificate = Object.keys(node).some((name) => name.endsWith('issuedFor'));
      if (isCertificate) continue;
      if (types.includes('Product') || types.includes('ProductGroup')) found.push(node);
      else for (const [name, inner] of Object.entries(node)) if (!OTHERS.has(name)) waiting.push(inner);
    }
  }
  return found;
}

/** The texts of a member: a string, a number, or the name of a node. */
function textOf(value: unknown): string[] {
  return [value].flat().flatMap((one) => {
    if (typeof one === 'string' && one.trim() !== '') return [one.trim()];
    if (typeof one === 'number') return [String(one)];
    const name = typeof one === 'object' && one !== null ? (one as Node).name : undefined;
    return typeof name === 'string' && name.trim() !== '' ? [name.trim()] : [];
  });
}
