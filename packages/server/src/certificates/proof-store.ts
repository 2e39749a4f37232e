import { type KeySet, PROOF_LIFETIME, type ProductSnapshot } from '@touchstone/certificate';
import {
  type Addresses,
  type BoundMembers,
  type ProofIntent,
  type Signer,
  signProof,
} from '@touchstone/certificate/issue';
import type { SigningKeys } from '../keys/open-keys.ts';
import { type BatcherOptions, createBatcher } from '../platform/batcher.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { ServiceError } from '../platform/errors.ts';
import { inTurns } from '../platform/in-turns.ts';
import {
  latestProofs,
  MOST_AHEAD,
  type ProofRecord,
  type ProofState,
  recordIntents,
  recordSignatures,
  stateHashes,
  stateKey,
} from './proof-table.ts';
import { renewAt } from './renewal.ts';
import { boundMembers, type ProofSubject, prepareProofOf } from './signed-document.ts';

/** A proof is never served with less than this left, in milliseconds: 2 days, one in a cache and one on a page. */
const LEAST_LEFT = 2 * 86_400_000;

/** A proof at hand, and what its document is rendered from. */
export interface Proof {
  /** Of its record. */
  readonly rowId: string;
  readonly jwt: string;
  readonly kid: string;
  readonly snapshot: ProductSnapshot;
  readonly issuedAt: Date;
  /** The proof's own end. */
  readonly expiresAt: Date;
  /** It may be served from this moment on, and up to that; before and after, it takes a new generation. */
  readonly servedFrom: Date;
  readonly servedUntil: Date;
}

/** A proof of which no document is rendered now. */
export type ProofAhead = Omit<Proof, 'snapshot'>;

export interface ProofStore {
  /**
   * The one proof of this state: the recorded one, or a new one.
   *
   * @throws ServiceError `signer_unavailable` when none is at hand and none can be made
   */
  proofFor(subject: ProofSubject): Promise<Proof>;
  /**
   * The same for many that nobody waits for: each answered at its place. Proofs whose renewal is due are replaced while
   * they could still be served.
   */
  proofsAhead(subjects: readonly ProofSubject[], load: BulkLoad): Promise<(ProofAhead | Error)[]>;
  /** The record of the proof that this state is served with; `null` where the next one to ask begins another. */
  recordedFor(subject: ProofSubject): Promise<string | null>;
}

/** How much of the node may be taken for proofs that nobody waits for. */
export interface BulkLoad {
  /** Signatures made at once; may change meanwhile. */
  readonly signatures: number;
}

export interface ProofStoreOptions {
  readonly db: Database;
  readonly keys: Pick<SigningKeys, 'signer' | 'signerOf' | 'verifierOf' | 'sha256'>;
  /** The base address is the `iss` of our proofs. */
  readonly addresses: Addresses;
  readonly clock: Clock;
  /** Called for every signature made, for counting. */
  readonly onSignature?: () => void;
}

/** In the place of a proof's own times, where only the form of documents counts. */
const NO_TIMES = { kid: '', issuedAt: new Date(0), expiresAt: new Date(0) };

/** Others may be recording the same state, keys may change hands: each round finds where it stands. */
const ROUNDS = 6;

/**
 * Rows of one statement: enough to share its cost, few enough that the first need not wait long for the last. While some
 * batches are being signed, others are read, written and rendered.
 */
const BATCH: Pick<BatcherOptions<never, never>, 'maxItems' | 'maxRunning'> = { maxItems: 64, maxRunning: 3 };

interface OpenKey {
  readonly signer: Signer;
  readonly keySet: KeySet;
}

/** A state on its way to a proof. */
interface Pending extends ProofState {
  /** What its documents are made up of, whenever they are signed. */
  readonly form: BoundMembers;
  /** It is replaced when its renewal is due. */
  readonly ahead: boolean;
  /** Of the next proof, at least. */
  generation: number;
  answer?: Proof | Error;
}

/**
 * The intent is recorded, then signed, then verified, then the signature is recorded. Where
 * a node stopped in between, the next one to ask goes on with the recorded bytes and key. Subjects that are asked
 * for at the same time share the statements.
 */
export function createProofStore(options: ProofStoreOptions): ProofStore {
  const { db, keys, addresses, clock } = options;
  const binding = { addresses, sha256: keys.sha256 };

  /** Intents of a next generation; at each place null where the next round finds another's. */
  const begin = async (
    pending: readonly Pending[],
    again: boolean,
    atOnce: () => number,
  ): Promise<(ProofRecord | Error | null)[]> => {
    if (pending.length === 0) return [];
    const signer = await orError(keys.signer(again));
    if (signer instanceof Error) return pending.map(() => signer);
    const iat = Math.floor(clock().getTime() / 1000);
    const issuedAt = new Date(iat * 1000);
    const expiresAt = new Date((iat + PROOF_LIFETIME) * 1000);
    const intents = await inTurns(pending, atOnce, ({ subject, form }) =>
      orError(prepareProofOf(subject, { kid: signer.kid, issuedAt, expiresAt }, form, binding)),
    );
    const made = pending.flatMap((state, index) => {
      const intent = intents[index] as ProofIntent | Error;
      return intent instanceof Error ? [] : [{ ...state, intent }];
    });
    const rendered = pending.some(({ ahead }) => !ahead);
    const records = await recordIntents(db, made, { kid: signer.kid, issuedAt, expiresAt }, rendered);
    let next = 0;
    return intents.map((intent) => (intent instanceof Error ? intent : (records[next++] ?? null)));
  };

  /** By which the records of a key are signed and checked; null where it can sign no more. */
  const openKey = async (kid: string): Promise<OpenKey | null> => {
    const signer = await keys.signerOf(kid);
    const keySet = await keys.verifierOf(kid);
    return signer === null || keySet === null ? null : { signer, keySet };
  };

  const sign = async (
    { intent }: ProofRecord,
    opened: Promise<OpenKey | Error | null> | undefined,
  ): Promise<string | null> => {
    const key = (await opened) ?? null;
    if (key === null) return null;
    if (key instanceof Error) throw key;
    options.onSignature?.();
    const jwt = await signProof(intent, key.signer, key.keySet, clock()).catch((cause: unknown) => {
      throw new ServiceError('signer_unavailable', { cause, retryAfter: 5 });
    });
    return jwt.slice(jwt.lastIndexOf('.') + 1);
  };

  /** At each place null where the key of the record can sign no more. */
  const complete = async (
    records: readonly ProofRecord[],
    atOnce: () => number,
  ): Promise<(Proof | Error | null)[]> => {
    const kids = new Set(records.map(({ intent }) => intent.kid));
    const opened = new Map(Array.from(kids, (kid) => [kid, orError(openKey(kid))]));
    const signatures = await inTurns(records, atOnce, (record) =>
      orError(sign(record, opened.get(record.intent.kid))),
    );
    const signed = records.flatMap((record, index) => {
      const signature = signatures[index];
      return typeof signature === 'string' ? [{ record, signature, index }] : [];
    });
    const standing = signed.length === 0 ? [] : await recordSignatures(db, signed, clock());
    const answers: (Proof | Error | null)[] = signatures.map((signature) =>
      signature instanceof Error ? signature : null,
    );
    for (const [place, { record, index }] of signed.entries()) {
      const signature = standing[place] ?? null;
      if (signature !== null) answers[index] = proofOf(record, signature);
    }
    return answers;
  };

  /** One round: what is recorded is answered or completed, what is missing is begun and completed. */
  const advance = async (
    pending: readonly Pending[],
    again: boolean,
    atOnce: () => number,
  ): Promise<void> => {
    const found = await latestProofs(db, pending);
    const recorded: { readonly state: Pending; readonly record: ProofRecord }[] = [];
    const missing: Pending[] = [];
    for (const [index, state] of pending.entries()) {
      const latest = found[index] ?? null;
      if (latest === null || !isCurrent(latest, state, clock()) || latest.generation < state.generation) {
        state.generation = Math.max(state.generation, (latest?.generation ?? 0) + 1);
        missing.push(state);
      } else if (latest.signature === null) recorded.push({ state, record: latest });
      else state.answer = proofOf(latest, latest.signature);
    }
    for (const [index, record] of (await begin(missing, again, atOnce)).entries()) {
      const state = missing[index] as Pending;
      if (record instanceof Error) state.answer = record;
      else if (record !== null) recorded.push({ state, record });
    }
    const proofs = await complete(
      recorded.map(({ record }) => record),
      atOnce,
    );
    for (const [index, { state, record }] of recorded.entries()) {
      const proof = proofs[index] ?? null;
      if (proof !== null) state.answer = proof;
      // its key was revoked, or can sign no more: the next generation is begun under another
      else state.generation = record.generation + 1;
    }
  };

  const stateOf = async (subject: ProofSubject, ahead: boolean): Promise<Pending> => {
    const { baseUrl } = addresses;
    const form = await boundMembers(subject, NO_TIMES, binding);
    return { subject, form, ...stateHashes(baseUrl, subject.snapshot, form), ahead, generation: 0 };
  };

  const prove = async (
    subjects: readonly ProofSubject[],
    { ahead, atOnce }: { readonly ahead: boolean; readonly atOnce: () => number },
  ): Promise<(Proof | Error)[]> => {
    const asked = await inTurns(subjects, atOnce, (subject) => orError(stateOf(subject, ahead)));
    // the same state may be asked for twice, and is proven once
    const states = new Map<string, Pending>();
    for (const state of asked) {
      if (!(state instanceof Error)) states.set(stateKey(state), states.get(stateKey(state)) ?? state);
    }
    let pending = [...states.values()];
    for (let round = 0; round < ROUNDS && pending.length > 0; round += 1) {
      await advance(pending, round > 0, atOnce);
      pending = pending.filter(({ answer }) => answer === undefined);
    }
    return asked.map((state) => {
      if (state instanceof Error) return state;
      const { answer } = states.get(stateKey(state)) ?? state;
      return answer ?? new ServiceError('signer_unavailable', { retryAfter: 1 });
    });
  };

  return {
    proofFor: createBatcher({
      run: (subjects: readonly ProofSubject[]) =>
        prove(subjects, { ahead: false, atOnce: () => Number.POSITIVE_INFINITY }),
      ...BATCH,
    }),
    proofsAhead: (subjects, load) => prove(subjects, { ahead: true, atOnce: () => load.signatures }),
    async recordedFor(subject) {
      const state = await stateOf(subject, false);
      const [latest = null] = await latestProofs(db, [state]);
      const isServed = latest !== null && latest.signature !== null && isCurrent(latest, state, clock());
      return isServed ? latest.rowId : null;
    },
  };
}

/** What fails for one must not fail for those who share a statement with it. */
async function orError<T>(work: Promise<T>): Promise<T | Error> {
  try {
    return await work;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Whether the newest proof of a state is the one to answer with, and no other is to be begun. */
function isCurrent(record: ProofRecord, { subject, ahead }: Pending, now: Date): boolean {
  if (ahead && renewAt(subject.id, record.issuedAt) <= now) return false;
  if (record.keyRevoked || now < servedFrom(record.issuedAt)) return false;
  return record.expiresAt.getTime() - now.getTime() >= LEAST_LEFT;
}

const servedFrom = (issuedAt: Date) => new Date(issuedAt.getTime() - MOST_AHEAD);

function proofOf(record: ProofRecord, signature: string): Proof {
  const { rowId, intent, snapshot, issuedAt, expiresAt } = record;
  return {
    rowId,
    jwt: `${intent.header}.${intent.payload}.${signature}`,
    kid: intent.kid,
    snapshot,
    issuedAt,
    expiresAt,
    servedFrom: servedFrom(issuedAt),
    servedUntil: new Date(expiresAt.getTime() - LEAST_LEFT),
  };
}
