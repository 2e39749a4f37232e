import type { HtmlDocument } from './dom/document.ts';
import type { PageIndex } from './dom/page-index.ts';
import type { Graph } from './json-ld/graph.ts';
import { localName } from './markup-node.ts';

/** The types of schema.org that are products by themselves. */
export const PRODUCT_TYPES: ReadonlySet<string> = new Set(
  'Product ProductGroup IndividualProduct ProductModel SomeProducts ProductCollection Vehicle Car Motorcycle BusOrCoach MotorizedBicycle Drug DietarySupplement'.split(
    ' ',
  ),
);

export const OFFER_TYPES: ReadonlySet<string> = new Set([
  'Offer',
  'AggregateOffer',
  'OfferForPurchase',
  'OfferForLease',
]);

/** Whether the page marks up a product or an offer, in JSON-LD, microdata or RDFa: it is then not served in place of a product page. */
export function marksUpProduct(doc: HtmlDocument, index: PageIndex, graph: Graph): boolean {
  const isProduct = (name: string) => {
    const type = name.charAt(0).toUpperCase() + name.slice(1);
    return PRODUCT_TYPES.has(type) || OFFER_TYPES.has(type);
  };
  const inAttribute = (text: string | undefined) =>
    text?.slice(0, MAX_TYPES).split(/\s+/).map(withoutPrefix).some(isProduct) ?? false;
  return (
    graph.nodes.some(({ types }) => types.some(isProduct)) ||
    index.microdata.some(
      (el) => inAttribute(doc.attr(el, 'itemtype')) || doc.attr(el, 'itemprop') === 'price',
    ) ||
    index.rdfa.some((el) => inAttribute(doc.attr(el, 'typeof')))
  );
}

/** Characters of an attribute that names types. */
const MAX_TYPES = 1_000;

/** The type of schema.org, also with any prefix of RDFa. */
function withoutPrefix(name: string): string {
  return localName(name).replace(/^\w+:(?!\/)/, '');
}
