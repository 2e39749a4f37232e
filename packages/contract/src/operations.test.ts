import { expect, test } from 'vitest';
import * as contract from './index.ts';
import { OPERATIONS } from './operations.ts';

test('the list contains every defined operation once', () => {
  const defined = (Object.values(contract) as unknown[]).filter(
    (value) => typeof value === 'object' && value !== null && 'replies' in value,
  );
  expect(new Set(OPERATIONS)).toEqual(new Set(defined));
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length);
});

test('every path parameter is described, and no other', () => {
  for (const { path, params } of OPERATIONS) {
    const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
    const shape = (params as { shape?: object } | undefined)?.shape ?? {};
    // whatever follows, as the router names it
    const rest = path.endsWith('/*') && '*' in shape ? ['*'] : [];
    expect([path, Object.keys(shape)]).toEqual([path, [...inPath, ...rest]]);
  }
});

test('every operation declares which query names it accepts, or that it accepts any', () => {
  for (const { id, query, anyQuery } of OPERATIONS) {
    if (query === undefined) continue;
    const unknown = query.safeParse({ certainlyUnknown: 'x' }).error?.issues ?? [];
    expect([id, unknown.map(({ code }) => code)]).toEqual([
      id,
      expect.arrayContaining(['unrecognized_keys']),
    ]);
    expect([id, anyQuery]).toEqual([id, undefined]);
  }
});

test('every fault of an operation has a sentence and a status', () => {
  for (const code of OPERATIONS.flatMap(({ errors }) => errors)) {
    expect(contract.ERROR_CODES[code]).toMatch(/^[A-Z].*\.$/);
    expect(contract.TITLES[contract.STATUS_OF[code]]).toBeDefined();
  }
});

test('nobody may store what a public operation that knows sessions answers', () => {
  const known = OPERATIONS.filter(({ knowsSession }) => knowsSession === true);
  expect(known.length).toBeGreaterThan(0);
  for (const { id, access, noStore, cacheControl } of known)
    expect([id, access, noStore, cacheControl]).toEqual([id, 'public', true, undefined]);
});
