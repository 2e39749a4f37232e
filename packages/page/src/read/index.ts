export type {
  Fact,
  FactSource,
  Gate,
  PageFacts,
  PageReading,
  Platform,
  ReadOptions,
} from '../types.ts';
export { BOUNDS } from './bounds.ts';
export { readPage } from './read-page.ts';
export { type StatedProduct, statedProduct } from '../../../facts/src/stated-product.ts';
