import {
  type Checkpoint,
  type ProofLeaf,
  parseLeaf,
  readCheckpoint,
  rootFromTiles,
} from '@touchstone/certificate/log';
import { cannotTell } from '../../cli-error.ts';
import type { Io } from '../../io.ts';
import type { LogSource } from '../../verify/log-source.ts';
import { type EntryBundle, entryBundles } from './entry-bundles.ts';
import type { SignedCheckpoint } from './log-trust.ts';
import type { MonitoredLog } from './monitor-state.ts';
import { LogContradiction, sha256, VerifiedTiles } from './verified-tiles.ts';

/** Two checkpoints that a log has signed, of which none contains the other. */
export class LogFork extends LogContradiction {
  /** Both notes: evidence against the log for anybody who knows its key. */
  readonly notes: readonly [string, string];

  constructor(message: string, notes: readonly [string, string]) {
    super(message);
    this.notes = notes;
  }
}

/** An entry about the domain. */
export interface DomainEntry extends ProofLeaf {
  readonly log: string;
  readonly index: number;
}

/** What was read. */
export interface MonitorCounts {
  readonly read: number;
  readonly found: number;
  /** Entries whose domain is hidden: only whoever proves a host learns of its own. */
  readonly hidden: number;
  /** Entries that are not about proofs. */
  readonly otherKinds: number;
  /** The log has shown a larger tree before. */
  readonly isOlder: boolean;
}

interface MonitorOptions {
  readonly source: LogSource;
  readonly signed: SignedCheckpoint;
  readonly before: MonitoredLog | undefined;
  /** Normalised. */
  readonly domain: string;
  readonly onEntry: (entry: DomainEntry) => void;
  /** Told after each bundle: everything before `next` was reported. */
  readonly onRead: (next: number, counts: MonitorCounts) => Promise<void>;
  readonly io: Io;
}

/**
 * Reads what is new in a log, in order, and reports the entries of a domain and its subdomains. Each bundle is compared with the signed tree
 * before anything of it is reported, and the tree with the one that was seen before.
 *
 * @throws LogContradiction, or LogFork; CliError if the log cannot be read, or the command is stopped
 */
export async function monitorLog(options: MonitorOptions): Promise<MonitorCounts> {
  const { source, signed, before, domain, io } = options;
  const counts = { read: 0, found: 0, hidden: 0, otherKinds: 0, isOlder: false };
  const seen = before === undefined ? undefined : checkpointOf(before.checkpoint);
  const isOlder = seen !== undefined && seen.size > signed.size;
  const tiles = await openTiles(source, signed, seen, before?.checkpoint);
  if (isOlder) return { ...counts, isOlder };
  const from = before?.next ?? 0;
  for await (const bundle of entryBundles(source, from, signed.size)) {
    await tiles.assertBundle(bundle.n, bundle.hashes);
    const first = bundle.n * 256;
    readEntries(bundle, Math.max(from - first, 0), domain, counts, (leaf, at) =>
      options.onEntry({ ...leaf, log: signed.origin, index: first + at }),
    );
    await options.onRead(first + bundle.width, counts);
    if (io.stop.aborted) throw cannotTell('stopped', 'Stopped.');
  }
  return counts;
}

/**
 * The verified tiles of the larger of two trees, which contains the smaller one.
 *
 * @throws LogFork if it does not
 */
async function openTiles(
  source: LogSource,
  signed: SignedCheckpoint,
  seen: Checkpoint | undefined,
  seenNote = '',
): Promise<VerifiedTiles> {
  if (seen === undefined) return VerifiedTiles.open(source, signed);
  const [smaller, larger] = seen.size > signed.size ? [signed, seen] : [seen, signed];
  const fork = () =>
    new LogFork(
      `${signed.origin} has signed a tree of ${seen.size} entries and one of ${signed.size}, and neither contains the other.`,
      [seenNote, signed.note],
    );
  if (seen.size === signed.size && Buffer.compare(seen.root, signed.root) !== 0) throw fork();
  const tiles = await VerifiedTiles.open(source, larger);
  if (smaller.size === larger.size || smaller.size === 0) return tiles;
  const reader = { tile: tiles.tile.bind(tiles), entries: source.entries };
  const root = await rootFromTiles(reader, smaller.size, sha256);
  if (Buffer.compare(root, smaller.root) !== 0) throw fork();
  return tiles;
}

/** Of a note that was verified when it was kept. */
function checkpointOf(note: string): Checkpoint {
  const read = readCheckpoint(note);
  if (typeof read === 'string') throw cannotTell('log_not_readable', 'The state has no checkpoint.');
  return read.checkpoint;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The leaves have one form, of which `domain` or `domainHash` is the first member (`parseLeaf`). */
const WITH_DOMAIN = '{"domain":"';
const WITH_HASH = '{"domainHash":"';

function readEntries(
  { bytes, width, starts, ends }: EntryBundle,
  from: number,
  domain: string,
  counts: Mutable<MonitorCounts>,
  onLeaf: (leaf: ProofLeaf, at: number) => void,
): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const mayMatch = text.includes(`${domain}"`);
  for (let at = from; at < width; at++) {
    const start = starts[at] ?? 0;
    counts.read++;
    if (text.startsWith(WITH_HASH, start)) counts.hidden++;
    else if (!text.startsWith(WITH_DOMAIN, start)) counts.otherKinds++;
    else if (mayMatch) {
      const host = text.slice(start + WITH_DOMAIN.length, text.indexOf('"', start + WITH_DOMAIN.length));
      if (host !== domain && !host.endsWith(`.${domain}`)) continue;
      const leaf = parseLeaf(bytes.subarray(start, ends[at]));
      if (leaf === null) counts.otherKinds++;
      else {
        counts.found++;
        onLeaf(leaf, at);
      }
    }
  }
}
