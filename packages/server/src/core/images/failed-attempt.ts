import { IMAGE_FAILURES, type ImageFailureCode } from '@touchstone/contract/codes';
import { FetchFault } from '@touchstone/fetch';
import type { JobFailure } from '../../platform/database/column-types.ts';
import { isDatabaseFault } from '../../platform/database/database-fault.ts';
import { ServiceError } from '../../platform/errors.ts';
import { ScanFailure } from './scan-error.ts';
import type { ScanTask } from './scan-task.ts';

/** A failed attempt, and what happens next. */
export interface FailedAttempt {
  readonly failure: JobFailure;
  /** `retry`: seconds until the next attempt; `postpone`: the same, without counting this one; `give_up`: until the next recheck. */
  readonly next: { readonly retry: number } | { readonly postpone: number } | 'give_up';
}

export interface RetryPolicy {
  /** Attempts before an image counts as failed. */
  readonly attempts: number;
  /** Seconds before the second attempt; doubled each time. */
  readonly retryDelay: number;
}

/** Seconds until the next attempt at most, unless the host asks for more. */
const MAX_DELAY = 1_800;
/** Seconds that a host may ask for at most (`Retry-After`, RFC 9110, section 10.2.3). */
const MAX_RETRY_AFTER = 21_600;
/** The queue may run a job a tenth early, which would be too early for a host that stated a time. */
const EARLIEST = 0.9;
/**
 * Seconds of failures on our side after which the scan counts as failed: this is hardly an outage, but a host that can never be
 * reached from here (such as an IPv6-only host from an IPv4 network), and the merchant should know.
 */
const MAX_OUTAGE = 86_400;

/** The failure to record for an error, and what happens next. */
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
    if (seconds > MAX_OUTAGE) return { failure, next: 'give_up' };
    // the delay is the duration of the outage so far, so that delays double although attempts are not counted
    const postpone = Math.min(Math.max(seconds, retryDelay), MAX_DELAY);
    return { failure: { ...failure, since: since.toISOString() }, next: { postpone } };
  }
  const isKnown = error instanceof ScanFailure;
  const code = isKnown ? error.code : 'image_fault';
  const detail = isKnown ? error.detail.slice(0, 300) : '';
  const failure = { code, detail, at, attempts: job.attempt };
  const isTransient = isKnown ? error.isTransient : IMAGE_FAILURES[code].isTransient;
  if (!isTransient || job.attempt >= attempts) return { failure, next: 'give_up' };
  const delay = Math.min(retryDelay * 2 ** (job.attempt - 1), MAX_DELAY);
  const asked = isKnown ? Math.ceil(Math.min(error.retryAfter, MAX_RETRY_AFTER) / EARLIEST) : 0;
  return { failure, next: { retry: Math.max(delay, asked) } };
}

/** The code for an outage of our own network or blob store; `null`: the error is something else. */
function codeOfOutage(error: unknown): ImageFailureCode | null {
  if (error instanceof FetchFault) return 'image_network_unavailable';
  const isStore = error instanceof ServiceError && error.code === 'blobs_unavailable';
  return isStore ? 'image_store_unavailable' : null;
}

/** SQLSTATE disk_full (PostgreSQL manual, appendix A). */
const DISK_FULL = '53100';

/** A warning for outages of database and network, which end by themselves; an error for what needs action, such as a full disk. */
export function faultLevel(fault: unknown): 'warn' | 'error' {
  const causes: Error[] = [];
  for (let each = fault; each instanceof Error; each = each.cause) causes.push(each);
  if (causes.some((cause) => 'code' in cause && cause.code === DISK_FULL)) return 'error';
  return causes.some((cause) => cause instanceof FetchFault || isDatabaseFault(cause)) ? 'warn' : 'error';
}
