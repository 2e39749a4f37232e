import type { ErrorCode } from '@touchstone/contract';
import { FetchFault } from '@touchstone/fetch';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../platform/errors.ts';
import { failedAttempt, faultLevel } from './failed-attempt.ts';
import { ScanFailure } from './scan-error.ts';

const now = new Date('2026-11-22T12:00:00Z');
const POLICY = { attempts: 8, retryDelay: 10 };
const jobAt = (attempt: number) => ({ subject: 'image', owner: 'store', lease: 'mine', orders: 1, attempt });
const lastJob = jobAt(8);
const outage = (seconds?: number) =>
  failedAttempt(
    new FetchFault('The name servers cannot be reached.'),
    {
      job: lastJob,
      ...(seconds === undefined ? {} : { unreachableSince: new Date(now.getTime() - seconds * 1000) }),
    },
    now,
    POLICY,
  );

describe('an attempt during an outage of our own network', () => {
  it('is postponed without being counted, even the last one', () => {
    expect(outage()).toEqual({
      failure: {
        code: 'image_network_unavailable',
        detail: '',
        at: now.toISOString(),
        attempts: 7,
        since: now.toISOString(),
      },
      next: { postpone: 10 },
    });
  });

  it('waits as long again as the outage has lasted, at most half an hour', () => {
    expect([1, 40, 1_000, 7_200].map((seconds) => outage(seconds).next)).toEqual([
      { postpone: 10 },
      { postpone: 40 },
      { postpone: 1_000 },
      { postpone: 1_800 },
    ]);
  });

  it('is reported as failed after a day, and gets a day again when it is rescanned', () => {
    const { failure, next } = outage(86_401);
    expect(next).toBe('give_up');
    expect(failure).not.toHaveProperty('since');
  });
});

it('an attempt that could not store the bytes does not count, while any other fault of ours does', () => {
  const attempt = (code: ErrorCode) => failedAttempt(new ServiceError(code), { job: lastJob }, now, POLICY);
  expect(attempt('blobs_unavailable')).toMatchObject({
    failure: { code: 'image_store_unavailable', attempts: 7 },
    next: { postpone: 10 },
  });
  expect(attempt('database_unavailable')).toMatchObject({
    failure: { code: 'image_fault', attempts: 8 },
    next: 'give_up',
  });
});

describe('an attempt that the host of the image failed', () => {
  const next = (attempt: number, error = new ScanFailure('image_timed_out')) =>
    failedAttempt(error, { job: jobAt(attempt) }, now, POLICY).next;

  it('counts, is retried after twice the time, and the last one is final', () => {
    expect([1, 2, 3, 7, 8].map((attempt) => next(attempt))).toEqual([
      { retry: 10 },
      { retry: 20 },
      { retry: 40 },
      { retry: 640 },
      'give_up',
    ]);
  });

  it('is retried no sooner than the host asks, and after six hours at the latest', () => {
    const asked = (retryAfter: number) =>
      next(1, new ScanFailure('image_http_status', '429', { retryAfter }));
    // jobs come due up to a tenth early
    expect([0, 9, 90, 21_600, 900_000].map(asked)).toEqual([
      { retry: 10 },
      { retry: 10 },
      { retry: 100 },
      { retry: 24_000 },
      { retry: 24_000 },
    ]);
    const last = new ScanFailure('image_http_status', '429', { retryAfter: 60 });
    expect(next(8, last)).toBe('give_up');
  });

  it('is final at once if no retry can help', () => {
    expect(next(1, new ScanFailure('image_too_large'))).toBe('give_up');
    expect(next(1, new ScanFailure('image_http_status', '404', { isTransient: false }))).toBe('give_up');
  });
});

it('a fault that recovers by itself is logged as a warning, any other as an error', () => {
  const of = (cause: unknown) => faultLevel(new Error('An image could not be scanned.', { cause }));
  const database = (code: string) =>
    new ServiceError('database_unavailable', { cause: Object.assign(new Error(), { code }) });
  expect(of(new FetchFault('The name servers cannot be reached.'))).toBe('warn');
  expect(of(database('ECONNREFUSED'))).toBe('warn');
  expect(faultLevel(database('ECONNREFUSED'))).toBe('warn');
  expect(faultLevel(new Error('Connection terminated unexpectedly'))).toBe('warn');
  expect(of(database('53100'))).toBe('error');
  expect(of(new ServiceError('blobs_unavailable'))).toBe('error');
  expect(of(new TypeError('of ours'))).toBe('error');
});
