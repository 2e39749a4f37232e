import { FetchFault } from '@touchstone/page/fetch';
import { expect, test } from 'vitest';
import { ServiceError } from './errors.ts';
import { createFaultLog, faultLevel } from './fault-log.ts';

const away = (image: string) =>
  new Error(`An image could not be looked at: ${image}`, { cause: new TypeError('no resolver') });

test('a fault of every image is one line a minute that counts them; another kind is told at once', () => {
  let now = 0;
  const told: [string, number][] = [];
  const onFault = createFaultLog(
    (fault, times) => told.push([(fault as Error).message.slice(-1), times]),
    () => new Date(now),
  );
  onFault(away('a'));
  for (let i = 0; i < 500; i++) onFault(away('b'));
  onFault(new RangeError('c'));
  now = 59_999;
  onFault(away('d'));
  now = 60_000;
  onFault(away('e'));
  onFault(away('f'));
  expect(told).toEqual([
    ['a', 1],
    ['c', 1],
    ['e', 502],
  ]);
});

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
