import type { KeySet } from '@touchstone/certificate';
import { type Signer, signProof } from '@touchstone/certificate/issue';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { orError, ServiceError } from '../../platform/errors.ts';
import { mapConcurrently } from '../../platform/map-concurrently.ts';
import type { SigningKeys } from '../keys/open-proof-keys.ts';
import { type Proof, proofOf } from './proof.ts';
import type { ProofLog } from './proof-log.ts';
import { type ProofRecord, recordSignatures, type SignedRecord } from './proof-table.ts';

export interface SignatureOptions {
  readonly db: Database;
  readonly keys: Pick<SigningKeys, 'signerOf' | 'verifierOf'>;
  readonly clock: Clock;
  /** Absent: proofs are not logged. */
  readonly proofLog?: ProofLog;
  /** Nobody waits for these proofs. */
  readonly isAhead: boolean;
  /** Called with milliseconds for which it only waited, for the log. */
  readonly onWaited?: ((milliseconds: number) => void) | undefined;
  /** Called for each signature, for the metrics. */
  readonly onSignature?: () => void;
}

/**
 * Signs each record with the key that it names, verifies the signatures and records them.
 *
 * @returns in the order of `records`; `null` where the key of the record was revoked, or can no longer sign
 */
export async function completeProofs(
  options: SignatureOptions,
  records: readonly ProofRecord[],
  concurrency: () => number,
): Promise<(Proof | Error | null)[]> {
  const { db, keys, clock } = options;
  const kids = new Set(records.map(({ intent }) => intent.kid));
  const opened = new Map(Array.from(kids, (kid) => [kid, orError(openKey(keys, kid))]));
  const signatures = await mapConcurrently(records, concurrency, (record) =>
    orError(sign(options, record, opened.get(record.intent.kid))),
  );
  const signed = records.flatMap((record, index) => {
    const signature = signatures[index];
    return typeof signature === 'string' ? [{ record, signature, index }] : [];
  });
  const recorded =
    signed.length === 0 ? [] : await recordSignatures(db, await logged(options, signed), clock());
  const answers: (Proof | Error | null)[] = signatures.map((signature) =>
    signature instanceof Error ? signature : null,
  );
  for (const [place, { record, index }] of signed.entries()) {
    const signature = recorded[place] ?? null;
    if (signature !== null) answers[index] = proofOf(record, signature);
  }
  return answers;
}

/** Enters the proofs into the log before they are recorded as signed: until then, none is published. */
async function logged(
  { proofLog, isAhead, onWaited }: SignatureOptions,
  signed: readonly SignedRecord[],
): Promise<readonly SignedRecord[]> {
  if (proofLog === undefined) return signed;
  const begun = performance.now();
  const logProofs = await proofLog.enter(
    signed.map(({ record: { merchantId, intent }, signature }) => ({
      merchantId,
      kind: intent.kind,
      jwt: `${intent.header}.${intent.payload}.${signature}`,
    })),
    { isAhead },
  );
  onWaited?.(performance.now() - begun);
  return signed.map((one, index) => {
    const logProof = logProofs[index] ?? null;
    return logProof === null ? one : { ...one, logProof };
  });
}

interface OpenKey {
  readonly signer: Signer;
  readonly keySet: KeySet;
}

/** The signer and verifier for a key; `null` if it can no longer sign. */
async function openKey(keys: SignatureOptions['keys'], kid: string): Promise<OpenKey | null> {
  const signer = await keys.signerOf(kid);
  const keySet = await keys.verifierOf(kid);
  return signer === null || keySet === null ? null : { signer, keySet };
}

/** The signature, base64url. */
async function sign(
  { clock, onSignature }: SignatureOptions,
  { intent }: ProofRecord,
  opened: Promise<OpenKey | Error | null> | undefined,
): Promise<string | null> {
  const key = (await opened) ?? null;
  if (key === null) return null;
  if (key instanceof Error) throw key;
  onSignature?.();
  const jwt = await signProof(intent, key.signer, key.keySet, clock()).catch((cause: unknown) => {
    throw new ServiceError('signer_unavailable', { cause, retryAfter: 5 });
  });
  return jwt.slice(jwt.lastIndexOf('.') + 1);
}
