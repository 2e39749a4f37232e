import { ServiceError } from '../../../platform/errors.ts';
import type { BlobPlace } from '../../../platform/settings/config.ts';
import type { BlobStore } from './blob-store.ts';
import { openFolderBlobs } from './folder-blobs.ts';

/** @param isDurable - of a folder */
export async function openBlobs(place: BlobPlace, isDurable?: boolean): Promise<BlobStore> {
  if ('folder' in place) return withServiceErrors(openFolderBlobs(place.folder, isDurable));
  // the library takes a tenth of the startup time, and 30 MB
  const { openS3Blobs } = await import('./s3-blobs.ts');
  return withServiceErrors(openS3Blobs(place));
}

/** Reports every error, such as a full disk or an unreachable bucket, as `blobs_unavailable`. */
function withServiceErrors(blobs: BlobStore): BlobStore {
  return {
    put: (key, bytes) => blobs.put(key, bytes).catch(unavailable),
    replace: (key, bytes) => blobs.replace(key, bytes).catch(unavailable),
    remove: (key) => blobs.remove(key).catch(unavailable),
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
