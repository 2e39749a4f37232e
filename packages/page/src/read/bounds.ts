/**
 * Limits on how much of a page is read. They bound the time and memory that a hostile page can take; reaching one
 * adds a finding. Each is a few times what the largest real shop pages need.
 */
export const BOUNDS = {
  /** Characters of HTML. The fetcher stops earlier, at 5 MB of decoded bytes. */
  htmlLength: 8_000_000,
  elements: 200_000,
  /** Steps of reading the page's facts, as counted by `Work`: about a second. Real shop pages take up to 52,000. */
  steps: 1_000_000,
  /** Text runs. */
  texts: 300_000,
  /** Nesting depth of elements. Browsers allow 512; real pages stay under 120. */
  depth: 256,
  attributesPerElement: 256,
  attributes: 1_000_000,
  /** Characters of one attribute value; some platforms put a whole variant table into one. */
  attributeLength: 512_000,
  jsonLdBlocks: 200,
  /** Characters of one JSON-LD block. */
  jsonLdLength: 2_000_000,
  /** Objects and arrays in all JSON-LD blocks together. */
  graphNodes: 50_000,
  graphDepth: 64,
  /** Certificate nodes returned; fewer of them are verified. */
  certificates: 256,
  findings: 60,
  /** Characters of a finding's detail. */
  detailLength: 400,
} as const;
