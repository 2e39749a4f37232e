import { printable } from '@touchstone/certificate/text';

/** The codes of failed fetches, all caused by the page or its host. */
export type FetchFailureCode =
  | 'url_invalid'
  | 'scheme_blocked'
  | 'port_blocked'
  | 'address_blocked'
  | 'host_unknown'
  | 'dns_failed'
  | 'connection_refused'
  | 'connection_failed'
  | 'tls_failed'
  | 'timed_out'
  | 'redirect_invalid'
  | 'redirect_loop'
  | 'too_many_redirects'
  | 'response_malformed'
  | 'headers_too_large'
  | 'too_many_interim_responses'
  | 'http_status'
  | 'not_html'
  | 'too_large'
  | 'encoding_unsupported'
  | 'encoding_broken';

/** Why there is no page: a failure of the page, its host or the connection. */
export interface FailedFetch {
  readonly kind: 'failed';
  readonly code: FetchFailureCode;
  /** Details beyond the sentence of the code; may be empty. Text of the host is shortened and printable. */
  readonly detail: string;
  /** The address at which it failed. */
  readonly finalUrl: string;
  /** Status of the answer, if there was one. */
  readonly status?: number;
  readonly contentType?: string;
  /** Seconds of the host's `Retry-After`, without an upper limit. Only for fetches of bytes. */
  readonly retryAfter?: number;
  /** HTML with an unsuccessful status, which may be a password gate or a challenge. */
  readonly body?: Uint8Array;
}

/** Thrown within a fetch; the fetcher returns it as data. */
export class FetchFailure extends Error {
  readonly code: FetchFailureCode;
  readonly detail: string;

  constructor(code: FetchFailureCode, detail = '') {
    super(detail === '' ? code : `${code}: ${detail}`);
    this.name = 'FetchFailure';
    this.code = code;
    this.detail = printable(detail);
  }
}

/**
 * A local failure (no resolver, no route, no sockets), which says nothing about the page.
 *
 * @example
 * ```ts
 * import { FetchFault } from '@touchstone/fetch';
 *
 * new FetchFault('no name server answers', undefined) instanceof Error; // true
 * ```
 */
export class FetchFault extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'FetchFault';
  }
}

/** The `code` of a Node error, or the empty string. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
