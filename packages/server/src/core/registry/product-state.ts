import type { ProductState } from '@touchstone/contract';
import type { Standing } from './events.ts';

/** Why a product that exists is not active. */
export type NotActiveReason =
  /** The merchant has turned its visibility off. */
  | 'hidden'
  /** Its host is no longer a domain of the store. */
  | 'host_lost'
  /** The operator has paused the merchant. */
  | 'paused'
  /** It waits for a seat of the merchant's plan. */
  | 'no_slot';

export type PublicState =
  | { readonly kind: 'active' }
  | { readonly kind: 'not_active'; readonly why: NotActiveReason }
  | { readonly kind: 'absent' };

export interface StateFacts {
  readonly visible: boolean;
  readonly disabled: boolean;
  readonly deleted_at: Date | null;
  readonly host_known: boolean;
  readonly slot_order: string | null;
  /** Of the merchant. */
  readonly paused: boolean;
}

/**
 * The state of spec "States and transitions", from what the tables say. Of several reasons the merchant's own
 * doing comes first, then what only it can repair, then the operator's.
 */
export function publicState(facts: StateFacts): PublicState {
  if (facts.deleted_at !== null || facts.disabled) return { kind: 'absent' };
  if (!facts.visible) return { kind: 'not_active', why: 'hidden' };
  if (!facts.host_known) return { kind: 'not_active', why: 'host_lost' };
  if (facts.paused) return { kind: 'not_active', why: 'paused' };
  if (facts.slot_order === null) return { kind: 'not_active', why: 'no_slot' };
  return { kind: 'active' };
}

/** The state of the registry, from all but the pause of the merchant. */
export function stateOf(standing: Standing, paused: boolean): ProductState {
  return paused && (standing === 'active' || standing === 'no_slot') ? 'paused' : standing;
}

/** The same for the registry, which distinguishes the absent. */
export function productState(facts: StateFacts): ProductState {
  const state = publicState(facts);
  if (state.kind === 'active') return 'active';
  if (state.kind === 'not_active') return state.why;
  return facts.deleted_at === null ? 'disabled' : 'deleted';
}
