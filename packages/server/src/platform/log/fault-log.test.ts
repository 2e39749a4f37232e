import { expect, test } from 'vitest';
import { ServiceError } from '../errors.ts';
import { createFaultLog, createFaultWarning } from './fault-log.ts';

const away = (image: string) =>
  new Error(`An image could not be looked at: ${image}`, { cause: new TypeError('no resolver') });

test('a fault of every image is one log line a minute with a count; another kind is reported at once', () => {
  let now = 0;
  const reported: [string, number][] = [];
  const onFault = createFaultLog(
    (fault, times) => reported.push([(fault as Error).message.slice(-1), times]),
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
  expect(reported).toEqual([
    ['a', 1],
    ['c', 1],
    ['e', 502],
  ]);
});

test('a database that was lost is no warning of everything that looks for work; other faults are', () => {
  const lines: string[] = [];
  const logger = { warn: () => lines.push('warn'), debug: () => lines.push('debug') };
  const onFault = createFaultWarning({ logger: logger as never, clock: () => new Date(0) }, 'no jobs');
  onFault(new ServiceError('database_unavailable', { cause: new Error('refused') }));
  onFault(new ServiceError('database_full'));
  expect(lines).toEqual(['debug', 'warn']);
});
