import { IMAGE_FAILURES, type ImageFailureCode } from '@touchstone/contract/codes';
import { FetchFault } from '@touchstone/page/fetch';
import { isDatabaseFault } from '../platform/database/database-fault.ts';
import type { JobFailure } from '../platform/database/tables.ts';
import { ServiceError } from '../platform/errors.ts';
import { ScanFailure } from './scan-error.ts';
import type { ScanTask } from './scan-task.ts';

/** An attempt that came to nothing, and what is to happen now. */
export interface FailedAttempt {
  readonly failure: JobFailure;
  /** Tried again in so many seconds; begun anew as if it had never been made; or given up until the next recheck. */
  readonly next: { readonly retry: number } | { readonly postpone: number } | 'give_up';
}

export interface RetryPolicy {
  /** Attempts before an image counts as failed. */
  readonly attempts: number;
  /** Seconds before the second attempt; doubled each time. */
  readonly retryDelay: number;
}

/** Seconds; the next attempt is never further away, unless the host asks for it. */
const MAX_DELAY = 1_800;
/** Seconds; a host that asks for more is asked again after so many (RFC 9110 section 10.2.3). */
const MAX_RETRY_AFTER = 21_600;
/** Jobs come due up to a tenth early, which would be too early for a host that named a moment. */
const EARLIEST = 0.9;
/**
 * After so many seconds of failures on our side the scan counts as failed: that is hardly an outage any more, but a host
 * that cannot be reached from here for good (of IPv6 alone, seen from IPv4), and the merchant should see it.
 */
const UNREACHABLE_FOR_GOOD = 86_400;

/** What an error says of the attempt that it ended, and what is to happen now. */
export function failedAttempt(
  error: unknown,
  { job, unreachableSince }: Pick<ScanTask, 'job' | 'unreachableSince'>,
  now: Date,
  { attempts, retryDelay }: RetryPolicy,
): FailedAttempt {
  const at = now.toISOString();
  const ours = codeOfOutage(error);
  if (ours !== null) {
    const since = unreachableSince ?? now;
    const seconds = (now.getTime() - since.getTime()) / 1000;
    const failure = { code: ours, detail: '', at, attempts: job.attempt - 1 };
    if (seconds > UNREACHABLE_FOR_GOOD) return { failure, next: 'give_up' };
    // as long again as the outage has lasted: the waits double without being counted
    const postpone = Math.min(Math.max(seconds, retryDelay), MAX_DELAY);
    return { failure: { ...failure, since: since.toISOString() }, next: { postpone } };
  }
  const isKnown = error instanceof ScanFailure;
  const code = isKnown ? error.code : 'image_fault';
  const detail = isKnown ? error.detail.slice(0, 300) : '';
  const failure = { code, detail, at, attempts: job.attempt };
  const isPassing = isKnown ? error.isPassing : IMAGE_FAILURES[code].isPassing;
  if (!isPassing || job.attempt >= attempts) return { failure, next: 'give_up' };
  const delay = Math.min(retryDelay * 2 ** (job.attempt - 1), MAX_DELAY);
  const asked = isKnown ? Math.ceil(Math.min(error.retryAfter, MAX_RETRY_AFTER) / EARLIEST) : 0;
  return { failure, next: { retry: Math.max(delay, asked) } };
}

/** What every image depends on at the service's own side is not reachable; `null`: it is something else. */
function codeOfOutage(error: unknown): ImageFailureCode | null {
  if (error instanceof FetchFault) return 'image_network_unavailable';
  const isStore = error instanceof ServiceError && error.code === 'blobs_unavailable';
  return isStore ? 'image_store_unavailable' : null;
}

/** SQLSTATE disk_full (PostgreSQL manual, appendix A). */
const DISK_FULL = '53100';

/** A database or network that is not reachable comes back by itself; on a disk somebody has to make room. */
export function faultLevel(fault: unknown): 'warn' | 'error' {
  const causes: Error[] = [];
  for (let each = fault; each instanceof Error; each = each.cause) causes.push(each);
  if (causes.some((cause) => 'code' in cause && cause.code === DISK_FULL)) return 'error';
  return causes.some((cause) => cause instanceof FetchFault || isDatabaseFault(cause)) ? 'warn' : 'error';
}
