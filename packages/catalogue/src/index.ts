export { detectShape } from './detect.ts';
export { textEncoder } from './encode-text.ts';
export { toMinorUnits } from './item/protocol-item.ts';
export { readItem } from './item/read-item.ts';
export { type ItemRow, readItems } from './item/read-items.ts';
export { type RewriteItemsOptions, rewriteItems } from './item/rewrite-items.ts';
export type {
  CertificateToWrite,
  FeedPart,
  FeedPartOfItem,
  ItemPrice,
  ReadItem,
  ReadItemOptions,
} from './item/types.ts';
export { type UcpNames, ucpNames } from './item/ucp-names.ts';
export { type LiveBatch, type LiveCursor, SOURCE_KINDS, type SourceKind } from './live/cursor.ts';
export type { ReadProduct, ReadProductPage } from './live/product-page.ts';
export { type ReadLiveOptions, readLive } from './live/read-live.ts';
export {
  type KeyedWeb,
  type LiveAnswer,
  type LiveWeb,
  SOURCE_ERRORS,
  SourceError,
  type SourceErrorCode,
} from './live/web.ts';
export { NOTES, type NoteCode, PROBLEMS, type ProblemCode } from './problems.ts';
export { readCatalogue } from './read.ts';
export type { CatalogueSource } from './source.ts';
export type { SourceForm } from './source-decoder.ts';
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
