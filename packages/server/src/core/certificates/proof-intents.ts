import { PROOF_LIFETIME } from '@touchstone/certificate';
import type { BoundMembers, ProofIntent } from '@touchstone/certificate/issue';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { orError, ServiceError } from '../../platform/errors.ts';
import { mapConcurrently } from '../../platform/map-concurrently.ts';
import type { SigningKeys } from '../keys/open-proof-keys.ts';
import {
  MOST_AHEAD,
  type NewIssuance,
  type ProofRecord,
  type ProofState,
  recordIntents,
} from './proof-table.ts';
import { type Binding, type ProofSubject, prepareProofOf } from './signed-document.ts';
import type { StatusEntries, StatusEntry } from './status-entries.ts';

/** A state that needs another proof. */
export interface UnprovenState extends ProofState {
  /** What its documents consist of, whenever they are signed. */
  readonly form: BoundMembers;
  /** The generation of the next proof. */
  readonly generation: number;
}

export interface IntentOptions {
  readonly db: Database;
  readonly keys: Pick<SigningKeys, 'signer'>;
  readonly clock: Clock;
  readonly binding: Binding;
  readonly statusEntries?: StatusEntries;
}

export interface IntentRun {
  /** Read the keys again: the cached ones may be outdated. */
  readonly again: boolean;
  /** Documents will be rendered from the records. */
  readonly rendered: boolean;
  readonly concurrency: () => number;
}

/**
 * Records what is to be signed for each state, before it is signed.
 *
 * @returns in the order of `states`; `null` if another node recorded this generation first, or the key is closed to new proofs
 */
export async function beginProofs(
  options: IntentOptions,
  states: readonly UnprovenState[],
  run: IntentRun,
): Promise<(ProofRecord | Error | null)[]> {
  if (states.length === 0) return [];
  const signer = await orError(options.keys.signer(run.again));
  if (signer instanceof Error) return states.map(() => signer);
  const entries = (await options.statusEntries?.take(states.length)) ?? [];
  const now = options.clock().getTime();
  const listed = states.map((state, index) => ({ ...state, status: entries[index] }));
  const begun = new Map<object, ProofRecord | Error | null>();
  // all of one time, but for products whose certificates were withdrawn in this second
  for (const [iat, together] of Map.groupBy(listed, ({ subject }) => issuedAt(subject, now))) {
    const times = timesOf(signer.kid, iat);
    const ahead = times.issuedAt.getTime() - now - MOST_AHEAD;
    const records =
      ahead > 0 ? together.map(() => new DatedAheadError(ahead)) : await begin(options, together, times, run);
    for (const [index, state] of together.entries()) begun.set(state, records[index] ?? null);
  }
  return listed.map((state) => begun.get(state) ?? null);
}

/** The same with a key, a time and the entries of status lists. */
async function begin(
  { db, binding }: IntentOptions,
  states: readonly (UnprovenState & { readonly status: StatusEntry | undefined })[],
  times: NewIssuance,
  { rendered, concurrency }: IntentRun,
): Promise<(ProofRecord | Error | null)[]> {
  const intents: (ProofIntent | Error)[] = await mapConcurrently(
    states,
    concurrency,
    ({ subject, form, status }) => orError(prepareProofOf(subject, { ...times, status }, form, binding)),
  );
  const made = states.flatMap((state, index) => {
    const intent = intents[index];
    return intent === undefined || intent instanceof Error ? [] : [{ ...state, intent }];
  });
  const records = (await recordIntents(db, made, times, rendered)).values();
  return intents.map((intent) => (intent instanceof Error ? intent : (records.next().value ?? null)));
}

/** Later than what was withdrawn, in whole seconds; otherwise now. */
function issuedAt({ withdrawnAt }: ProofSubject, now: number): number {
  const second = Math.floor(now / 1000);
  if (withdrawnAt === undefined) return second;
  return Math.max(second, Math.floor(withdrawnAt.getTime() / 1000) + 1);
}

const timesOf = (kid: string, iat: number): NewIssuance => ({
  kid,
  issuedAt: new Date(iat * 1000),
  expiresAt: new Date((iat + PROOF_LIFETIME) * 1000),
});

/** Certificates were withdrawn again and again within seconds, or dated ahead: the product's next proof could not be served yet. */
export class DatedAheadError extends ServiceError {
  /** @param ahead - milliseconds until it can */
  constructor(ahead: number) {
    super('signer_unavailable', { retryAfter: Math.ceil(ahead / 1000) });
  }
}
