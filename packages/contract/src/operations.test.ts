import { expect, test } from 'vitest';
import * as contract from './index.ts';
import { OPERATIONS } from './operations.ts';

test('the list holds every operation that is defined, once', () => {
  const defined = (Object.values(contract) as unknown[]).filter(
    (value) => typeof value === 'object' && value !== null && 'replies' in value,
  );
  expect(new Set(OPERATIONS)).toEqual(new Set(defined));
  expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
  expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length);
});

test('every parameter of a path is described, and no other', () => {
  for (const { path, params } of OPERATIONS) {
    const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]);
    const shape = (params as { shape?: object } | undefined)?.shape ?? {};
    expect([path, Object.keys(shape)]).toEqual([path, inPath]);
  }
});

test('every fault of an operation has a sentence and a status', () => {
  for (const code of OPERATIONS.flatMap(({ errors }) => errors)) {
    expect(contract.ERROR_CODES[code]).toMatch(/^[A-Z].*\.$/);
    expect(contract.TITLES[contract.STATUS_OF[code]]).toBeDefined();
  }
});
