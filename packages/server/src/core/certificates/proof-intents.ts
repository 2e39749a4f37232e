import { PROOF_LIFETIME } from '@touchstone/certificate';
import type { BoundMembers, ProofIntent } from '@touchstone/certificate/issue';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { orError } from '../../platform/errors.ts';
import { mapConcurrently } from '../../platform/map-concurrently.ts';
import type { SigningKeys } from '../keys/open-proof-keys.ts';
import { type ProofRecord, type ProofState, recordIntents } from './proof-table.ts';
import { type Binding, prepareProofOf } from './signed-document.ts';

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
  { db, keys, clock, binding }: IntentOptions,
  states: readonly UnprovenState[],
  { again, rendered, concurrency }: IntentRun,
): Promise<(ProofRecord | Error | null)[]> {
  if (states.length === 0) return [];
  const signer = await orError(keys.signer(again));
  if (signer instanceof Error) return states.map(() => signer);
  const iat = Math.floor(clock().getTime() / 1000);
  const times = {
    kid: signer.kid,
    issuedAt: new Date(iat * 1000),
    expiresAt: new Date((iat + PROOF_LIFETIME) * 1000),
  };
  const intents: (ProofIntent | Error)[] = await mapConcurrently(states, concurrency, ({ subject, form }) =>
    orError(prepareProofOf(subject, times, form, binding)),
  );
  const made = states.flatMap((state, index) => {
    const intent = intents[index];
    return intent === undefined || intent instanceof Error ? [] : [{ ...state, intent }];
  });
  const records = (await recordIntents(db, made, times, rendered)).values();
  return intents.map((intent) => (intent instanceof Error ? intent : (records.next().value ?? null)));
}
