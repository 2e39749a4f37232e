import type { ProductState } from '@touchstone/contract';
import { tableState } from '../table-state.ts';

/** Fields to search, as named in the query of the list of products. */
export const SEARCHES = ['q', 'externalProductId', 'sku', 'gtin'] as const;

/** States, the desired one first. */
export const STATES = [
  'active',
  'no_slot',
  'hidden',
  'host_lost',
  'paused',
  'disabled',
  'deleted',
] as const satisfies readonly ProductState[];

const SHAPE = { by: SEARCHES, text: 'text', state: STATES, cursor: 'text' } as const;

/** State of the list in the address. */
export type ProductTable = ReturnType<typeof tableOf>;

export function tableOf(search: string) {
  return tableState(SHAPE, search);
}
