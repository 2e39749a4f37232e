import { REASONS } from '@touchstone/certificate/verify';
import { PAGE_CODES } from '@touchstone/page';
import { ERROR_CODES, type ErrorCode } from '../../errors.ts';
import { STATUS_OF } from '../problem.ts';

export interface CodeTable {
  readonly title: string;
  readonly intro: string;
  readonly rows: readonly CodeRow[];
}

export interface CodeRow {
  readonly code: string;
  readonly sentence: string;
  /** HTTP status, of faults. */
  readonly status?: number;
}

/** Every code that an answer of the service can carry, from the tables that the code itself uses. */
export function codeTables(): CodeTable[] {
  return [
    {
      title: 'Faults',
      intro: 'In `code` of a problem document, with this status.',
      rows: Object.entries(ERROR_CODES).map(([code, sentence]) => ({
        code,
        sentence,
        status: STATUS_OF[code as ErrorCode],
      })),
    },
    {
      title: 'Reasons of checks',
      intro: 'In `checkDetails`, and before the colon in `warnings` and `errors` of a verification result.',
      rows: rowsOf(REASONS),
    },
    {
      title: 'Codes of page checks',
      intro: 'Before the colon in `findings`, `warnings` and `errors` of a page check report.',
      rows: rowsOf(PAGE_CODES),
    },
  ];
}

function rowsOf(table: Readonly<Record<string, string>>): CodeRow[] {
  return Object.entries(table).map(([code, sentence]) => ({ code, sentence }));
}
