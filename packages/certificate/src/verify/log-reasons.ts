/**
 * What became of the question whether a certificate's proof is in a transparency log, with its sentence; a closed list. `witnessed` and
 * `logged_not_witnessed` are answers.
 */
export const LOG_REASONS = {
  witnessed: 'The proof is in the log, as enough witnesses have confirmed.',
  logged_not_witnessed:
    'Logged, not witnessed: the log says that the proof is in it, and no quorum of witnesses has confirmed it.',
  // nothing is known
  log_not_looked_at: 'Nobody asked whether the proof is in a transparency log.',
  log_proof_absent: 'The certificate does not say where its proof is logged.',
  log_policy_absent: 'No policy says which logs and witnesses count.',
  log_unknown: 'The proof is said to be in a log that the policy does not name.',
  log_ended:
    'The key of the log was revoked: only its last checkpoint counts, and what enough witnesses had confirmed before. The service has a newer proof.',
  log_unreachable: 'The log cannot be read at the moment, or what it serves does not belong together.',
  log_algorithm_unsupported: 'Signatures of logs (Ed25519) cannot be verified here.',
  // what the certificate says about its log is wrong
  log_proof_malformed: 'What the certificate says about its place in the log cannot be read.',
  log_leaf_differs: 'The entry of the log is about another proof.',
  log_year_differs: 'The entry is in the log of another year than the proof.',
  log_inclusion_invalid: 'The entry is not in the tree that the log has signed.',
  log_checkpoint_signature_invalid: 'The signature of the log, or of one of its witnesses, does not match.',
  log_forked: 'The log has signed two trees that contradict each other.',
} as const;

/** A code of `LOG_REASONS`. */
export type LogReason = keyof typeof LOG_REASONS;

/** Reasons that nothing is known for, which is neither a pass nor a failure. */
const UNKNOWN = [
  'log_not_looked_at',
  'log_proof_absent',
  'log_policy_absent',
  'log_unknown',
  'log_ended',
  'log_unreachable',
  'log_algorithm_unsupported',
] as const satisfies readonly LogReason[];

/** What a log adds to the notes of a result, with its sentence; a closed list. */
export const LOG_NOTES = {
  log_proof_invalid: 'What the certificate says about its place in a transparency log is not true.',
  log_required: 'Whether the proof is in a transparency log could not be found out, as was required.',
} as const;

/** A code of `LOG_NOTES`. */
export type LogNote = keyof typeof LOG_NOTES;

/**
 * `witnessed`: in the log, and enough witnesses have confirmed the tree that it is in. `logged`: in the log, without that. `invalid`: what
 * the certificate says about it is wrong. `null`: not known.
 */
export type LogStatus = 'witnessed' | 'logged' | 'invalid' | null;

/** What is verified, in this order: the entry is about the proof; it is in the tree; the log has signed the tree; witnesses have. */
export const LOG_STEPS = ['leaf', 'inclusion', 'checkpoint', 'quorum'] as const;

/** One step of verifying that a proof is logged. */
export interface LogStep {
  readonly step: (typeof LOG_STEPS)[number];
  /** `null`: not reached, or, for the quorum, none is required. */
  readonly result: boolean | null;
  /** `ok` if it passed. */
  readonly reason: LogReason | 'ok';
}

/** Whether a certificate's proof is in a transparency log, as far as it is known. */
export interface LogFinding {
  readonly status: LogStatus;
  readonly reason: LogReason;
  /** The log; absent until its checkpoint could be read. */
  readonly origin?: string;
  /** Number of the entry, from 0. */
  readonly index?: number;
  /** Entries of the tree that the log has signed. */
  readonly treeSize?: number;
  /** Names in the policy of those who have cosigned. */
  readonly witnesses?: readonly string[];
  readonly steps: readonly LogStep[];
}

/** The status that follows from a reason. */
function logStatusOf(reason: LogReason): LogStatus {
  if (reason === 'witnessed') return 'witnessed';
  if (reason === 'logged_not_witnessed') return 'logged';
  return UNKNOWN.some((unknown) => unknown === reason) ? null : 'invalid';
}

/**
 * A finding from the reason of the step that decided it.
 *
 * @param failed - absent: no step was made
 * @example
 * ```ts
 * import { logFinding } from '@touchstone/certificate/log';
 *
 * logFinding('log_proof_absent').status; // null
 * ```
 */
export function logFinding(
  reason: LogReason,
  failed?: LogStep['step'],
  about: Pick<LogFinding, 'origin' | 'index' | 'treeSize'> = {},
): LogFinding {
  const status = logStatusOf(reason);
  const at = failed === undefined ? -1 : LOG_STEPS.indexOf(failed);
  const steps = LOG_STEPS.map((step, place): LogStep => {
    if (place < at) return { step, result: true, reason: 'ok' };
    if (place > at) return { step, result: null, reason: 'log_not_looked_at' };
    return { step, result: status === null ? null : false, reason };
  });
  return { status, reason, ...about, steps };
}
