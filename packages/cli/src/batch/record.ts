import type { PageVerdict } from '@touchstone/page';
import { EXIT_OF_VERDICT } from '../exit-codes.ts';
import { safeJsonLine } from '../output/safe-text.ts';
import { isRecord } from '../problem.ts';

/** Why there is no verdict on one page, while others go on. */
export const BATCH_ERRORS = {
  address_invalid: 'The line is no absolute http or https address.',
  request_refused: 'The service refuses to look at this address.',
  service_error: 'The service failed on this page.',
  network_unavailable: 'The network of this machine did not lead to the page.',
} as const;

export type BatchError = keyof typeof BATCH_ERRORS;

/** What became of a page: a verdict, or why there is none. */
export type Outcome = PageVerdict | BatchError;

/** One line of the results. */
export interface BatchRecord {
  /** Where the address stands in the list. */
  readonly line: number;
  readonly url: string;
  readonly verdict?: PageVerdict;
  /** What the service answered, or what was found here. */
  readonly report?: unknown;
  readonly error?: { readonly code: BatchError; readonly message: string };
}

/** Every line begins so, a torn one too. */
const BEGINNING = '{"line":';

export function lineOf(record: BatchRecord): string {
  const { line, ...rest } = record;
  return `${safeJsonLine({ line, ...rest })}\n`;
}

/** What a line of earlier results says; `null` when it is none. */
export function outcomeOfLine(text: string): { readonly url: string; readonly outcome: Outcome } | null {
  if (!text.startsWith(BEGINNING)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || typeof value.url !== 'string') return null;
  const told = value.verdict ?? (isRecord(value.error) ? value.error.code : undefined);
  return isOutcome(told) ? { url: value.url, outcome: told } : null;
}

/** Whether this can be the beginning of a line that was being written when the process ended. */
export function isTorn(text: string): boolean {
  return text.startsWith(BEGINNING) || BEGINNING.startsWith(text);
}

/** A page is looked at again only when it was our side, or the service's, that failed. */
export function isSettled(outcome: Outcome): boolean {
  return outcome !== 'service_error' && outcome !== 'network_unavailable';
}

function isOutcome(value: unknown): value is Outcome {
  return (
    typeof value === 'string' && (Object.hasOwn(EXIT_OF_VERDICT, value) || Object.hasOwn(BATCH_ERRORS, value))
  );
}
