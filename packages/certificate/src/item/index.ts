/** Verifies items of feeds, catalogues and commerce protocols, of which nobody sees the page. */

export {
  ITEM_CODES,
  ITEM_CONCLUSION_TABLE,
  type ItemConclusionCode,
} from '../verify/conclusion/item-conclusions.ts';
export { itemContradictions, type ReceivedItem } from './contradictions.ts';
export { statedGtin } from './stated-gtin.ts';
export * from './types.ts';
export { type ItemVerifier, type VerifyItemOptions, verifyItem, verifyItemBy } from './verify-item.ts';
