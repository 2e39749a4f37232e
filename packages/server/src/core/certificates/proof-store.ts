import type { ProductSnapshot } from '@touchstone/certificate';
import type { Addresses } from '@touchstone/certificate/issue';
import { type BatcherOptions, createBatcher } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { isDatabaseFault } from '../../platform/database/database-fault.ts';
import { orError, ServiceError } from '../../platform/errors.ts';
import { mapConcurrently } from '../../platform/map-concurrently.ts';
import type { SigningKeys } from '../keys/open-proof-keys.ts';
import { isServable, type Proof, type ProofAhead, proofOf } from './proof.ts';
import { beginProofs, type IntentRun, type UnprovenState } from './proof-intents.ts';
import type { ProofLog } from './proof-log.ts';
import { completeProofs } from './proof-signatures.ts';
import { latestProofs, type ProofRecord, type ProofState, stateHash, stateKey } from './proof-table.ts';
import { renewAt } from './renewal.ts';
import { boundMembers, type ProofSubject, prepareProofOf } from './signed-document.ts';
import type { StatusEntries } from './status-entries.ts';

export interface ProofStore {
  /**
   * The one proof of this state: the recorded one, or a new one.
   *
   * @throws ServiceError `signer_unavailable` when none is recorded and none can be signed
   */
  proofFor(subject: ProofSubject): Promise<Proof>;
  /**
   * The same for many subjects in advance of requests, in the order of `subjects`. Proofs due for renewal are replaced even
   * if they could still be served.
   */
  proofsAhead(subjects: readonly ProofSubject[], load: BulkLoad): Promise<(ProofAhead | Error)[]>;
  /** The record of the proof with which this state is served; `null` if the next request starts a new one. */
  recordedFor(subject: ProofSubject): Promise<string | null>;
}

/** How much of the node bulk signing may take. */
export interface BulkLoad {
  /** Concurrent signatures; may change while the batch runs. */
  readonly signatures: number;
  /** Called with milliseconds for which it only waited. */
  readonly onWaited?: (milliseconds: number) => void;
}

export interface ProofStoreOptions {
  readonly db: Database;
  readonly keys: Pick<SigningKeys, 'signer' | 'signerOf' | 'verifierOf' | 'sha256'>;
  /** The base address is the `iss` of the proofs. */
  readonly addresses: Addresses;
  readonly clock: Clock;
  /** Absent: proofs name no entry of a status list. */
  readonly statusEntries?: StatusEntries;
  /** Absent: proofs are not logged. */
  readonly proofLog?: ProofLog;
  /** Called for each signature, for the metrics. */
  readonly onSignature?: () => void;
}

/** Placeholder for a proof's times where only the form of its document matters. */
const NO_TIMES = { kid: '', issuedAt: new Date(0), expiresAt: new Date(0) };

/** Maximum rounds: another node may record the same state, and keys may rotate, so each round starts from the current records. */
const MAX_ROUNDS = 6;

/**
 * Rows of one statement: enough to share its cost, few enough that the first does not wait long for the last. While one batch
 * is being signed, others are read, written and rendered.
 */
const BATCH: Pick<BatcherOptions<never, never>, 'maxItems' | 'maxRunning'> = { maxItems: 64, maxRunning: 3 };

/** A state that has no answer yet. */
interface Pending extends UnprovenState {
  /** Issued in advance: a proof due for renewal is replaced. */
  readonly ahead: boolean;
  /** The lowest generation that the next proof may have. */
  generation: number;
  answer?: Proof | Error;
}

interface Round {
  readonly isFirst: boolean;
  readonly concurrency: () => number;
  readonly onWaited: BulkLoad['onWaited'];
}

/**
 * Records the intent, signs it, verifies the signature and records that. If a node stops in between, the next node that is
 * asked continues with the recorded bytes and key. Concurrent requests share their statements.
 */
export function createProofStore(options: ProofStoreOptions): ProofStore {
  const { db, addresses, clock } = options;
  const binding = { addresses, sha256: options.keys.sha256 };

  const pendingState = async (subject: ProofSubject, ahead: boolean): Promise<Pending> => {
    const form = await boundMembers(subject, NO_TIMES, binding);
    const hash = stateHash(addresses.baseUrl, subject.snapshot, form);
    return { subject, form, hash, ahead, generation: 0 };
  };

  /** The rows of keys that the service did not write are no keys, so that proofs by them are not served. */
  const latest = async (states: readonly ProofState[]): Promise<(ProofRecord | null)[]> => {
    const records = await latestProofs(db, states);
    const kids = [...new Set(records.flatMap((record) => record?.intent.kid ?? []))];
    const known = await Promise.all(kids.map((kid) => options.keys.verifierOf(kid)));
    const unknown = new Set(kids.filter((_, index) => known[index] === null));
    return records.map((record) =>
      record !== null && unknown.has(record.intent.kid) ? { ...record, keyRevoked: true } : record,
    );
  };

  /**
   * Whether an unsigned record is what this service records for the state. Whatever is signed is believed, and others may be able
   * to write rows.
   */
  const isOurs = async ({ state, record }: SortedOut['recorded'][number]): Promise<boolean> => {
    const { kid, header, payload } = record.intent;
    const { issuedAt, expiresAt, status } = record;
    const times = { kid, issuedAt, expiresAt, status };
    const subject = checkedWhenRecorded(state.subject, record.snapshot);
    const expected = await prepareProofOf(subject, times, state.form, binding);
    return header === expected.header && payload === expected.payload;
  };

  /** Begins the proofs of each state; one that cannot be recorded does not keep the others from it. */
  const beginEach = async (
    states: readonly Pending[],
    run: IntentRun,
  ): Promise<readonly (ProofRecord | Error | null)[]> => {
    const begun = await orError(beginProofs({ ...options, binding }, states, run));
    if (!(begun instanceof Error)) return begun;
    if (states.length === 1 || isDatabaseFault(begun)) return states.map(() => begun);
    const each = await Promise.all(states.map((state) => beginEach([state], run)));
    return each.flat();
  };

  /** Returns or completes recorded proofs; starts and completes missing ones. */
  const advance = async (pending: readonly Pending[], round: Round): Promise<void> => {
    const { concurrency, onWaited } = round;
    const isAhead = pending.every(({ ahead }) => ahead);
    const { recorded: found, missing } = sortOut(pending, await latest(pending), clock());
    const recorded: typeof found = [];
    for (const one of found) {
      if (await isOurs(one)) recorded.push(one);
      else {
        one.state.generation = one.record.generation + 1;
        missing.push(one.state);
      }
    }
    const run = { again: !round.isFirst, rendered: missing.some(({ ahead }) => !ahead), concurrency };
    const begun = await beginEach(missing, run);
    for (const [index, state] of missing.entries()) {
      const record = begun[index] ?? null;
      if (record instanceof Error) state.answer = record;
      else if (record !== null) recorded.push({ state, record });
    }
    const records = recorded.map(({ record }) => record);
    // those that were found have their answer, whatever comes of the others
    const proofs = await orError(completeProofs({ ...options, isAhead, onWaited }, records, concurrency));
    for (const [index, { state, record }] of recorded.entries()) {
      const proof = proofs instanceof Error ? proofs : (proofs[index] ?? null);
      if (proof !== null) state.answer = proof;
      // its key was revoked or can no longer sign: the next generation is begun with another key
      else state.generation = record.generation + 1;
    }
  };

  const prove = async (
    subjects: readonly ProofSubject[],
    { ahead, concurrency, onWaited }: Omit<Round, 'isFirst'> & { readonly ahead: boolean },
  ): Promise<(Proof | Error)[]> => {
    const asked = await mapConcurrently(subjects, concurrency, (subject) =>
      orError(pendingState(subject, ahead)),
    );
    // the same state may be requested twice, but is proven once
    const states = new Map<string, Pending>();
    for (const state of asked) {
      if (!(state instanceof Error)) states.set(stateKey(state), states.get(stateKey(state)) ?? state);
    }
    let pending = [...states.values()];
    for (let round = 0; round < MAX_ROUNDS && pending.length > 0; round += 1) {
      await advance(pending, { isFirst: round === 0, concurrency, onWaited });
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
        prove(subjects, {
          ahead: false,
          concurrency: () => Number.POSITIVE_INFINITY,
          onWaited: undefined,
        }),
      ...BATCH,
    }),
    proofsAhead: (subjects, load) =>
      prove(subjects, { ahead: true, concurrency: () => load.signatures, onWaited: load.onWaited }),
    async recordedFor(subject) {
      const state = await pendingState(subject, false);
      const [record = null] = await latest([state]);
      const isServed = record !== null && record.signed !== null && isCurrent(record, state, clock());
      return isServed ? record.rowId : null;
    },
  };
}

interface SortedOut {
  /** Recorded but not signed yet. */
  readonly recorded: { readonly state: Pending; readonly record: ProofRecord }[];
  /** States without a servable record. */
  readonly missing: Pending[];
}

/** Resolves the states whose proof was found, and sorts the others by what they still need. */
function sortOut(pending: readonly Pending[], found: readonly (ProofRecord | null)[], now: Date): SortedOut {
  const sorted: SortedOut = { recorded: [], missing: [] };
  for (const [index, state] of pending.entries()) {
    const latest = found[index] ?? null;
    if (latest === null || !isCurrent(latest, state, now) || latest.generation < state.generation) {
      state.generation = Math.max(state.generation, (latest?.generation ?? 0) + 1);
      sorted.missing.push(state);
    } else if (latest.signed === null) sorted.recorded.push({ state, record: latest });
    else state.answer = proofOf(latest, latest.signed);
  }
  return sorted;
}

/** Whether the newest proof of a state is the answer, so that no other needs to be begun. */
function isCurrent(record: ProofRecord, { subject, ahead }: Pending, now: Date): boolean {
  if (ahead && renewAt(subject.id, record.issuedAt) <= now) return false;
  return isServable(record, now, subject.withdrawnAt);
}

/**
 * A subject with the check of control that was the latest one when its state was recorded. A check that is later than the latest
 * one known, or from before control was proven, was not recorded by this service.
 */
function checkedWhenRecorded(subject: ProofSubject, { control: recorded }: ProductSnapshot): ProofSubject {
  const { control } = subject.snapshot;
  const [from, at, to] = [control?.provenAt, recorded?.checkedAt, control?.checkedAt];
  if (control === undefined || from === undefined || at === undefined || to === undefined) return subject;
  if (at < from || at > to) return subject;
  return { ...subject, snapshot: { ...subject.snapshot, control: { ...control, checkedAt: at } } };
}
