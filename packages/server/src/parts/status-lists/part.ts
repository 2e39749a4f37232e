import { statusListsPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { statusOrders } from './order-changes.ts';

/** Publishes which proofs were withdrawn or suspended, for verifiers that do not ask the service (draft-ietf-oauth-status-list-20). */
export const statusListsPart: Part = {
  ...contract,
  hasTables: true,
  listeners: statusOrders,
  givesStatusEntries: true,
  async open(core) {
    const { openStatusLists } = await import('./open-status-lists.ts');
    return openStatusLists(core);
  },
};
