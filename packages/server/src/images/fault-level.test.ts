import { FetchFault } from '@touchstone/page/fetch';
import { expect, test } from 'vitest';
import { ServiceError } from '../platform/errors.ts';
import { faultLevel } from './fault-level.ts';

test('warns of what comes back by itself, and calls for somebody where it does not', () => {
  const of = (cause: unknown) => faultLevel(new Error('An image could not be looked at.', { cause }));
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
