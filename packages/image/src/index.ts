export { compareImages, type Hashes, LIKENESS_DISTANCE, type Likeness } from './hash/compare-images.ts';
export { type ImageCodes, imageCodes, type Pixels, phash } from './hash/phash.ts';
export { uhash } from './hash/uhash.ts';
export {
  IMAGE_MEDIA_TYPES,
  type ImageHeader,
  type ImageMediaType,
  readHeader,
} from './header/read-header.ts';
export type { ImageInspection, PixelFinding } from './inspect/inspect.ts';
export { manifestReader } from './inspect/manifest-reader.ts';
export { MAX_BYTES, MAX_PIXELS } from './limits.ts';
export { type EngineSource, loadManifestEngine, type ManifestEngine } from './manifest/engine.ts';
export type {
  Action,
  ManifestReport,
  SignerInfo,
  StatusCode,
  TrustList,
  TrustStatus,
} from './manifest/report.ts';
export type { ActionToSign, ManifestToSign } from './manifest/sign.ts';
