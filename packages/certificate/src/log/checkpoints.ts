import { areEqualBytes, webCryptoHash } from './bytes.ts';
import type { Checkpoint } from './checkpoint.ts';
import { verifyConsistency } from './merkle.ts';
import type { Policy } from './policy.ts';
import { consistencyFromTiles, rootFromTiles } from './tile-proofs.ts';
import { type TileReader, tileWidth } from './tiles.ts';
import { type CheckpointFault, readCheckpoint, verifyCheckpoint } from './verify-checkpoint.ts';
import type { VerifyEd25519 } from './vkey.ts';

/** Two checkpoints that one log has signed and that contradict each other: whoever has its key can check it. */
export interface ForkEvidence {
  readonly origin: string;
  /** The signed notes, as they were seen. */
  readonly notes: readonly [string, string];
}

/** Whether a checkpoint continues those that were seen before. */
export type CheckpointAnswer =
  | { readonly result: true; readonly reason: 'ok' }
  | { readonly result: false; readonly reason: 'log_forked'; readonly evidence: ForkEvidence }
  | {
      readonly result: false;
      readonly reason: 'log_proof_malformed' | 'log_checkpoint_signature_invalid';
    }
  | {
      readonly result: null;
      readonly reason: 'log_unknown' | 'log_ended' | 'log_unreachable' | 'log_algorithm_unsupported';
    };

/** The checkpoints that a verifier has seen. Keep `notes` and `forks` where they outlive the process. */
export interface Checkpoints {
  /** The largest checkpoint of each log, as a signed note. */
  notes(): readonly string[];
  readonly forks: readonly ForkEvidence[];
  /**
   * Compares a checkpoint with the one that is kept of its log, and keeps the larger one.
   *
   * @param note - the signed checkpoint
   * @param reader - reads the log's tiles; without one, only trees of the same size can be compared
   */
  see(note: string, policy: Policy, reader?: TileReader): Promise<CheckpointAnswer>;
}

export interface CheckpointsOptions {
  /** What was kept before. Notes that cannot be read are dropped. */
  readonly notes?: readonly string[] | undefined;
  readonly forks?: readonly ForkEvidence[] | undefined;
  /** The signature primitive. Default: WebCrypto. */
  readonly verifyEd25519?: VerifyEd25519 | undefined;
}

/**
 * Creates the checkpoints that a verifier keeps, so that a log cannot show it two histories.
 *
 * @example
 * ```ts
 * import { createCheckpoints, type Policy, parsePolicy } from '@touchstone/certificate/log';
 *
 * const checkpoints = createCheckpoints();
 * const policy = (await parsePolicy('quorum none\n')) as Policy;
 * (await checkpoints.see('no note', policy)).reason; // 'log_proof_malformed'
 * ```
 */
export function createCheckpoints({
  notes = [],
  forks = [],
  verifyEd25519,
}: CheckpointsOptions = {}): Checkpoints {
  const kept = new Map<string, Seen>();
  for (const note of notes) {
    const read = readCheckpoint(note);
    if (typeof read !== 'string') kept.set(read.checkpoint.origin, { note, checkpoint: read.checkpoint });
  }
  const found = [...forks];
  /** By log, the last comparison that was begun: the next one is with what that keeps. */
  const turns = new Map<string, Promise<unknown>>();

  async function compare(seen: Seen, reader: TileReader | undefined): Promise<CheckpointAnswer> {
    const { origin } = seen.checkpoint;
    const before = kept.get(origin) ?? seen;
    const [small, large] = before.checkpoint.size <= seen.checkpoint.size ? [before, seen] : [seen, before];
    const isOne = await continues(small.checkpoint, large.checkpoint, reader);
    if (isOne === null) return { result: null, reason: 'log_unreachable' };
    if (isOne) {
      kept.set(origin, large);
      return { result: true, reason: 'ok' };
    }
    const evidence: ForkEvidence = { origin, notes: [before.note, seen.note] };
    // whoever shows the same checkpoint again adds nothing
    if (!found.some(({ notes: [one, other] }) => one === before.note && other === seen.note))
      found.push(evidence);
    return { result: false, reason: 'log_forked', evidence };
  }

  return {
    notes: () => [...kept.values()].map(({ note }) => note),
    forks: found,
    async see(note, policy, reader) {
      const verified = await verifyCheckpoint(note, policy, verifyEd25519);
      if (typeof verified === 'string') return refusalOf(verified);
      const seen: Seen = { note, checkpoint: verified.checkpoint };
      const { origin } = seen.checkpoint;
      // two that are compared at the same time would each be compared with the one before both, and a fork not be seen
      const own = (turns.get(origin) ?? Promise.resolve()).then(() => compare(seen, reader));
      turns.set(origin, own);
      return own;
    },
  };
}

function refusalOf(fault: CheckpointFault): CheckpointAnswer {
  if (fault === 'log_unknown' || fault === 'log_ended' || fault === 'log_algorithm_unsupported')
    return { result: null, reason: fault };
  if (fault === 'log_checkpoint_signature_invalid') return { result: false, reason: fault };
  return { result: false, reason: 'log_proof_malformed' };
}

interface Seen {
  readonly note: string;
  readonly checkpoint: Checkpoint;
}

/**
 * Whether the larger tree begins with the smaller one. Tiles are not signed: what they say counts only if it leads to the larger root.
 *
 * @returns `null` if that cannot be told
 */
async function continues(
  small: Checkpoint,
  large: Checkpoint,
  reader: TileReader | undefined,
): Promise<boolean | null> {
  if (small.size === large.size) return areEqualBytes(small.root, large.root);
  if (small.size === 0) return areEqualBytes(small.root, await webCryptoHash(new Uint8Array()));
  if (reader === undefined) return null;
  try {
    const proof = await consistencyFromTiles(reader, small.size, large.size, webCryptoHash);
    // the tiles of the larger tree have those of the smaller one
    const root = await rootFromTiles(prefixOf(reader, large.size), small.size, webCryptoHash);
    const isOfTiles = await verifyConsistency({ size: small.size, root }, large, proof, webCryptoHash);
    return isOfTiles ? areEqualBytes(root, small.root) : null;
  } catch {
    return null;
  }
}

/** Reads the tiles of a smaller tree from those of a larger one, whose partial tiles may be all that is left. */
function prefixOf(reader: TileReader, size: number): TileReader {
  return { ...reader, tile: (level, n) => reader.tile(level, n, tileWidth(level, n, size)) };
}
