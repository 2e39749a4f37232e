/**
 * How much of a page is read. Hostile pages are bounded in time and memory by these; each one that is
 * reached leaves a finding. They are a few times what the largest of real shop pages need.
 */
export const BOUNDS = {
  /** Characters of HTML. The fetcher stops earlier, at 5 MB of decoded bytes. */
  htmlLength: 8_000_000,
  elements: 200_000,
  /** Steps of reading what a page states, as `Work` counts them: about a second. Real shop pages take up to 52,000. */
  steps: 1_000_000,
  /** Runs of text. */
  texts: 300_000,
  /** Open elements at once; what browsers bound at 512 (real pages stay under 120). */
  depth: 256,
  attributesPerElement: 256,
  attributes: 1_000_000,
  /** Characters of one attribute value; platforms put whole variant tables into one. */
  attributeLength: 512_000,
  jsonLdBlocks: 200,
  /** Characters of one JSON-LD block. */
  jsonLdLength: 2_000_000,
  /** Objects and arrays of all JSON-LD together. */
  graphNodes: 50_000,
  graphDepth: 64,
  /** Certificate nodes handed on; fewer still are verified. */
  certificates: 256,
  images: 50,
  /** Characters of an image's address, percent-encoded. */
  addressLength: 2_048,
  /** Characters of one fact. */
  nameLength: 500,
  descriptionLength: 5_000,
  shortLength: 200,
  findings: 60,
} as const;
