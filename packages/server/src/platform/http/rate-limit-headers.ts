import type { RateLimitState } from '../errors.ts';

/** The fields of the IETF draft "RateLimit header fields for HTTP". */
export function rateLimitHeaders(state: RateLimitState | undefined): Record<string, string> {
  if (state === undefined) return {};
  const { limit, remaining, window, reset } = state;
  return {
    'ratelimit-policy': `"fresh";q=${limit};w=${window}`,
    ratelimit: `"fresh";r=${remaining};t=${Math.max(0, Math.ceil(reset))}`,
  };
}
