import { CannotVerifyError } from '@touchstone/certificate';
import {
  isStatusListUri,
  type PrefetchedList,
  prefetchStatusLists,
  statusListUri,
} from '@touchstone/certificate/withdrawal';
import { cannotTell, usage } from '../../cli-error.ts';
import { readInput } from '../../files.ts';
import type { Io } from '../../io.ts';
import { keysFile, listFile, listsIn } from '../../verify/list-folder.ts';
import { asCliError } from '../../verify/trust.ts';

/** Most lists of one run: files of a stranger cannot make it fetch without end. */
const MOST_LISTS = 1000;

export interface ListPullOptions {
  readonly issuer: string;
  /** Numbers or addresses of lists, and files or folders of certificates that name lists. */
  readonly sources: readonly string[];
  readonly folder: string;
  readonly io: Io;
}

/** A list by its number, written, or left as it was for a reason. */
export type PulledList = { readonly list: number } & (
  | { readonly file: string; readonly issuedAt: Date; readonly expiresAt: Date; readonly fault?: undefined }
  | { readonly fault: Extract<PrefetchedList, { fault: string }>['fault'] }
);

/**
 * Fetches the keys and lists of an issuer into a folder. Each list is verified before its file is replaced, atomically; one that cannot be
 * used leaves the former file.
 *
 * @throws CliError (usage) if no list is named, (could not tell) if the keys cannot be obtained or the command is stopped
 */
export async function pullLists(options: ListPullOptions): Promise<PulledList[]> {
  const { issuer, folder, io } = options;
  const numbers = await numbersOf(options);
  const fetch: Io['fetch'] = (url, init) =>
    io.fetch(url, { ...init, signal: AbortSignal.any([io.stop, init?.signal ?? io.stop]) });
  const uris = numbers.map((list) => statusListUri(issuer, list));
  const { jwks, lists } = await prefetchStatusLists(issuer, uris, { fetch, now: io.now() }).catch(
    (error: unknown) => {
      throw error instanceof CannotVerifyError && error.code === 'keys_unavailable'
        ? cannotTell(
            error.code,
            error.message,
            'Is it the base address of the service, and does it publish lists?',
          )
        : asCliError(error);
    },
  );
  await io.writeFile(keysFile(folder, issuer), Buffer.from(`${JSON.stringify(jwks)}\n`));
  const pulled: PulledList[] = [];
  for (const one of lists) {
    const list = numberOf(one.uri);
    if (one.fault !== undefined) {
      pulled.push({ list, fault: one.fault });
      continue;
    }
    const file = listFile(folder, issuer, list);
    await io.writeFile(file, Buffer.from(one.token));
    const [issuedAt, expiresAt] = [one.issuedAt, one.expiresAt].map((time) => new Date(time * 1000));
    pulled.push({ list, file, issuedAt, expiresAt } as PulledList);
  }
  return pulled;
}

const numberOf = (uri: string): number => Number(uri.slice(uri.lastIndexOf('/') + 1));

async function numbersOf({ issuer, sources, folder, io }: ListPullOptions): Promise<number[]> {
  const found = new Set<number>();
  for (const source of sources) {
    const uri = /^\d+$/.test(source) ? statusListUri(issuer, Number(source)) : source;
    if (isStatusListUri(uri, issuer)) found.add(numberOf(uri));
    else if (/^(\d+$|https?:)/i.test(source))
      throw usage(`${source} is no status list of ${issuer}.`, `Such as ${statusListUri(issuer, 7)}`);
    else for await (const list of namedIn(source, issuer, io)) found.add(list);
    if (found.size > MOST_LISTS)
      throw usage(`More than ${MOST_LISTS} status lists are named.`, 'Fetch them in several runs.');
  }
  if (sources.length === 0) for (const list of await listsIn(folder, issuer, io)) found.add(list);
  if (found.size > 0) return [...found].toSorted((a, b) => a - b);
  throw usage(
    sources.length === 0
      ? `No list is named, and ${folder} has none of ${issuer} to be fetched again.`
      : `No certificate in ${sources.join(', ')} names a status list of ${issuer}.`,
    'Name certificates (files, or a folder of them) or lists: touchstone status-lists pull --issuer https://… certificates/',
  );
}

const CERTIFICATE_FILE = /\.(html?|json|jsonld|jwt|ndjson|txt)$/i;
/** A compact JWS, also within HTML or JSON. */
const PROOFS = /eyJ[\w-]{1,4000}\.([\w-]{1,10000})\.[\w-]{1,2000}/g;

/** The lists that the certificates of a file or folder name; unverified, which does not matter: only lists of the issuer are fetched. */
async function* namedIn(path: string, issuer: string, io: Io): AsyncGenerator<number, void, undefined> {
  const names = (await io.namesIn(path).catch(() => [])).filter((name) => CERTIFICATE_FILE.test(name));
  for (const file of names.length === 0 ? [path] : names.map((name) => `${path}/${name}`)) {
    const text = new TextDecoder().decode(await readInput(file, io));
    for (const [, payload = ''] of text.matchAll(PROOFS)) {
      const uri = uriIn(payload);
      if (typeof uri === 'string' && isStatusListUri(uri, issuer)) yield numberOf(uri);
    }
  }
}

function uriIn(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString())?.status?.status_list?.uri;
  } catch {
    return undefined;
  }
}
