import { CANNOT_VERIFY } from '@touchstone/certificate';
import { PROFILE_REASONS, REASONS } from '@touchstone/certificate/verify';
import { ERROR_CODES, type ErrorCode, STATUS_OF } from '@touchstone/contract';
import { PAGE_CODES } from '@touchstone/page';
import { IMAGE_FAILURES } from '../images/failures.ts';
import { TOOL_CODES } from '../tools/codes.ts';

export interface CodeTable {
  readonly title: string;
  readonly intro: string;
  /** What to do about its codes, in general. */
  readonly advice: string;
  readonly rows: readonly CodeRow[];
}

export interface CodeRow {
  readonly code: string;
  readonly sentence: string;
  /** HTTP status, of faults. */
  readonly status?: number;
}

/** Every code that the service or the offline SDK can give, from the tables that the code itself uses. */
export function codeTables(): CodeTable[] {
  return [
    {
      title: 'Faults',
      intro:
        'In `code` of a problem document, with this status, and of a fault that a companion tool tells. Those of ' +
        'image-keyed verification stand in `warnings` and `errors` of its result too. Those with 429 or 5xx pass by ' +
        'themselves: ask again as `Retry-After` says. For all others:',
      advice: 'Change what is asked for: the same again is answered the same.',
      rows: Object.entries(ERROR_CODES).map(([code, sentence]) => ({
        code,
        sentence,
        status: STATUS_OF[code as ErrorCode],
      })),
    },
    {
      title: 'Reasons of checks',
      intro: 'In `checkDetails`, and before the colon in `warnings` and `errors` of a verification result.',
      advice:
        'Among the errors it is why the verdict is not "verified": do not rely on the page. Among the warnings it advises.',
      rows: rowsOf(REASONS),
    },
    {
      title: 'Reasons of profiles',
      intro:
        'In `checks`, `warnings` and `errors` of an offline verification by profiles, beside those above.',
      advice: 'Among the errors it is why a profile is not "trusted". Among the warnings it advises.',
      rows: rowsOf(PROFILE_REASONS),
    },
    {
      title: 'Codes of page checks',
      intro: 'Before the colon in `findings`, `warnings` and `errors` of a page check report.',
      advice: 'Read it beside the verdict, which it explains; by itself it decides nothing.',
      rows: rowsOf(PAGE_CODES),
    },
    {
      title: 'Codes of the companion tools',
      intro: 'In `error.code` of what a companion tool answers, beside the faults above.',
      advice: 'Change the call of the tool, or the address of the service that it asks.',
      rows: rowsOf(TOOL_CODES),
    },
    {
      title: 'Troubles with images',
      intro: 'In `code` of a failed image of a store, with the next step beside it.',
      advice: 'Do what the sentence says, then have the image looked at again.',
      rows: Object.entries(IMAGE_FAILURES).map(([code, { sentence, nextStep }]) => ({
        code,
        sentence: `${sentence} ${nextStep}`,
      })),
    },
    {
      title: 'When the offline SDK can say nothing',
      intro: 'In `code` of a `CannotVerifyError`; never in an answer of the service.',
      advice: 'Nothing is known of the certificate: mend what is named, and ask again.',
      rows: rowsOf(CANNOT_VERIFY),
    },
  ];
}

function rowsOf(table: Readonly<Record<string, string>>): CodeRow[] {
  return Object.entries(table).map(([code, sentence]) => ({ code, sentence }));
}
