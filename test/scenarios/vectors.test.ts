import { describe, expect, it } from 'vitest';
import { loadVectors, type Vector } from '../support/vectors.ts';
import type { Arm } from './arms/arm.ts';
import { coreArm, offlineArm } from './arms/core.ts';

const files = loadVectors();
const arms: readonly Arm[] = [coreArm, offlineArm];

describe.each(arms)('through $name', (arm) => {
  describe.each(files)('$file', ({ jwks, vectors }) => {
    it.each(vectors.filter((vector) => arm.cannot(vector) === null))('$id: $title', async (vector) => {
      if (vector.kind === 'page') throw new Error('an arm that takes no pages was given one');
      const outcome = await arm.run(vector, jwks[vector.jwks]);
      expect(outcome).toEqual(arm.expected(vector));
    });
  });
});

describe('the vectors', () => {
  const all = files.flatMap(({ file, jwks, vectors }) => vectors.map((vector) => ({ file, jwks, vector })));

  it('have one id each and name a key set of their file', () => {
    const ids = all.map(({ vector }) => vector.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(all.filter(({ jwks, vector }) => !Object.hasOwn(jwks, vector.jwks))).toEqual([]);
  });

  it('hold no private key', () => {
    expect(JSON.stringify(files)).not.toMatch(/PRIVATE KEY|"(p|q|dp|dq|qi)":/);
  });

  it('are each run by the core', () => {
    const left: Vector[] = all
      .map(({ vector }) => vector)
      .filter((vector) => coreArm.cannot(vector) !== null);
    expect(left.filter(({ kind }) => kind !== 'page')).toEqual([]);
  });
});
