import { PROBLEM_MEDIA_TYPE, type Problem, STATUS_OF, TITLES } from '@touchstone/contract';
import type { RateLimitState, ServiceError } from '../errors.ts';

/** Seconds in `Retry-After` if a fault on our side states none. */
const DEFAULT_RETRY_AFTER = 5;

export interface ProblemAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
}

/** The answer for a fault. `baseUrl` is the service's own address, for the link in `type`. */
export function problemAnswer(
  error: Pick<ServiceError, 'code' | 'publicMessage' | 'retryAfter' | 'rateLimit' | 'members'>,
  context: { readonly baseUrl: string; readonly requestId: string },
): ProblemAnswer {
  const status = STATUS_OF[error.code];
  const headers: Record<string, string> = {
    'content-type': PROBLEM_MEDIA_TYPE,
    ...rateLimitHeaders(error.rateLimit),
  };
  // caches must not keep an absence or a failure
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

/** The fields of the IETF draft "RateLimit header fields for HTTP". */
export function rateLimitHeaders(state: RateLimitState | undefined): Record<string, string> {
  if (state === undefined) return {};
  const { limit, remaining, window, reset } = state;
  return {
    'ratelimit-policy': `"fresh";q=${limit};w=${window}`,
    ratelimit: `"fresh";r=${remaining};t=${Math.max(0, Math.ceil(reset))}`,
  };
}
