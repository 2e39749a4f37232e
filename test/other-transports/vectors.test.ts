import { afterAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../kit/installed.ts';
import { NO_PYTHON } from '../kit/python.ts';
import { keysOf, loadVectors } from '../kit/vectors.ts';
import { chromiumTransport } from '../scenarios/transports/chromium.ts';
import { pythonTransport } from '../scenarios/transports/python.ts';
import type { Transport } from '../scenarios/transports/transport.ts';

/** Transports that need more than Node and npm; .ci/run has all of it, elsewhere they are reported as skipped. */
const TRANSPORTS: readonly {
  name: string;
  missing: string | null;
  open: () => Transport | Promise<Transport>;
  cannot: number;
}[] = [
  { name: 'python', missing: NO_PYTHON, open: pythonTransport, cannot: 29 },
  {
    name: 'chromium',
    missing: chromiumPath() === null ? 'there is no Chromium' : null,
    open: chromiumTransport,
    cannot: 0,
  },
];

const files = loadVectors();

for (const { name, missing, open, cannot } of TRANSPORTS) {
  if (missing !== null) it.skip(`through ${name} (skipped: ${missing})`);
  else describeTransport(await open(), cannot);
}

function describeTransport(transport: Transport, cannot: number): void {
  describe(`through ${transport.name}`, () => {
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
