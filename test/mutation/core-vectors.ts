/**
 * The vectors on the core only, without a service: they kill mutants of the verifier in addition to its own tests (docs/measurements.md).
 * `npm test` runs them through every transport, in test/scenarios/vectors.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { keysOf, loadVectors } from '../kit/vectors.ts';
import { coreTransport, offlineTransport } from '../scenarios/transports/core.ts';

const files = loadVectors();

describe.each([coreTransport(), offlineTransport()])('through $name', (transport) => {
  describe.each(files)('$file', ({ jwks, vectors }) => {
    it.each(vectors.filter((vector) => transport.cannot(vector) === null))('$id: $title', async (vector) => {
      const keys = keysOf(jwks, vector);
      expect(await transport.run(vector, keys)).toEqual(transport.expected(vector, keys));
    });
  });
});
