import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ImageReport } from '@touchstone/contract';
import { readBytes } from '@touchstone/contract/bounded-body';
import { cannotTell } from '../cli-error.ts';
import type { ServiceClient } from '../client.ts';
import type { Io } from '../io.ts';
import { reasonOf } from '../problem.ts';
import { pagesOf } from '../registry-client.ts';
import { createNameFile } from './file-names.ts';

/** Result for one signed file. */
export interface PulledFile {
  readonly imageId: string;
  readonly productId: string;
  readonly externalProductId: string;
  /** Address of the shop's file that it replaces. */
  readonly url: string;
  /** Path relative to the folder. */
  readonly file: string;
  /** SHA-256 of the signed file, hex. */
  readonly uhash: string;
  readonly outcome: 'pulled' | 'present' | 'failed';
  /** Why it failed. */
  readonly reason?: string;
}

interface PullOptions {
  readonly client: ServiceClient;
  readonly io: Io;
  readonly storeId: string;
  readonly folder: string;
  /** Includes files that the shop already serves. */
  readonly all: boolean;
  readonly onFile: (file: PulledFile) => void;
}

/** Timeout per file, in milliseconds. */
const TIMEOUT = 60_000;
/** Maximum size in bytes: no larger image is signed. */
const MAX_BYTES = 25_000_000;
const AT_ONCE = 4;
const PAGE = 500;

/**
 * Downloads the files that the service signed, to replace the shop's own. A file that exists with the right bytes is kept, so that a run
 * can be repeated; a failure affects only its own file.
 *
 * @throws CliError if the list cannot be read, or it was stopped
 */
export async function pullImages(options: PullOptions): Promise<PulledFile[]> {
  const { io, onFile } = options;
  const nameFile = createNameFile();
  const files: PulledFile[] = [];
  for await (const { images } of signedImages(options)) {
    const named = images.flatMap((image) =>
      image.signedFile === undefined
        ? []
        : [{ image, file: nameFile({ ...image, mediaType: image.signedFile.mediaType }) }],
    );
    const waiting = named.entries();
    const done: PulledFile[] = [];
    const work = async () => {
      for (const [index, one] of waiting) {
        if (io.stop.aborted) throw cannotTell('stopped', 'Stopped. Run it again to continue.');
        const pulled = await pullOne(one.image, one.file, options);
        done[index] = pulled;
        onFile(pulled);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    files.push(...done);
  }
  return files;
}

/** Sorted by id, so that names are the same in every run. */
function signedImages({ client, storeId, all }: PullOptions) {
  const params = { store_id: storeId };
  const state = all ? 'signed' : 'not_served';
  return pagesOf((cursor) => client.call('listImages', { params, query: { state, cursor, limit: PAGE } }));
}

async function pullOne(
  image: ImageReport,
  file: string,
  { io, client, folder }: PullOptions,
): Promise<PulledFile> {
  const { id: imageId, productId, externalProductId, url, signedFile } = image;
  const { uhash = '', url: address = '' } = signedFile ?? {};
  const about = { imageId, productId, externalProductId, url, file, uhash };
  const path = join(folder, file);
  if ((await hashOf(path, io)) === uhash) return { ...about, outcome: 'present' };
  try {
    await io.writeFile(path, await fetchFile(address, uhash, { io, client }));
    return { ...about, outcome: 'pulled' };
  } catch (error) {
    if (io.stop.aborted) throw cannotTell('stopped', 'Stopped. Run it again to continue.');
    return { ...about, outcome: 'failed', reason: reasonOf(error) };
  }
}

/** Hash of a file on disk; `null` if it cannot be read. */
async function hashOf(path: string, io: Io): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const piece of io.readFile(path)) hash.update(piece);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

/** @throws Error if the bytes do not have this hash */
async function fetchFile(
  address: string,
  uhash: string,
  { io, client }: Pick<PullOptions, 'io' | 'client'>,
): Promise<Uint8Array> {
  // from the service at the given address, whatever its own base URL
  const { pathname } = new URL(address);
  const at = pathname.indexOf('/api/');
  const signal = AbortSignal.any([io.stop, AbortSignal.timeout(TIMEOUT)]);
  const answer = await io.fetch(client.baseUrl + pathname.slice(at), { signal, redirect: 'error' });
  if (answer.status !== 200) {
    await answer.body?.cancel();
    throw new Error(`The service answered ${answer.status}.`);
  }
  const bytes = await readBytes(answer, MAX_BYTES);
  const actual = createHash('sha256').update(bytes).digest('hex');
  if (actual !== uhash) throw new Error(`Other bytes arrived: their SHA-256 is ${actual}.`);
  return bytes;
}
