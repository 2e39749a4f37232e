import type { ErrorCode } from '@touchstone/contract';
import { FetchFault } from '@touchstone/page/fetch';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../platform/errors.ts';
import { failedAttempt } from './failed-attempt.ts';
import { ImageUnreachable } from './fetch-image.ts';

const now = new Date('2026-11-22T12:00:00Z');
const lastJob = { id: 'job', attempt: 8, isLastAttempt: true };
const away = (seconds?: number) =>
  failedAttempt(
    new FetchFault('The name servers cannot be reached.'),
    lastJob,
    seconds === undefined ? {} : { awaySince: new Date(now.getTime() - seconds * 1000) },
    { now, retryDelay: 10 },
  );

describe('an attempt that met a network of our own that is away', () => {
  it('is put off as if it had not been made, even the last one', () => {
    expect(away()).toEqual({
      trouble: {
        code: 'image_network_unavailable',
        detail: '',
        at: now.toISOString(),
        attempts: 7,
        since: now.toISOString(),
      },
      next: { putOff: 10 },
    });
  });

  it('waits as long again as it was away, half an hour at the most', () => {
    expect([1, 40, 1_000, 7_200].map((seconds) => away(seconds).next)).toEqual([
      { putOff: 10 },
      { putOff: 40 },
      { putOff: 1_000 },
      { putOff: 1_800 },
    ]);
  });

  it('is told as failed after a day, and begins a day of its own when looked at again', () => {
    const { trouble, next } = away(86_401);
    expect(next).toBe('give_up');
    expect(trouble).not.toHaveProperty('since');
  });
});

it('so is one that found no place for the bytes, while any other fault of ours counts', () => {
  const attempt = (code: ErrorCode) =>
    failedAttempt(new ServiceError(code), lastJob, {}, { now, retryDelay: 10 });
  expect(attempt('blobs_unavailable')).toMatchObject({
    trouble: { code: 'image_store_unavailable', attempts: 7 },
    next: { putOff: 10 },
  });
  expect(attempt('database_unavailable')).toMatchObject({
    trouble: { code: 'image_fault', attempts: 8 },
    next: 'give_up',
  });
});

it('an attempt that met a host in trouble counts, and the last one is the end', () => {
  const error = new ImageUnreachable('image_timed_out', '', true);
  const attempt = (job: typeof lastJob) => failedAttempt(error, job, {}, { now, retryDelay: 10 }).next;
  expect(attempt({ ...lastJob, attempt: 1, isLastAttempt: false })).toBe('attempt');
  expect(attempt(lastJob)).toBe('give_up');
});
