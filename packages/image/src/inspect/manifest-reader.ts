import { readHeader } from '../header/read-header.ts';
import type { ManifestReport } from '../manifest/manifest-report.ts';
import { emptyReport } from '../manifest/report.ts';
import type { ImageInspection } from './inspect.ts';

/**
 * Reads manifests for `verifyProfiles` and `verifyByProfile` of `@touchstone/certificate` with the Full profile: bytes that are not an
 * image have no manifest; for an image that cannot be opened it throws, so that there is no verdict.
 *
 * @param images of `@touchstone/image/node` or `@touchstone/image/browser`
 * @returns a function that throws `ImageFault` for an image that was not opened
 * @example
 * ```ts
 * import { manifestReader } from '@touchstone/image';
 * import { openImageWorkers } from '@touchstone/image/node';
 *
 * const trust = { name: 'nobody', date: '2026-01-01', anchorsPem: '' };
 * const images = openImageWorkers({ processes: 1, memoryMb: 512, timeoutMs: 10_000, trust });
 * const { hasManifest } = await manifestReader(images)(new TextEncoder().encode('a text'));
 * await images.close();
 * hasManifest; // false
 * ```
 */
export function manifestReader(images: {
  inspect(bytes: Uint8Array): Promise<ImageInspection>;
}): (image: Uint8Array) => Promise<ManifestReport> {
  return async (image) => {
    if (readHeader(image) === null) return emptyReport(NO_LIST, false, []);
    return (await images.inspect(image)).manifest;
  };
}

const NO_LIST = { name: '', date: '', anchorsPem: '' };
