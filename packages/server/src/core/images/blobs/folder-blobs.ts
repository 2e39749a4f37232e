import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../platform/lifecycle/make-folder.ts';
import type { BlobStore } from './blob-store.ts';

/** Folder for incomplete files: on the same disk, and quick to list however many blobs there are. */
const INCOMING = 'incoming';

/**
 * Blobs as files of a folder, spread over 256 folders below it.
 *
 * @param isDurable - false: nothing is flushed to disk. For tests only.
 */
export function openFolderBlobs(folder: string, isDurable = true): BlobStore {
  const pathOf = (key: string) => join(folder, key.slice(0, 2), key);
  const incoming = join(folder, INCOMING);
  const write = async (path: string, bytes: Uint8Array) => {
    const attempt = () =>
      writeAtomically(path, bytes, { temporary: join(incoming, randomUUID()), isDurable });
    // most often both folders are there, and each question whether they are waits for a thread
    const isWritten = await ifExists(
      attempt().then(() => true),
      false,
    );
    if (isWritten) return;
    for (const needed of [dirname(path), incoming]) await makeFolder(needed, 0o700);
    await attempt();
  };
  return {
    async put(key, bytes) {
      if ((await sizeOf(pathOf(key))) !== bytes.length) await write(pathOf(key), bytes);
    },
    replace: (key, bytes) => write(pathOf(key), bytes),
    remove: (key) => rm(pathOf(key), { force: true }),
    size: (key) => sizeOf(pathOf(key)),
    read: (key) => createReadStream(pathOf(key)),
    async purge(before) {
      let count = 0;
      for (const name of await ifExists(readdir(incoming), [])) {
        const path = join(incoming, name);
        const begun = await ifExists(stat(path), null);
        if (begun === null || begun.mtime >= before) continue;
        await rm(path, { force: true });
        count += 1;
      }
      return count;
    },
    close() {},
  };
}

interface WriteOptions {
  /** A path on the same disk. */
  readonly temporary: string;
  readonly mode?: number;
  readonly isDurable?: boolean;
}

/** Writes a file atomically: under its name it is complete or absent, if durable even after a crash. */
export async function writeAtomically(
  path: string,
  bytes: Uint8Array,
  { temporary, mode = 0o600, isDurable = true }: WriteOptions,
): Promise<void> {
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(bytes);
      if (isDurable) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  if (!isDurable) return;
  // the directory entry must survive a crash, too
  const parent = await open(dirname(path), 'r');
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
}

async function sizeOf(path: string): Promise<number | null> {
  return (await ifExists(stat(path), null))?.size ?? null;
}

/** @param fallback - the result if there is no such file */
async function ifExists<T, U>(result: Promise<T>, fallback: U): Promise<T | U> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return fallback;
    throw error;
  }
}
