import type { ErrorCode, ProblemMembers, ServiceError } from '../errors.ts';
import { rateLimitHeaders } from './rate-limit-headers.ts';

/**
 * The one place where a fault becomes an HTTP status. Exhaustive: a code without a row does not compile.
 */
export const STATUS_OF = {
  bad_request: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  request_headers_too_large: 431,
  request_timeout: 408,
  method_not_allowed: 405,
  route_unknown: 404,
  credentials_missing: 401,
  credentials_invalid: 401,
  forbidden: 403,
  merchant_unknown: 404,
  store_unknown: 404,
  domain_unknown_to_store: 404,
  api_key_unknown: 404,
  signing_key_unknown: 404,
  product_unknown: 404,
  asset_unknown: 404,
  asset_not_image: 415,
  image_unknown: 404,
  image_certificate_unknown: 404,
  certificate_paused: 402,
  proof_invalid: 422,
  domain_not_authorized: 403,
  domain_unverified: 412,
  field_differs: 403,
  field_unsupported: 422,
  field_value_missing: 422,
  page_check_unknown: 404,
  image_unhashed: 409,
  nft_chain_unknown: 422,
  nft_transaction_unknown: 422,
  nft_transaction_failed: 422,
  nft_contract_differs: 422,
  nft_token_unrecorded: 422,
  nft_image_differs: 422,
  nft_unconfirmed: 409,
  hostname_taken: 409,
  idempotency_key_in_use: 409,
  conflict: 409,
  idempotency_key_reused: 422,
  fresh_rate_limited: 429,
  fetch_budget_spent: 429,
  database_unavailable: 503,
  signer_unavailable: 503,
  keys_unavailable: 503,
  chain_unavailable: 503,
  blobs_unavailable: 503,
  network_unavailable: 503,
  not_ready: 503,
  shutting_down: 503,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

/** Reason phrases of RFC 9110 for the statuses above; `title` of a problem (RFC 9457 section 3.1.3). */
const TITLES: Readonly<Record<(typeof STATUS_OF)[ErrorCode], string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Seconds told in Retry-After where a fault of our own names none. */
const DEFAULT_RETRY_AFTER = 5;

/** RFC 9457, with `code` and `requestId` (decision 7), and what members the fault brings along. */
export interface Problem extends ProblemMembers {
  /** Link into the code page. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: ErrorCode;
  readonly requestId: string;
}

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
}

/** A fault as it is answered. `baseUrl` is the service's own address, for the link in `type`. */
export function problemAnswer(
  error: Pick<ServiceError, 'code' | 'publicMessage' | 'retryAfter' | 'rateLimit' | 'members'>,
  context: { readonly baseUrl: string; readonly requestId: string },
): ProblemAnswer {
  const status = STATUS_OF[error.code];
  const headers: Record<string, string> = {
    'content-type': PROBLEM_MEDIA_TYPE,
    ...rateLimitHeaders(error.rateLimit),
  };
  // decision 7: an absence or a trouble must not outlive itself in a cache
  if (isUncacheable(status)) headers['cache-control'] = 'no-store';
  const retryAfter = error.retryAfter ?? (status === 503 ? DEFAULT_RETRY_AFTER : undefined);
  if (retryAfter !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfter)));
  // RFC 9110 section 11.6.1: a 401 names the scheme that would be accepted
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="touchstone"';
  return {
    status,
    headers,
    body: {
      type: `${context.baseUrl}/docs/codes#${error.code}`,
      title: TITLES[status],
      status,
      detail: error.publicMessage,
      code: error.code,
      requestId: context.requestId,
      ...error.members,
    },
  };
}

function isUncacheable(status: number): boolean {
  return (
    status === 401 || status === 402 || status === 404 || status === 405 || status === 429 || status >= 500
  );
}
