import type { Problem } from '@touchstone/contract';

/** Data that the service writes into the document, so that a page needs no second request. */
export interface PageData<T> {
  /** The service's address in certificates; pages call it by paths on their own origin. */
  readonly baseUrl: string;
  /** The service's addresses in older certificates; only on the offline verifier. */
  readonly formerBaseUrls?: readonly string[];
  /** The parts that the service runs without. */
  readonly without?: readonly string[];
  /** Path and query of the JSON response at this address. */
  readonly address: string;
  /** The JSON response at this address; absent for errors, and on pages without a response. */
  readonly answer?: T;
  /** The error response at this address; for a 422, the list of validation errors. */
  readonly problem?: Problem | { readonly status: 422; readonly detail: readonly unknown[] };
}

/** @throws if the document is not one of the service's */
export function readPageData<T = unknown>(): PageData<T> {
  const text = document.getElementById('data')?.textContent;
  if (text === undefined || text === null) throw new Error('the document carries no data');
  return JSON.parse(text) as PageData<T>;
}

/** Whether the service has this part: it answers no call of one that it runs without. */
export function hasPart(name: string): boolean {
  return readPageData().without?.includes(name) !== true;
}
