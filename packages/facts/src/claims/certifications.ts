import { isNode, type Node } from '@touchstone/page/document';
import { hasType, textOf, valuesOf } from '../markup-node.ts';
import { RELATED } from '../schema-org/product.ts';
import { idOf, issuerOf, type RawClaim } from './claim.ts';

/** A node of the page's structured data, in any syntax. */
export interface ClaimingNode {
  readonly node: Node;
  /** Properties from the outermost node down to this one. */
  readonly path: readonly string[];
  readonly source: RawClaim['source'];
  /** Prefix of the field: `microdata:` or `rdfa:`; empty for JSON-LD. */
  readonly prefix: string;
}

const CERTIFICATION: ReadonlySet<string> = new Set(['Certification']);

/** Properties whose values are claims of others about what carries them (schema.org), and what each value is. */
export const CLAIMING = [
  ['hasCertification', 'certification'],
  ['hasDigitalProductPassport', 'product_passport'],
] as const;

/** Values of one property of one node that are read. */
const MAX_VALUES = 50;

/**
 * The certifications and product passports that a node of schema.org states of itself, or that it is. Those of products that the page
 * merely lists are not read.
 */
export function certificationsOf(
  { node, path, source, prefix }: ClaimingNode,
  resolve: (node: Node) => Node,
): RawClaim[] {
  if (isOfOthers(path)) return [];
  const stated = CLAIMING.flatMap(([property, kind]) =>
    valuesOf(node, property)
      .slice(0, MAX_VALUES)
      .flatMap((value): RawClaim[] => {
        const where = { kind, source, field: prefix + property } as const;
        if (typeof value === 'string') return [{ ...where, ...textClaim(value) }];
        return isNode(value) ? [{ ...where, ...nodeClaim(resolve(value), resolve) }] : [];
      }),
  );
  // one that stands alone names what it is about, or is about the page
  const isAlone = path.length === 0 && hasType(node, CERTIFICATION);
  return isAlone
    ? [
        ...stated,
        { kind: 'certification', source, field: `${prefix}Certification`, ...nodeClaim(node, resolve) },
      ]
    : stated;
}

/** Whether a node is below a property that leads to other products. */
export function isOfOthers(path: readonly string[]): boolean {
  return path.some((step) => RELATED.has(step));
}

function textClaim(text: string): Partial<RawClaim> {
  return /^(?:https?:)?\/\//i.test(text.trim()) ? { url: text } : { name: text };
}

function nodeClaim(node: Node, resolve: (node: Node) => Node): Partial<RawClaim> {
  return {
    name: textOf(node, 'name') ?? textOf(node, 'certificationRating'),
    id: textOf(node, 'certificationIdentification') ?? identifierOf(node, resolve),
    issuer: issuerOf(node, ['issuedBy', 'issuer', 'author'], resolve),
    url: textOf(node, 'url') ?? idOf(node),
  };
}

/** An identifier that is a text or a PropertyValue. */
function identifierOf(node: Node, resolve: (node: Node) => Node): string | undefined {
  const text = textOf(node, 'identifier');
  if (text !== undefined) return text;
  const value = valuesOf(node, 'identifier').find(isNode);
  return value === undefined ? undefined : textOf(resolve(value), 'value');
}
