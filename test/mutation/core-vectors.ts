/**
 * The vectors through the core alone, with nothing started: what kills mutants of the verifier beside its own
 * tests (docs/measurements.md). `npm test` runs them through every arm, in test/scenarios/vectors.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { coreArm, offlineArm } from '../scenarios/arms/core.ts';
import { loadVectors } from '../support/vectors.ts';

const files = loadVectors();

describe.each([coreArm(), offlineArm()])('through $name', (arm) => {
  describe.each(files)('$file', ({ jwks, vectors }) => {
    it.each(vectors.filter((vector) => arm.cannot(vector) === null))('$id: $title', async (vector) => {
      const keys = jwks[vector.jwks];
      expect(await arm.run(vector, keys)).toEqual(arm.expected(vector, keys));
    });
  });
});
