import { RECEIPT_FAULTS } from '@touchstone/certificate/receipt';
import { codeRows } from '../../code-table.ts';
import type { ContractPart } from '../../part.ts';
import { deleteEvidence, getEvidence, getReceiptKeys, listEvidence } from './operations.ts';

export const receiptsPart: ContractPart = {
  name: 'receipts',
  operations: [getReceiptKeys, listEvidence, getEvidence, deleteEvidence],
  codes: [
    {
      title: 'Faults of receipts',
      intro: 'In `faults` of an offline verification of a receipt; never in a response of the service.',
      advice: 'The receipt proves nothing about what was given with it.',
      rows: codeRows(RECEIPT_FAULTS),
    },
  ],
};
