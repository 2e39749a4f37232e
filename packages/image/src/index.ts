export { compareImages, type Hashes, LIKENESS_DISTANCE, type Likeness } from './hash/compare-images.ts';
export type { Pixels } from './hash/normalise.ts';
export { type ImageCodes, imageCodes, phash } from './hash/phash.ts';
export {
  BAND_BITS,
  BANDS,
  type BandKeys,
  type CodeQuestion,
  type PictureKeys,
  type PictureQuestion,
  pictureKeys,
  pictureQuestion,
} from './hash/search-codes.ts';
export { uhash } from './hash/uhash.ts';
export { IMAGE_MEDIA_TYPES, type ImageHeader, type ImageMediaType } from './header/image-header.ts';
export { readHeader } from './header/read-header.ts';
export type { ImageInspection, PixelFinding } from './inspect/inspect.ts';
export { MAX_BYTES, MAX_PIXELS } from './inspect/limits.ts';
export { manifestReader } from './inspect/manifest-reader.ts';
export { type EngineSource, loadManifestEngine, type ManifestEngine } from './manifest/engine.ts';
export type {
  Action,
  FurtherTrustList,
  IdentityReport,
  IdentityStatus,
  Ingredient,
  ManifestReport,
  SignerInfo,
  TrustList,
  TrustStatus,
} from './manifest/manifest-report.ts';
export type { ActionToSign, ManifestToSign } from './manifest/sign.ts';
export type { StatusCode } from './manifest/store.ts';
