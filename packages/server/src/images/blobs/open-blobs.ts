import { ServiceError } from '../../platform/errors.ts';
import type { BlobPlace } from '../../platform/settings/config.ts';
import type { BlobStore } from './blob-store.ts';
import { openFolderBlobs } from './folder-blobs.ts';

export async function openBlobs(place: BlobPlace): Promise<BlobStore> {
  if ('folder' in place) return withFaultsNamed(openFolderBlobs(place.folder));
  // its library takes a tenth of a start, and 30 MB
  const { openS3Blobs } = await import('./s3-blobs.ts');
  return withFaultsNamed(openS3Blobs(place));
}

/** A full disk, a bucket that is not reachable, a key that may not write: faults of ours, under one code. */
function withFaultsNamed(blobs: BlobStore): BlobStore {
  return {
    put: (key, bytes) => blobs.put(key, bytes).catch(unavailable),
    size: (key) => blobs.size(key).catch(unavailable),
    async *read(key) {
      try {
        yield* blobs.read(key);
      } catch (error) {
        unavailable(error);
      }
    },
    purge: (before) => blobs.purge(before),
    close: () => blobs.close(),
  };
}

function unavailable(cause: unknown): never {
  throw new ServiceError('blobs_unavailable', { cause });
}
