import { encodeTilePath, TILE_WIDTH, type TileReader, webCryptoHash } from '@touchstone/certificate/log';
import { readBytes } from '@touchstone/contract/bounded-body';
import { cannotTell, usage } from '../cli-error.ts';
import { codeOf } from '../files.ts';
import type { Io } from '../io.ts';
import { reasonOf } from '../problem.ts';
import { baseAddress } from '../settings.ts';

/** A log of one year, or of a part of it, to be read: at its address, or as a folder of its files. Nothing that it returns is verified. */
export interface LogSource extends TileReader {
  /** Address or folder. */
  readonly place: string;
  /** The text of its newest checkpoint. */
  checkpoint(): Promise<string>;
}

/** Bytes of a file, or `undefined` if there is none. */
type ReadFrom = (path: string, limit: number) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** Bytes of a checkpoint, of the list of logs, and of a policy. */
const NOTE_LIMIT = 65_536;
const LIST_LIMIT = 1_000_000;
const TILE_LIMIT = 32 * TILE_WIDTH;
/** 256 entries of the largest possible size. */
const BUNDLE_LIMIT = 256 * 65_537;

/** Most logs of one place. */
const MOST_LOGS = 100;

/**
 * The logs of a place, in the order of their years: that of one year with those that followed it when its key was revoked, or all of a
 * service.
 *
 * @param place - a folder or an address: of a log, that is, where `checkpoint` lies; of the folder or address above logs; or of a service
 * @throws CliError (usage) if there is no log, (could not tell) if it cannot be reached
 */
export async function openLogs(place: string, io: Io): Promise<readonly LogSource[]> {
  if (!/^https?:/i.test(place)) return openFolders(place, io);
  const base = baseAddress(place, 'The log');
  const isThere = async (address: string) =>
    (await fetchBytes(`${address}/checkpoint`, NOTE_LIMIT, io)) !== undefined;
  if (await isThere(base))
    return [base, ...(await successorsOf(base, isThere))].map((address) => logAt(address, io));
  const above = base.endsWith('/log') ? base : `${base}/api/v1/mc4p/log`;
  const list = await fetchBytes(above, LIST_LIMIT, io);
  const names = list === undefined ? [] : namesOfList(list, above);
  if (names.length === 0)
    throw usage(`There is no log at ${place}.`, 'Name the address of a log, or of a service.');
  return names.map((name) => logAt(`${above}/${name}`, io));
}

/** The log at an address, without a slash at its end. */
export function logAt(address: string, io: Io): LogSource {
  return sourceOf(address, (path, limit) => fetchBytes(`${address}/${path}`, limit, io));
}

async function openFolders(place: string, io: Io): Promise<readonly LogSource[]> {
  const names = await io.namesIn(place).catch((): string[] => []);
  const isThere = async (folder: string) =>
    (await io.namesIn(folder).catch((): string[] => [])).includes('checkpoint');
  const folders: string[] = [];
  if (names.includes('checkpoint')) folders.push(place, ...(await successorsOf(place, isThere)));
  else
    for (const name of names.toSorted(byNumber).slice(0, MOST_LOGS))
      if (await isThere(`${place}/${name}`)) folders.push(`${place}/${name}`);
  if (folders.length === 0) throw usage(`There is no log in ${place}: no file “checkpoint”.`);
  return folders.map((folder) => sourceOf(folder, (path, limit) => readFrom(`${folder}/${path}`, limit, io)));
}

/**
 * The logs that followed one of a year, each when the key of the one before was revoked: `…/2026-2`, `…/2026-3` and so on. Whoever watches a
 * log would otherwise watch one that does not grow any more.
 */
async function successorsOf(
  place: string,
  isThere: (place: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const [, first, number = '1'] = /^(.*[/\\]\d{4})(?:-(\d{1,3}))?$/.exec(place) ?? [];
  const found: string[] = [];
  if (first === undefined) return found;
  for (let next = Number(number) + 1; found.length < MOST_LOGS; next++) {
    const successor = `${first}-${next}`;
    if (!(await isThere(successor))) break;
    found.push(successor);
  }
  return found;
}

/** 2026, 2026-2, …, 2026-10, 2027. */
function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

/** The last parts of the addresses of the logs that a service lists. */
function namesOfList(bytes: Uint8Array, above: string): string[] {
  const fault = () => cannotTell('service_not_understood', `${above} does not list logs.`);
  let list: unknown;
  try {
    list = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw fault();
  }
  const { logs } = Object(list) as { readonly logs?: unknown };
  if (!Array.isArray(logs) || logs.length > MOST_LOGS) throw fault();
  return logs
    .flatMap((log: unknown) => {
      const { origin, size } = Object(log) as { readonly origin?: unknown; readonly size?: unknown };
      const [, name] = /\/([\w.-]{1,100})$/.exec(String(origin)) ?? [];
      if (name === undefined) throw fault();
      // that of the next year has no checkpoint yet
      return size === 0 ? [] : [name];
    })
    .toSorted(byNumber);
}

function sourceOf(place: string, read: ReadFrom): LogSource {
  const tileAt = async (level: number | 'entries', n: number, width: number) => {
    const limit = level === 'entries' ? BUNDLE_LIMIT : TILE_LIMIT;
    const path = encodeTilePath({ level, n, width });
    // a partial tile may be removed once the full one exists
    const bytes =
      (await read(path, limit)) ??
      (width < TILE_WIDTH ? await read(encodeTilePath({ level, n, width: TILE_WIDTH }), limit) : undefined);
    if (bytes === undefined) throw unreadable(`${place}/${path}`, 'is missing');
    return bytes;
  };
  return {
    place,
    tile: (level, n, width) => tileAt(level, n, width),
    entries: (n, width) => tileAt('entries', n, width),
    checkpoint: async () => {
      const bytes = await read('checkpoint', NOTE_LIMIT);
      if (bytes === undefined) throw unreadable(`${place}/checkpoint`, 'is missing');
      return new TextDecoder().decode(bytes);
    },
  };
}

/** An error for a log of which a part cannot be read. */
export function unreadable(place: string, why: string, cause?: unknown) {
  return cannotTell('log_not_readable', `${place} ${why}.`, undefined, cause);
}

async function readFrom(path: string, limit: number, io: Io): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of io.readFile(path)) {
      size += piece.length;
      if (size > limit) throw unreadable(path, `is larger than ${limit} bytes`);
      pieces.push(piece);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined
    ? (first as Uint8Array<ArrayBuffer>)
    : Buffer.concat(pieces);
}

/** Bytes of a proof: two notes of 64 KiB, the hashes and the entry. */
const PROOF_LIMIT = 262_144;

/**
 * The newest proof that a service has of the inclusion of a proof (`getLogProof`); `undefined`: it has none.
 *
 * @param above - address of the logs of the service, without a final slash
 */
export async function fetchLogProof(
  above: string,
  jwt: string,
  io: Pick<Io, 'fetch' | 'sleep' | 'stop'>,
  waits: readonly number[] = WAITS,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const hash = Buffer.from(await webCryptoHash(Buffer.from(jwt))).toString('base64url');
  return fetchBytes(`${above}/proofs/${hash}`, PROOF_LIMIT, io, waits);
}

/** Milliseconds of one attempt, and waits between attempts. */
const TIMEOUT = 60_000;
const WAITS = [500, 2_000, 8_000];

/**
 * The body at an address; `undefined` for 404 and 410.
 *
 * @throws CliError (could not tell) for any other answer, after several attempts
 */
export async function fetchBytes(
  url: string,
  limit: number,
  io: Pick<Io, 'fetch' | 'sleep' | 'stop'>,
  waits: readonly number[] = WAITS,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  for (let attempt = 0; ; attempt++) {
    let reason: string;
    try {
      const signal = AbortSignal.any([io.stop, AbortSignal.timeout(TIMEOUT)]);
      const response = await io.fetch(url, { redirect: 'error', signal });
      if (response.status === 200) return await readBytes(response, limit);
      await response.body?.cancel();
      if (response.status === 404 || response.status === 410) return undefined;
      reason = `answers ${response.status}`;
      if (response.status < 500 && response.status !== 429) throw unreadable(url, reason);
    } catch (error) {
      if (io.stop.aborted) throw cannotTell('stopped', 'Stopped.');
      if (error instanceof Error && error.name === 'CliError') throw error;
      reason = `cannot be read: ${reasonOf(error)}`;
    }
    const wait = waits[attempt];
    if (wait === undefined) throw unreadable(url, reason);
    await io.sleep(wait);
  }
}
