import { codeRows, stepRows } from '../../code-table.ts';
import type { ContractPart } from '../../part.ts';
import { beginSweep, getSweep, listSweepPages } from './operations.ts';
import { SWEEP_CODES, SWEEP_RESULTS } from './results.ts';

export const sweepsPart: ContractPart = {
  name: 'sweeps',
  operations: [getSweep, beginSweep, listSweepPages],
  codes: [
    {
      title: 'Results of sweeps',
      intro: 'In `result` of a page that the service checks periodically, together with the next step.',
      advice: 'Do what the sentence says; the page is checked again automatically.',
      rows: stepRows(SWEEP_RESULTS),
    },
    {
      title: 'Codes of sweeps',
      intro: 'Before the colon in `reason` of such a page, in addition to those of page checks.',
      advice: 'Read it together with the result, which it explains.',
      rows: codeRows(SWEEP_CODES),
    },
  ],
};
