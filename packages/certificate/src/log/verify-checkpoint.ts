import type { LogReason } from '../verify/log-reasons.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { type EndedLog, signaturesThatCount } from './ended-log.ts';
import { type Policy, quorumMet } from './policy.ts';
import { type Note, parseNote, type VerifiedSignature, verifyNote } from './signed-note.ts';
import type { VerifyEd25519 } from './vkey.ts';

/** A checkpoint that a log of the policy has signed. */
export interface VerifiedCheckpoint {
  readonly checkpoint: Checkpoint;
  /** The valid signatures, of the log and of witnesses. */
  readonly signatures: readonly VerifiedSignature[];
  /** Names in the policy of the witnesses that have cosigned. */
  readonly witnesses: readonly string[];
  /** Also if the policy requires no witness. */
  readonly isQuorumMet: boolean;
  /** The log has ended: this is its last checkpoint, or a quorum had cosigned it before. */
  readonly ended?: EndedLog;
}

/** Why a checkpoint does not count. */
export type CheckpointFault =
  | 'note_malformed'
  | 'note_too_large'
  | 'checkpoint_malformed'
  | Extract<
      LogReason,
      'log_unknown' | 'log_ended' | 'log_checkpoint_signature_invalid' | 'log_algorithm_unsupported'
    >;

/** A checkpoint with the note that it was read from, not verified. */
export interface ReadCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly note: Note;
}

/**
 * Reads a checkpoint from its signed note.
 *
 * @example
 * ```ts
 * import { readCheckpoint } from '@touchstone/certificate/log';
 *
 * readCheckpoint('no note'); // 'note_malformed'
 * ```
 */
export function readCheckpoint(
  text: string,
): ReadCheckpoint | Extract<CheckpointFault, `${string}_malformed` | 'note_too_large'> {
  const note = parseNote(text);
  if (typeof note === 'string') return note;
  const checkpoint = parseCheckpoint(note.text);
  return checkpoint === 'checkpoint_malformed' ? checkpoint : { checkpoint, note };
}

/**
 * Verifies a checkpoint: signed by a log of the policy under its own name, with what witnesses of the policy have cosigned. A wrong
 * signature of any of them makes the whole not count. Of a log that ended, by the policy, its last checkpoint counts, and what a quorum had
 * cosigned before.
 *
 * @param text - the signed note, or what `readCheckpoint` returns for it
 * @param verifyEd25519 - the signature primitive. Default: WebCrypto
 * @example
 * ```ts
 * import { type Policy, parsePolicy, verifyCheckpoint } from '@touchstone/certificate/log';
 *
 * const policy = (await parsePolicy('quorum none\n')) as Policy;
 * await verifyCheckpoint('no note', policy); // 'note_malformed'
 * ```
 */
export async function verifyCheckpoint(
  text: string | ReadCheckpoint,
  policy: Policy,
  verifyEd25519?: VerifyEd25519,
): Promise<VerifiedCheckpoint | CheckpointFault> {
  const read = typeof text === 'string' ? readCheckpoint(text) : text;
  if (typeof read === 'string') return read;
  const { checkpoint, note } = read;
  const ended = policy.ended?.find(({ key }) => key.name === checkpoint.origin);
  const logs = ended === undefined ? policy.logs : [ended];
  const own = logs.filter(({ key }) => key.name === checkpoint.origin).map(({ key }) => key);
  if (own.length === 0) return 'log_unknown';
  const keys = [...own, ...policy.witnesses.map(({ key }) => key)];
  try {
    const signatures = await verifyNote(note, keys, verifyEd25519);
    if (typeof signatures === 'string' || !signatures.some(({ key }) => own.includes(key)))
      return 'log_checkpoint_signature_invalid';
    const counted = ended === undefined ? signatures : signaturesThatCount(ended, checkpoint, signatures);
    const cosigned = policy.witnesses.filter(({ key }) => counted.some((one) => one.key === key));
    const witnesses = cosigned.map(({ name }) => name);
    const isQuorumMet = quorumMet(policy, new Set(witnesses));
    if (ended === undefined) return { checkpoint, signatures, witnesses, isQuorumMet };
    const isByLog = counted.some(({ key }) => key === ended.key);
    if (!isByLog && (policy.quorum === undefined || !isQuorumMet)) return 'log_ended';
    return { checkpoint, signatures: counted, witnesses, isQuorumMet, ended };
  } catch {
    return 'log_algorithm_unsupported';
  }
}
