export { detectShape } from './detect.ts';
export { readCatalogue } from './read.ts';
export { parseStoreUrl } from './store-url.ts';
export type { CatalogueSource } from './text.ts';
export {
  CATALOGUE_SHAPES,
  type CatalogueAttribute,
  type CatalogueImage,
  type CatalogueNote,
  type CatalogueProblem,
  type CatalogueProduct,
  type CatalogueRow,
  type CatalogueShape,
  NOTES,
  type NoteCode,
  PROBLEMS,
  type ProblemCode,
  type ReadCatalogueOptions,
} from './types.ts';
