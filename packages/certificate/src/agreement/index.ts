/** Compares what a page states about its product with what was signed. */
export { compareStatements } from './compare-statements.ts';
export {
  compareAvailability,
  comparePrice,
  type OfferFact,
  type OfferFacts,
  type OfferPrice,
} from './offers.ts';
export { PRICE_PROPERTIES, type SignedPrice, signedPriceOf, signedValuesOf } from './signed-values.ts';
export * from './types.ts';
