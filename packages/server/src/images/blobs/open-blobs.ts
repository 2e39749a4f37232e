import type { BlobStore } from './blob-store.ts';
import { openFolderBlobs } from './folder-blobs.ts';
import { openS3Blobs, type S3Place } from './s3-blobs.ts';

/** Where blobs are kept. */
export type BlobPlace = { readonly folder: string } | S3Place;

export function openBlobs(place: BlobPlace): BlobStore {
  return 'folder' in place ? openFolderBlobs(place.folder) : openS3Blobs(place);
}
