import type { ImageMediaType } from '@touchstone/image';

/**
 * Content-addressed storage of the certified bytes of images: a key contains their SHA-256, so a blob never changes. Beside them, blobs
 * with names of their own that are replaced.
 */
export interface BlobStore {
  /** Resolves when the bytes are durable. Idempotent. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** The same under a name of its own, in place of what is there. */
  replace(key: string, bytes: Uint8Array): Promise<void>;
  /** Idempotent. */
  remove(key: string): Promise<void>;
  /** Bytes; `null`: there is no such blob. */
  size(key: string): Promise<number | null>;
  read(key: string): AsyncIterable<Uint8Array>;
  /**
   * Deletes incomplete files that a killed process has left.
   *
   * @param before - files begun later may still be being written, by this node or another
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

/** The hash and media type in a key; `null` if it is not a key made by `blobKey`. */
export function parseBlobKey(
  key: string,
): { readonly uhash: string; readonly mediaType: ImageMediaType } | null {
  const extension = KEY.exec(key)?.[1];
  const entry = Object.entries(EXTENSIONS).find(([, known]) => known === extension);
  return entry === undefined ? null : { uhash: key.slice(0, 64), mediaType: entry[0] as ImageMediaType };
}
