import { join } from 'node:path';
import type { IssuerKeys } from '@touchstone/certificate';
import { usage } from '../cli-error.ts';
import { readInput } from '../files.ts';
import type { Io } from '../io.ts';
import { reasonOf } from '../problem.ts';

/** Default folder of fetched lists. */
export const LIST_FOLDER = 'status-lists';

const KEYS = 'status-list-jwks.json';
const LIST_FILE = /^([1-9]\d{0,9})\.jwt$/;
/** Maximum bytes of a file. */
const LIMIT = 1_000_000;

/** What `createStatusLists` needs to work without a network. */
export interface PrefetchedFiles {
  readonly keys: readonly IssuerKeys[];
  readonly prefetched: readonly string[];
}

/** The folder of an issuer, in the folder of all. */
export function folderOf(folder: string, issuer: string): string {
  return join(folder, encodeURIComponent(issuer));
}

export function keysFile(folder: string, issuer: string): string {
  return join(folderOf(folder, issuer), KEYS);
}

export function listFile(folder: string, issuer: string, list: number): string {
  return join(folderOf(folder, issuer), `${list}.jwt`);
}

/** The numbers of the lists of an issuer that are in the folder. */
export async function listsIn(folder: string, issuer: string, io: Io): Promise<number[]> {
  const names = await io.namesIn(folderOf(folder, issuer));
  const numbers = names.flatMap((name) => LIST_FILE.exec(name)?.[1] ?? []);
  return numbers.map(Number).toSorted((a, b) => a - b);
}

/**
 * Reads the keys and lists of the trusted issuers from a folder that `touchstone status-lists pull` has written. Nothing is verified yet.
 *
 * @throws CliError (usage) if it has none of any of them, or its keys cannot be read
 */
export async function readStatusLists(
  folder: string,
  { issuers }: { readonly issuers: readonly string[] },
  io: Io,
): Promise<PrefetchedFiles> {
  const keys: IssuerKeys[] = [];
  const prefetched: string[] = [];
  for (const issuer of issuers) {
    const lists = await listsIn(folder, issuer, io);
    if (lists.length === 0) continue;
    keys.push({ issuers: [issuer], jwks: await readKeys(keysFile(folder, issuer), io) });
    for (const list of lists) prefetched.push((await readText(listFile(folder, issuer, list), io)).trim());
  }
  if (prefetched.length > 0) return { keys, prefetched };
  throw usage(
    `${folder} contains no status lists of ${issuers.join(', ')} (--status-lists).`,
    `Fetch them first: touchstone status-lists pull --issuer ${issuers[0]} <certificate…> --out ${folder}`,
  );
}

async function readKeys(path: string, io: Io): Promise<unknown> {
  const text = await readText(path, io);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usage(`${path} is not JSON: ${reasonOf(error)}`, 'Fetch it again: touchstone status-lists pull');
  }
}

async function readText(path: string, io: Io): Promise<string> {
  return new TextDecoder().decode(await readInput(path, io, LIMIT));
}
