import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../storage/make-folder.ts';
import type { BlobStore } from './blob-store.ts';

/** Blobs as files of a folder, spread over 256 folders below it. */
export function openFolderBlobs(folder: string): BlobStore {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key);
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      if ((await sizeOf(path)) === bytes.length) return;
      await makeFolder(dirname(path), 0o700);
      await writeWhole(path, bytes);
    },
    size: (key) => sizeOf(pathOf(key)),
    read: (key) => createReadStream(pathOf(key)),
    close() {},
  };
}

/** Under its name the file is whole or not there at all, whenever the machine stops. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // the name too has to outlive a crash
  const parent = await open(dirname(path), 'r');
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
