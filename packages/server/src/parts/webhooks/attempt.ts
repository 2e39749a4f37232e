import type { DeliveryFailureCode } from '@touchstone/contract/codes';
import type { ApiAnswer, ApiClient, FetchFailureCode } from '@touchstone/fetch';
import { Credential } from '@touchstone/fetch/credential';

/** The result of an attempt. */
export interface Attempt {
  /** Absent: the endpoint accepted the delivery. */
  readonly failure?: { readonly code: DeliveryFailureCode; readonly detail: string };
  /** Status of the response, if there was one. */
  readonly status?: number;
  /** Seconds that the endpoint asks to wait (`Retry-After`). */
  readonly retryAfter?: number;
}

/**
 * Posts one delivery. Failures of the endpoint are data.
 *
 * @throws FetchFault if this node's own network fails
 */
export async function attempt(
  client: ApiClient,
  url: string,
  sent: {
    readonly body: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
): Promise<Attempt> {
  const { body, headers, signal } = sent;
  const result = await client.request(url, {
    method: 'POST',
    body: Buffer.from(body),
    headers: { 'Content-Type': 'application/json' },
    // the signature, and an address that may contain a token
    credential: new Credential(url, headers),
    signal,
  });
  // only the status counts, even if the body is too large
  if (result.kind === 'failed' && isSuccess(result.status)) return { status: result.status };
  if (result.kind === 'failed') {
    return { failure: { code: CODE_OF[result.code] ?? 'endpoint_unreachable', detail: result.detail } };
  }
  const { status } = result;
  if (isSuccess(status)) return { status };
  return {
    status,
    retryAfter: retryAfterOf(result),
    failure: { code: codeOfStatus(status), detail: redirectIn(result) },
  };
}

const isSuccess = (status: number | undefined): status is number =>
  status !== undefined && status >= 200 && status <= 299;

/** Seconds, or a date (RFC 9110, section 10.2.3), which is compared with the endpoint's own clock. */
function retryAfterOf({ headers }: ApiAnswer): number {
  const stated = String(headers['retry-after'] ?? '').trim();
  if (/^\d{1,9}$/.test(stated)) return Number(stated);
  const seconds = (Date.parse(stated) - Date.parse(String(headers.date))) / 1_000;
  return seconds > 0 ? Math.ceil(seconds) : 0;
}

/** Where a redirect leads, which is not followed; empty for other answers. */
function redirectIn({ status, headers, finalUrl }: ApiAnswer): string {
  if (status < 300 || status > 399 || headers.location === undefined) return '';
  return `to ${URL.parse(String(headers.location), finalUrl)?.origin ?? 'an invalid address'}`;
}

function codeOfStatus(status: number): DeliveryFailureCode {
  if (status === 410) return 'endpoint_gone';
  return status >= 300 && status <= 399 ? 'delivery_redirected' : 'delivery_refused';
}

const CODE_OF: Readonly<Partial<Record<FetchFailureCode, DeliveryFailureCode>>> = {
  url_invalid: 'endpoint_unknown',
  host_unknown: 'endpoint_unknown',
  dns_failed: 'endpoint_unknown',
  scheme_blocked: 'endpoint_blocked',
  port_blocked: 'endpoint_blocked',
  address_blocked: 'endpoint_blocked',
  tls_failed: 'endpoint_tls_failed',
  timed_out: 'delivery_timed_out',
  response_malformed: 'delivery_malformed',
  too_large: 'delivery_malformed',
  encoding_unsupported: 'delivery_malformed',
  encoding_broken: 'delivery_malformed',
  headers_too_large: 'delivery_malformed',
  too_many_interim_responses: 'delivery_malformed',
};
