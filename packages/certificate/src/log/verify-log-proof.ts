import { encodeBase64url } from '../proof/base64url.ts';
import { readProof } from '../proof/compact-jws.ts';
import { LOG_PROOF } from '../proof/members.ts';
import { PROOF_TYP } from '../proof/proof-rules.ts';
import {
  LOG_STEPS,
  type LogFinding,
  type LogReason,
  type LogStep,
  logFinding,
} from '../verify/log-reasons.ts';
import { proofJwt, readSubmittedDocument } from '../verify/submitted-document.ts';
import { areEqualBytes, webCryptoHash } from './bytes.ts';
import { type ProofLeaf, parseLeaf } from './leaf.ts';
import { type LogProof, parseLogProof } from './log-proof.ts';
import { leafHash, rootOfInclusion } from './merkle.ts';
import type { Policy } from './policy.ts';
import { readCheckpoint, verifyCheckpoint } from './verify-checkpoint.ts';
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
 * @example
 * ```ts
 * import { logProofOf } from '@touchstone/certificate/log';
 *
 * logProofOf({ proof: { jwt: 'a.b.c' }, 'svc:logProof': 'text' }); // 'text'
 * ```
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
  const logProof = typeof given === 'string' ? parseLogProof(given) : 'log_proof_malformed';
  const read = logProof === 'log_proof_malformed' ? logProof : readCheckpoint(logProof.checkpoint);
  if (logProof === 'log_proof_malformed' || typeof read === 'string' || logProof.extra === undefined)
    return logFinding('log_proof_malformed', 'leaf');
  const { origin, size } = read.checkpoint;
  const differs = await leafFault(proofJwt(proof), logProof.extra, origin);
  if (differs !== null) return logFinding(differs, 'leaf', { origin, index: logProof.index, treeSize: size });
  return verifyIncluded(logProof.extra, logProof, { policy, verifyEd25519 });
}

/**
 * Verifies that an entry is in a log, by any tlog-proof: inclusion, checkpoint and quorum. What the entry says is the caller's business.
 *
 * @param entry - the bytes that were logged
 * @param text - tlog-proof, or what `parseLogProof` returns for it
 * @example
 * ```ts
 * import { verifyIncluded } from '@touchstone/certificate/log';
 *
 * const policy = { logs: [], witnesses: [] };
 * (await verifyIncluded(new Uint8Array(), 'no proof', { policy })).reason; // 'log_proof_malformed'
 * ```
 */
export async function verifyIncluded(
  entry: Uint8Array,
  text: string | LogProof,
  { policy, verifyEd25519 }: VerifyLogProofOptions,
): Promise<LogFinding> {
  if (policy === undefined) return logFinding('log_policy_absent');
  const logProof = typeof text === 'string' ? parseLogProof(text) : text;
  const read = logProof === 'log_proof_malformed' ? logProof : readCheckpoint(logProof.checkpoint);
  if (logProof === 'log_proof_malformed' || typeof read === 'string')
    return logFinding('log_proof_malformed', 'leaf');
  const { index, hashes } = logProof;
  const { origin, size, root } = read.checkpoint;
  const about = { origin, index, treeSize: size };
  const leaf = await leafHash(entry, webCryptoHash);
  const reached = await rootOfInclusion(leaf, index, size, hashes, webCryptoHash);
  if (reached === null || !areEqualBytes(reached, root))
    return logFinding('log_inclusion_invalid', 'inclusion', about);
  const verified = await verifyCheckpoint(read, policy, verifyEd25519);
  if (typeof verified === 'string') return logFinding(verified as LogReason, 'checkpoint', about);
  const { witnesses, isQuorumMet } = verified;
  const isWitnessed = policy.quorum !== undefined && isQuorumMet;
  const reason = isWitnessed ? 'witnessed' : 'logged_not_witnessed';
  const quorum: LogStep = {
    step: 'quorum',
    result: policy.quorum === undefined ? null : isQuorumMet,
    reason: isWitnessed ? 'ok' : reason,
  };
  const steps = LOG_STEPS.map(
    (step): LogStep => (step === 'quorum' ? quorum : { step, result: true, reason: 'ok' }),
  );
  return { status: isWitnessed ? 'witnessed' : 'logged', reason, ...about, witnesses, steps };
}

/**
 * Why an entry is not about this proof.
 *
 * @param jwt - the proof
 * @param entry - bytes of the entry
 * @param origin - of the log
 * @returns `null` if it is
 * @example
 * ```ts
 * import { leafFault } from '@touchstone/certificate/log';
 *
 * await leafFault('no proof', new Uint8Array(), 'example.com/log'); // 'log_leaf_differs'
 * ```
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
  const year = yearOfOrigin(origin);
  return year === undefined || year === new Date(iat * 1000).getUTCFullYear();
}

/**
 * The year of which a log has the proofs, by its name: `…/log/2026`, or `…/log/2026-2`, the successor of one that ended.
 *
 * @returns `undefined` for logs of others
 * @example
 * ```ts
 * import { yearOfOrigin } from '@touchstone/certificate/log';
 *
 * yearOfOrigin('a.example/log/2026-2'); // 2026
 * ```
 */
export function yearOfOrigin(origin: string): number | undefined {
  const year = /\/log\/(\d{4})(?:-[1-9]\d{0,2})?$/.exec(origin)?.[1];
  return year === undefined ? undefined : Number(year);
}
