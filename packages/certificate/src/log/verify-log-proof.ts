import { encodeBase64url } from '../proof/base64url.ts';
import { readProof } from '../proof/compact-jws.ts';
import { LOG_PROOF } from '../proof/members.ts';
import { PROOF_TYP } from '../proof/proof-rules.ts';
import { isObject } from '../proof/strict-json.ts';
import {
  LOG_STEPS,
  type LogFinding,
  type LogReason,
  type LogStep,
  logFinding,
} from '../verify/log-reasons.ts';
import { readSubmittedDocument } from '../verify/submitted-document.ts';
import { areEqualBytes, webCryptoHash } from './bytes.ts';
import { type Checkpoint, parseCheckpoint } from './checkpoint.ts';
import { type ProofLeaf, parseLeaf } from './leaf.ts';
import { type LogProof, parseLogProof } from './log-proof.ts';
import { leafHash, rootOfInclusion } from './merkle.ts';
import { type Policy, quorumMet } from './policy.ts';
import { type Note, parseNote, type VerifiedSignature, verifyNote } from './signed-note.ts';
import type { VerifyEd25519 } from './vkey.ts';

/** By whom a proof must be logged. */
export interface VerifyLogProofOptions {
  /** Absent: nothing is verified. */
  readonly policy?: Policy | undefined;
  /** The signature primitive. Default: WebCrypto. */
  readonly verifyEd25519?: VerifyEd25519 | undefined;
}

/**
 * The tlog-proof that a certificate carries.
 *
 * @param document - as found; a string is parsed
 * @returns `undefined` if it carries none
 */
export function logProofOf(document: unknown): unknown {
  const { node } = readSubmittedDocument(document);
  return node?.[LOG_PROOF] ?? undefined;
}

/**
 * Verifies that the proof of a certificate is in a log: the entry is about this proof; it is in the tree; the log has signed the tree; and
 * enough witnesses have, if the policy requires any. Whatever is wrong is a reason, never an exception. The proof itself is verified
 * elsewhere: without a valid signature nothing follows from this (`withLog`).
 *
 * @param proof - the proof (`proof.jwt`), or the document that contains it
 * @param text - tlog-proof; default: the one that the document carries
 * @example
 * ```ts
 * import { parsePolicy, type Policy, verifyLogProof } from '@touchstone/certificate/log';
 * import { createTestIssuer } from '@touchstone/certificate/testing';
 *
 * const document = await (await createTestIssuer()).certificate();
 * const policy = (await parsePolicy('quorum none\n')) as Policy;
 * const { status, reason } = await verifyLogProof(document, undefined, { policy });
 * status; // null
 * reason; // 'log_proof_absent'
 * ```
 */
export async function verifyLogProof(
  proof: unknown,
  text: unknown,
  { policy, verifyEd25519 }: VerifyLogProofOptions,
): Promise<LogFinding> {
  const given = text ?? logProofOf(proof);
  if (given === undefined) return logFinding('log_proof_absent');
  if (policy === undefined) return logFinding('log_policy_absent');
  const read = readLogProof(given);
  if (read === null) return logFinding('log_proof_malformed', 'leaf');
  const { logProof, note, checkpoint } = read;
  const { origin, size, root } = checkpoint;
  const { extra, index, hashes } = logProof;
  const about = { origin, index, treeSize: size };

  const differs = await leafFault(jwtOf(proof), extra, origin);
  if (differs !== null) return logFinding(differs, 'leaf', about);
  const leaf = await leafHash(extra, webCryptoHash);
  const reached = await rootOfInclusion(leaf, index, size, hashes, webCryptoHash);
  if (reached === null || !areEqualBytes(reached, root))
    return logFinding('log_inclusion_invalid', 'inclusion', about);

  const signed = await signaturesOf(note, origin, policy, verifyEd25519);
  if (typeof signed === 'string') return logFinding(signed, 'checkpoint', about);
  const witnesses = policy.witnesses.filter(({ key }) => signed.some((one) => one.key === key));
  const names = witnesses.map(({ name }) => name);
  const isMet = policy.quorum !== undefined && quorumMet(policy, new Set(names));
  const reason = isMet ? 'witnessed' : 'logged_not_witnessed';
  const quorum: LogStep = {
    step: 'quorum',
    result: policy.quorum === undefined ? null : isMet,
    reason: isMet ? 'ok' : reason,
  };
  const steps = LOG_STEPS.map(
    (step): LogStep => (step === 'quorum' ? quorum : { step, result: true, reason: 'ok' }),
  );
  return { status: isMet ? 'witnessed' : 'logged', reason, ...about, witnesses: names, steps };
}

/**
 * The valid signatures of a log and its witnesses under a checkpoint.
 *
 * @returns why it does not count
 */
export async function signaturesOf(
  note: Note,
  origin: string,
  { logs, witnesses }: Policy,
  verifyEd25519?: VerifyEd25519,
): Promise<
  | readonly VerifiedSignature[]
  | 'log_unknown'
  | 'log_checkpoint_signature_invalid'
  | 'log_algorithm_unsupported'
> {
  const own = logs.filter(({ key }) => key.name === origin).map(({ key }) => key);
  if (own.length === 0) return 'log_unknown';
  const keys = [...own, ...witnesses.map(({ key }) => key)];
  try {
    const signed = await verifyNote(note, keys, verifyEd25519);
    const isByLog = typeof signed !== 'string' && signed.some(({ key }) => own.includes(key));
    return isByLog ? signed : 'log_checkpoint_signature_invalid';
  } catch {
    return 'log_algorithm_unsupported';
  }
}

interface ReadLogProof {
  readonly logProof: LogProof & { readonly extra: Uint8Array<ArrayBuffer> };
  readonly note: Note;
  readonly checkpoint: Checkpoint;
}

function readLogProof(text: unknown): ReadLogProof | null {
  const logProof = typeof text === 'string' ? parseLogProof(text) : 'log_proof_malformed';
  if (logProof === 'log_proof_malformed' || logProof.extra === undefined) return null;
  const note = parseNote(logProof.checkpoint);
  const checkpoint = typeof note === 'string' ? 'checkpoint_malformed' : parseCheckpoint(note.text);
  if (typeof note === 'string' || checkpoint === 'checkpoint_malformed') return null;
  return { logProof: { ...logProof, extra: logProof.extra }, note, checkpoint };
}

/**
 * Why an entry is not about this proof.
 *
 * @param jwt - the proof
 * @param entry - bytes of the entry
 * @param origin - of the log
 * @returns `null` if it is
 */
export async function leafFault(
  jwt: unknown,
  entry: Uint8Array<ArrayBuffer>,
  origin: string,
): Promise<LogReason | null> {
  const leaf = parseLeaf(entry);
  const { claims, jws, typ } = readProof(jwt);
  if (leaf === null || claims === null || jws === null) return 'log_leaf_differs';
  const hash = await webCryptoHash(new TextEncoder().encode(jwt as string));
  const isAbout =
    leaf.proof === encodeBase64url(hash) &&
    leaf.kid === jws.kid &&
    PROOF_TYP[leaf.kind] === typ &&
    (leaf.domainHash !== undefined || leaf.domain === claims.domain) &&
    leaf.iat === claims.iat &&
    leaf.exp === claims.exp;
  if (!isAbout) return 'log_leaf_differs';
  return isOfYear(leaf, origin) ? null : 'log_year_differs';
}

/** A log of one year, as ours are, has the proofs of that year only. Others have no such rule. */
function isOfYear({ iat }: ProofLeaf, origin: string): boolean {
  const year = /\/log\/(\d{4})$/.exec(origin)?.[1];
  return year === undefined || Number(year) === new Date(iat * 1000).getUTCFullYear();
}

function jwtOf(proof: unknown): unknown {
  if (typeof proof === 'string' && !proof.trimStart().startsWith('{')) return proof;
  return isObject(proof) || typeof proof === 'string' ? readSubmittedDocument(proof).jwt : null;
}
