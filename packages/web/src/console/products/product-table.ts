import type { ProductState } from '@touchstone/contract';
import { tableState } from '../table-state.ts';

/** What is searched in: as the list of products names it. */
export const SEARCHES = ['q', 'externalProductId', 'sku', 'gtin'] as const;

/** States, the one that is wanted first. */
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

/** What the address says of the list. */
export type ProductTable = ReturnType<typeof tableOf>;

export function tableOf(search: string) {
  return tableState(SHAPE, search);
}
