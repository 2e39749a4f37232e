import { IMAGE_FAILURES, type ImageFailureCode } from '@touchstone/contract/codes';
import { FetchFault } from '@touchstone/page/fetch';
import { ServiceError } from '../platform/errors.ts';
import type { OpenJob } from '../platform/jobs/job-queue.ts';
import { ImageTroubleError } from './failures.ts';
import { ImageUnreachable } from './fetch-image.ts';
import type { ImageTask } from './image-task.ts';
import type { FailedAttempt } from './record-finding.ts';

/** Seconds; an attempt is put off for this long at the most. */
export const MAX_RETRY_DELAY = 1_800;
/**
 * Seconds after which a look counts as failed that only something of ours kept from being made. That is hardly an outage
 * any more, but a host that is out of reach for good (of IPv6 alone, seen from IPv4): the merchant is to see it.
 */
const AWAY_FOR_GOOD = 86_400;

/** What an error says of the attempt that it ended, and what is to happen now. */
export function failedAttempt(
  error: unknown,
  job: OpenJob,
  task: Pick<ImageTask, 'awaySince'>,
  { now, retryDelay }: { readonly now: Date; readonly retryDelay: number },
): FailedAttempt {
  const at = now.toISOString();
  const away = whatIsAway(error);
  if (away !== null) {
    const since = task.awaySince ?? now;
    const seconds = (now.getTime() - since.getTime()) / 1000;
    const trouble = { code: away, detail: '', at, attempts: job.attempt - 1 };
    if (seconds > AWAY_FOR_GOOD) return { trouble, next: 'give_up' };
    // as long again as it has been away: the waits double, and nothing is counted
    const putOff = Math.min(Math.max(seconds, retryDelay), MAX_RETRY_DELAY);
    return { trouble: { ...trouble, since: since.toISOString() }, next: { putOff } };
  }
  const known = error instanceof ImageTroubleError;
  const code = known ? error.code : 'image_fault';
  const passing = error instanceof ImageUnreachable ? error.passing : IMAGE_FAILURES[code].isPassing;
  const detail = known ? error.detail.slice(0, 300) : '';
  const trouble = { code, detail, at, attempts: job.attempt };
  return { trouble, next: passing && !job.isLastAttempt ? 'attempt' : 'give_up' };
}

/** What the service stands on itself, and every image with it, is away; `null`: it is something else. */
function whatIsAway(error: unknown): ImageFailureCode | null {
  if (error instanceof FetchFault) return 'image_network_unavailable';
  const isStore = error instanceof ServiceError && error.code === 'blobs_unavailable';
  return isStore ? 'image_store_unavailable' : null;
}
