import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { usage } from './cli-error.ts';
import type { AppendFile, FolderFiles, Io } from './io.ts';
import { looksLikeAddress, WITH_SCHEME } from './settings.ts';

/** The bytes of a file, or of standard input for `-`. */
export function openInput(target: string, io: Io): AsyncIterable<Uint8Array> {
  return target === '-' ? io.stdin : explained(io.readFile(target), target);
}

/**
 * Reads a whole file or standard input.
 *
 * @param limit maximum size in bytes
 * @throws CliError (usage) if it cannot be read or is larger
 */
export async function readInput(
  target: string,
  io: Io,
  limit = 20_000_000,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of openInput(target, io)) {
    size += piece.length;
    if (size > limit) throw usage(`${nameOf(target)} is over ${limit / 1_000_000} MB.`);
    pieces.push(piece);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** @throws CliError (usage) if it cannot be read, before any error about its content */
export async function assertReadable(target: string, io: Io): Promise<void> {
  if (target === '-') return;
  for await (const _ of openInput(target, io)) break;
}

export function nameOf(target: string): string {
  return target === '-' ? 'Standard input' : target;
}

async function* explained(
  source: AsyncIterable<Uint8Array>,
  path: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* source;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') {
      const hint = looksLikeAddress(path) ? `Is it an address? ${WITH_SCHEME}` : undefined;
      throw usage(`There is no file ${path}.`, hint);
    }
    if (code === 'EISDIR') throw usage(`${path} is a folder.`);
    if (code === 'EACCES') throw usage(`You have no permission to read ${path}.`);
    throw error;
  }
}

/** Node's code of an error, such as ENOENT. */
export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Bytes per read. */
const PIECE = 1024 * 1024;

/** The bytes of a file in chunks of a megabyte; a small file in one read, which is cheaper than a stream. */
export async function* bytesOf(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const { size } = await stat(path);
  if (size > 0 && size <= PIECE) yield await readFile(path);
  else yield* createReadStream(path, { highWaterMark: PIECE });
}

/** Writes a temporary file and renames it, so that readers never see half of it. Keeps the permissions. */
export function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  return writeBeside(path, (beside) => writeFile(beside, bytes));
}

/** The same from chunks. If they fail, nothing is left behind. */
export function replaceFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  return writeBeside(path, (beside) =>
    pipeline(Readable.from(chunks, { objectMode: false }), createWriteStream(beside)),
  );
}

async function writeBeside(path: string, write: (beside: string) => Promise<void>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const beside = `${path}.part`;
  try {
    await write(beside);
    const before = await stat(path).catch(() => undefined);
    if (before !== undefined) await chmod(beside, before.mode);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all(
    [one, other].map((path) => stat(path, { bigint: true }).catch(() => undefined)),
  );
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

export async function appendTo(path: string): Promise<AppendFile> {
  const file = await open(path, 'a');
  const { size } = await file.stat();
  return {
    size,
    truncate: (to) => file.truncate(to),
    append: (text) => file.appendFile(text),
    close: () => file.close(),
  };
}

export function removeFile(path: string): Promise<void> {
  return rm(path, { force: true });
}

export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

export async function* foldersBelow(folder: string): AsyncGenerator<FolderFiles, void, undefined> {
  const rest = [''];
  for (let path = rest.pop(); path !== undefined; path = rest.pop()) {
    const entries = await entriesOf(join(folder, path));
    yield { path, names: entries.filter((entry) => entry.isFile()).map(({ name }) => name) };
    const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    const below = folders.map(({ name }) => (path === '' ? name : `${path}/${name}`));
    rest.push(...below.toSorted().toReversed());
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') throw usage(`There is no folder ${folder}.`);
    throw error;
  }
}
