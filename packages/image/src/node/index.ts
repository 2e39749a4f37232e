export type { ManifestSigner } from './claim-signature.ts';
export { IMAGE_FAULTS, ImageFault, type ImageFaultCode } from './fault.ts';
export type { ImageInspection } from './inspect.ts';
export { type ImageWorkerOptions, type ImageWorkers, openImageWorkers } from './open-image-workers.ts';
