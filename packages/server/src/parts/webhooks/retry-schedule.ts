const MINUTE = 60;
const HOUR = 3_600;

/** Seconds before the second attempt, the third and so on: more than three days in total. The queue adds a tenth of jitter. */
const DELAYS: readonly number[] = [
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

/** Seconds that an endpoint may ask for at most (`Retry-After`, RFC 9110, section 10.2.3). */
const MAX_RETRY_AFTER = 24 * HOUR;
/** The queue may run a job a tenth early, which would be too early for an endpoint that stated a time. */
const EARLIEST = 0.9;

/**
 * Seconds until the next attempt; `null`: there is none.
 *
 * @param attempts - number of attempts since the delivery or its replay was requested
 * @param retryAfter - seconds of the endpoint's `Retry-After`
 */
export function nextAttempt(attempts: number, retryAfter = 0): number | null {
  const wait = DELAYS[attempts - 1];
  if (wait === undefined) return null;
  return Math.max(wait, Math.ceil(Math.min(retryAfter, MAX_RETRY_AFTER) / EARLIEST));
}
