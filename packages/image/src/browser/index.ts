export { IMAGE_FAULTS, ImageFault, type ImageFaultCode } from '../inspect/fault.ts';
export { type ImageInspection, PIXEL_FINDINGS, type PixelFinding } from '../inspect/inspect.ts';
export { type BrowserImages, type ImageWorkerOptions, openImageWorker } from './open-image-worker.ts';
