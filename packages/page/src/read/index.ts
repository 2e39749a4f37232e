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
export type { FactsReading, ParsedPage, ReadFacts } from './parsed-page.ts';
export { readPage } from './read-page.ts';
