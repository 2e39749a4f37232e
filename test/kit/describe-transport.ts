import { afterAll, describe, expect, it } from 'vitest';
import type { Transport } from '../scenarios/transports/transport.ts';
import { keysOf, loadVectors } from './vectors.ts';

/** Runs every public vector through a transport, but as many as it says that it does not support. */
export function describeTransport(transport: Transport, cannot: number): void {
  const files = loadVectors();
  describe(`the vectors through ${transport.name}`, () => {
    afterAll(() => transport.close());

    for (const { file, jwks, vectors } of files) {
      for (const vector of vectors.filter((each) => transport.cannot(each) === null)) {
        it(`${file} ${vector.id}: ${vector.title}`, async () => {
          const keys = keysOf(jwks, vector);
          expect(await transport.run(vector, keys)).toEqual(transport.expected(vector, keys));
        });
      }
    }

    it('are all run, except for the reasons that the transport gives', () => {
      const left = files.flatMap(({ vectors }) =>
        vectors.filter((vector) => transport.cannot(vector) !== null),
      );
      expect(left).toHaveLength(cannot);
    });
  });
}
