import type { ImageMediaType } from '@touchstone/image';

/**
 * Where the certified bytes of images are kept, named by their own SHA-256: what is under a name never changes, so it
 * can be cached for good, and writing it twice is writing it once.
 */
export interface BlobStore {
  /** Resolves when the bytes would outlive a crash. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Bytes; `null`: there is none of this name. */
  size(key: string): Promise<number | null>;
  read(key: string): AsyncIterable<Uint8Array>;
  /**
   * Deletes what a killed process left half written.
   *
   * @param before - what was begun later may still be under way, at this node or at another
   * @returns how many
   */
  purge(before: Date): Promise<number>;
  close(): void;
}

const EXTENSIONS: Readonly<Record<ImageMediaType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/heic': 'heic',
  'image/gif': 'gif',
};

/** @param uhash - SHA-256 of the bytes, hex */
export function blobKey(uhash: string, mediaType: ImageMediaType): string {
  return `${uhash}.${EXTENSIONS[mediaType]}`;
}

const KEY = /^[0-9a-f]{64}\.([a-z]{3,4})$/;

/** What a name says of its bytes; `null` for what is no name that `blobKey` makes. */
export function parseBlobKey(
  key: string,
): { readonly uhash: string; readonly mediaType: ImageMediaType } | null {
  const extension = KEY.exec(key)?.[1];
  const entry = Object.entries(EXTENSIONS).find(([, known]) => known === extension);
  return entry === undefined ? null : { uhash: key.slice(0, 64), mediaType: entry[0] as ImageMediaType };
}
