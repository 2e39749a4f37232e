const MINUTE = 60;
const HOUR = 3_600;

/** Seconds before the second attempt, the third and so on: over three days in all. The queue adds a tenth of jitter. */
const WAITS: readonly number[] = [
  5,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Seconds; an endpoint that asks for more is asked again after so many (RFC 9110 section 10.2.3). */
const MAX_RETRY_AFTER = 24 * HOUR;
/** Jobs come due up to a tenth early, which would be too early for an endpoint that named a moment. */
const EARLIEST = 0.9;

/**
 * Seconds to the next attempt; `null`: it is given up.
 *
 * @param attempts - made so far, since the delivery or its replay was asked for
 * @param retryAfter - seconds for which the endpoint asks to be left alone
 */
export function nextAttempt(attempts: number, retryAfter = 0): number | null {
  const wait = WAITS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait, Math.ceil(Math.min(retryAfter, MAX_RETRY_AFTER) / EARLIEST));
}
