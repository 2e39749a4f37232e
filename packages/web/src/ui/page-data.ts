import type { Problem } from '@touchstone/contract';

/** What the service writes into the document, so that a page needs no second request. */
export interface PageData<T> {
  /** The address of the service as certificates name it; pages call it by paths of their own origin. */
  readonly baseUrl: string;
  /** What older certificates name it; there on pages that stand for themselves. */
  readonly formerBaseUrls?: readonly string[];
  /** Path and query of what a program is answered at this address. */
  readonly address: string;
  /** What a program is answered here; absent where that is a fault, and of pages that stand for themselves. */
  readonly answer?: T;
  /** The fault that a program is answered; the list of what is wrong with the request, of a 422. */
  readonly problem?: Problem | { readonly status: 422; readonly detail: readonly unknown[] };
}

/** @throws where the document is none of the service's */
export function readPageData<T>(): PageData<T> {
  const text = document.getElementById('data')?.textContent;
  if (text === undefined || text === null) throw new Error('the document carries no data');
  return JSON.parse(text) as PageData<T>;
}
