import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../platform/lifecycle/make-folder.ts';
import type { BlobStore } from './blob-store.ts';

/** Where files lie until they are whole: on the same disk, and quick to list however many blobs there are. */
const INCOMING = 'incoming';

/** Blobs as files of a folder, spread over 256 folders below it. */
export function openFolderBlobs(folder: string): BlobStore {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key);
  const incoming = join(folder, INCOMING);
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      if ((await sizeOf(path)) === bytes.length) return;
      for (const needed of [dirname(path), incoming]) await makeFolder(needed, 0o700);
      await writeWhole(path, bytes, join(incoming, randomUUID()));
    },
    size: (key) => sizeOf(pathOf(key)),
    read: (key) => createReadStream(pathOf(key)),
    async purge(before) {
      let count = 0;
      for (const name of await orMissing(readdir(incoming), [])) {
        const path = join(incoming, name);
        const begun = await orMissing(stat(path), null);
        if (begun === null || begun.mtime >= before) continue;
        await rm(path, { force: true });
        count += 1;
      }
      return count;
    },
    close() {},
  };
}

/** Under its name the file is whole or not there at all, whenever the machine stops. */
async function writeWhole(path: string, bytes: Uint8Array, temporary: string): Promise<void> {
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
  return (await orMissing(stat(path), null))?.size ?? null;
}

/** @param otherwise - for what is not there */
async function orMissing<T, U>(found: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return otherwise;
    throw error;
  }
}
