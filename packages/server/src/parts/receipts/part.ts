import { receiptsPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { createReceipts } from './give-receipt.ts';

/** Signs receipts of verifications and page checks, which third parties verify without the service. */
export const receiptsPart: Part = {
  ...contract,
  receipts: createReceipts,
  async open(core) {
    const { openReceipts } = await import('./open-receipts.ts');
    return openReceipts(core);
  },
};
