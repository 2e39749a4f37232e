import { expect, it } from 'vitest';
import type { Route } from './route.ts';
import { createRouter } from './router.ts';

it('a path that two templates match has the operations of both', () => {
  const route = (method: string, path: string) => ({ method, path, id: `${method} ${path}` }) as Route;
  const router = createRouter([route('GET', '/checks/{id}'), route('POST', '/checks/batch')]);
  const at = (url: string) => router.operationsAt(url).map(({ id }) => id);
  expect(at('/checks/batch?x=1')).toEqual(['GET /checks/{id}', 'POST /checks/batch']);
  expect(at('/checks/7')).toEqual(['GET /checks/{id}']);
  expect(at('/checks')).toEqual([]);
});

it('the target * is no path, not even the root', () => {
  const router = createRouter([{ method: 'GET', path: '/', id: 'home' } as Route]);
  expect(router.operationsAt('/')).toHaveLength(1);
  expect(router.operationsAt('*')).toEqual([]);
});
