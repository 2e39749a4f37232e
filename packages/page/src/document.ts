/** The parsed page, as a reader of facts sees it. */
export type { PageCode } from './codes.ts';
export type { El, HtmlDocument } from './read/dom/document.ts';
export type { PageIndex } from './read/dom/page-index.ts';
export { HIDDEN_TEXT } from './read/dom/tables.ts';
export type { Findings } from './read/findings.ts';
export { isJsonLdScript } from './read/json-ld/blocks.ts';
export type { Graph } from './read/json-ld/graph.ts';
export { absolute, type PageLinks, webAddress } from './read/links.ts';
export { isNode, localName, type Node, typesOf } from './read/markup-node.ts';
export type { MetaMap } from './read/metas.ts';
export type { FactsReading, ParsedPage, ReadFacts } from './read/parsed-page.ts';
export { OFFER_TYPES, PRODUCT_TYPES } from './read/product-markup.ts';
export { cleanText } from './read/text.ts';
export type { Work } from './read/work.ts';
export {
  type Fact,
  type FactExplanation,
  type FactSource,
  NO_FACTS,
  type PageClaim,
  type PageFacts,
  type PageReading,
  type Platform,
} from './types.ts';
