export { IMAGE_FAULTS, ImageFault, type ImageFaultCode } from '../inspect/fault.ts';
export { type ImageInspection, PIXEL_FINDINGS, type PixelFinding } from '../inspect/inspect.ts';
export { MAX_TIME_STAMP_BYTES, type ManifestSigner } from './claim-signature.ts';
export { type ImageWorkerOptions, type ImageWorkers, openImageWorkers } from './open-image-workers.ts';
