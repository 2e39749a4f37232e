import type { Operation } from '@touchstone/contract';
import { expect, it } from 'vitest';
import { createPathIndex } from './unrouted.ts';

it('a path that two templates match has the methods of both', () => {
  const row = (method: string, path: string) => ({ method, path }) as Operation;
  const find = createPathIndex([row('GET', '/checks/{id}'), row('POST', '/checks/batch')]);
  expect(find('/checks/batch?x=1')?.allow).toBe('GET, POST, HEAD, OPTIONS');
  expect(find('/checks/7')?.allow).toBe('GET, HEAD, OPTIONS');
  expect(find('/checks')).toBeNull();
});
