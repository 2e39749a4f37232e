export { detectShape } from './detect.ts';
export { NOTES, type NoteCode, PROBLEMS, type ProblemCode } from './problems.ts';
export { readCatalogue } from './read.ts';
export type { CatalogueSource } from './source.ts';
export { parseStoreUrl } from './store-url.ts';
export {
  CATALOGUE_SHAPES,
  type CatalogueAttribute,
  type CatalogueImage,
  type CatalogueNote,
  type CatalogueProblem,
  type CatalogueProduct,
  type CatalogueRow,
  type CatalogueShape,
  type ReadCatalogueOptions,
} from './types.ts';
