import {
  createTree,
  encodeTilePath,
  parseLeaf,
  type TileBytes,
  yearOfOrigin,
} from '@touchstone/certificate/log';
import { CliError, cannotTell } from '../../cli-error.ts';
import type { Io } from '../../io.ts';
import type { LogSource } from '../../verify/log-source.ts';
import { entryBundles } from './entry-bundles.ts';
import type { GivenProofs } from './given-proofs.ts';
import type { SignedCheckpoint } from './log-trust.ts';
import { LogContradiction, sha256 } from './verified-tiles.ts';

/** What is wrong; a closed list. */
export type AuditFault =
  | 'bundle_wrong'
  | 'tile_differs'
  | 'tile_missing'
  | 'root_differs'
  | 'proof_repeated'
  | 'year_differs'
  | 'leaf_differs'
  | 'proof_not_logged';

export interface AuditFinding {
  readonly fault: AuditFault;
  /** Path of a tile, index of an entry, or a proof's hash. */
  readonly at: string;
}

/** What an audit has looked at. */
export interface AuditResult {
  readonly entries: number;
  readonly tiles: number;
  /** Entries that are not about proofs. */
  readonly otherKinds: number;
  /** Entries whose domain is hidden. */
  readonly hidden: number;
  /** Entries that were compared with their proof. */
  readonly compared: number;
  readonly faults: number;
  /** The first hundred. */
  readonly findings: readonly AuditFinding[];
  readonly notChecked: readonly string[];
}

interface AuditOptions {
  readonly source: LogSource;
  readonly signed: SignedCheckpoint;
  readonly proofs: GivenProofs;
  /** Whether each given proof of its year must be in it, or in those that were audited with it before; `undefined`: that is not known. */
  readonly isLast: boolean | undefined;
  readonly onRead: (done: number, faults: number) => void;
  readonly io: Io;
}

const MOST_FINDINGS = 100;
/** Entries of which repetitions are looked for: 8 bytes of memory each. */
const MOST_COMPARED = 100_000_000;

/**
 * Recomputes a log from its entries: every tile, the root, and whether each entry is about a proof of its year that is logged once; and
 * compares it with the proofs that were given.
 *
 * @throws CliError if it cannot be read, or the command is stopped
 */
export async function auditLog({
  source,
  signed,
  proofs,
  isLast,
  onRead,
  io,
}: AuditOptions): Promise<AuditResult> {
  const { origin, size, root } = signed;
  const audit = new Audit();
  const year = yearOfOrigin(origin);
  const tree = createTree(sha256);
  const seen = new BigUint64Array(Math.min(size, MOST_COMPARED));
  let known = 0;
  try {
    for await (const { n, width, bytes, starts, ends, hashes } of entryBundles(source, 0, size)) {
      for (let at = 0; at < width; at++) {
        const entry = bytes.subarray(starts[at], ends[at]);
        const index = n * 256 + at;
        const leaf = parseLeaf(entry);
        if (leaf === null) audit.otherKinds++;
        else {
          if (leaf.domain === undefined) audit.hidden++;
          if (year !== undefined && year !== new Date(leaf.iat * 1000).getUTCFullYear())
            audit.add('year_differs', index);
          if (known < seen.length) seen[known++] = Buffer.from(leaf.proof, 'base64url').readBigUInt64BE(0);
          const differs = await proofs.differs(leaf, entry, origin);
          if (differs !== undefined) audit.compared++;
          if (differs === true) audit.add('leaf_differs', index);
        }
        const full = tree.append(hashes.subarray(at * 32, at * 32 + 32));
        for (const tile of full) await compareTile(source, tile, audit);
      }
      onRead(n * 256 + width, audit.faults);
      if (io.stop.aborted) throw cannotTell('stopped', 'Stopped.');
    }
    for (const tile of tree.partialTiles()) await compareTile(source, tile, audit);
    if (Buffer.compare(tree.root(), root) !== 0) audit.add('root_differs', 'checkpoint');
  } catch (error) {
    if (!(error instanceof LogContradiction)) throw error;
    // what follows cannot be found any more
    audit.add('bundle_wrong', error.message);
  }
  for (const prefix of repeatedIn(seen.subarray(0, known))) audit.add('proof_repeated', prefix);
  for (const proof of isLast === true && tree.size === size ? proofs.notFound(origin) : [])
    audit.add('proof_not_logged', proof);
  const compared = audit.compared;
  const about = size - audit.otherKinds;
  return {
    entries: tree.size,
    tiles: audit.tiles,
    otherKinds: audit.otherKinds,
    hidden: audit.hidden,
    compared,
    faults: audit.faults,
    findings: audit.findings,
    notChecked: [
      ...(tree.size < size ? [`the ${size - tree.size} entries after the wrong bundle`] : []),
      ...(compared < about ? [`${about - compared} entries against their proofs, which were not given`] : []),
      ...(isLast === undefined && proofs.all.length > 0
        ? ['whether the given proofs are logged: the log that this one followed was not read']
        : []),
      ...(known === MOST_COMPARED && size > known
        ? [`repetitions after the first ${MOST_COMPARED} proofs`]
        : []),
      ...(signed.keysFrom === 'log' ? ['whether the key is that of the log: the log itself named it'] : []),
    ],
  };
}

class Audit {
  tiles = 0;
  otherKinds = 0;
  hidden = 0;
  compared = 0;
  faults = 0;
  readonly findings: AuditFinding[] = [];

  add(fault: AuditFault, at: string | number): void {
    this.faults++;
    if (this.findings.length < MOST_FINDINGS) this.findings.push({ fault, at: String(at) });
  }
}

async function compareTile(
  source: LogSource,
  { level, n, width, bytes }: TileBytes,
  audit: Audit,
): Promise<void> {
  const at = encodeTilePath({ level, n, width });
  audit.tiles++;
  const served = await source.tile(level, n, width).catch((error: unknown) => {
    if (error instanceof CliError && error.code === 'log_not_readable') return undefined;
    throw error;
  });
  if (served === undefined) audit.add('tile_missing', at);
  else if (Buffer.compare(served.subarray(0, bytes.length), bytes) !== 0) audit.add('tile_differs', at);
}

/** The values that occur more than once, as the beginning of the proof's hash; the array is sorted. */
function repeatedIn(values: BigUint64Array): string[] {
  values.sort();
  const repeated = new Set<string>();
  for (let at = 1; at < values.length && repeated.size < MOST_FINDINGS; at++)
    if (values[at] === values[at - 1]) {
      const prefix = Buffer.alloc(8);
      prefix.writeBigUInt64BE(values[at] ?? 0n);
      repeated.add(`${prefix.toString('base64url').slice(0, 10)}…`);
    }
  return [...repeated];
}
