import { afterAll, describe, expect, it } from 'vitest';
import type { Arm } from '../scenarios/arms/arm.ts';
import { chromiumArm } from '../scenarios/arms/chromium.ts';
import { hasPython, pythonArm } from '../scenarios/arms/python.ts';
import { chromiumPath } from '../support/installed.ts';
import { loadVectors } from '../support/vectors.ts';

/** Arms that need more than Node and npm; .ci/run has all of it, elsewhere they are named as skipped. */
const ARMS: readonly {
  name: string;
  missing: string | null;
  open: () => Arm | Promise<Arm>;
  cannot: number;
}[] = [
  { name: 'python', missing: hasPython() ? null : 'there is no python3', open: pythonArm, cannot: 108 },
  {
    name: 'chromium',
    missing: chromiumPath() === null ? 'there is no Chromium' : null,
    open: chromiumArm,
    cannot: 0,
  },
];

const files = loadVectors();

for (const { name, missing, open, cannot } of ARMS) {
  if (missing !== null) it.skip(`through ${name} (skipped: ${missing})`);
  else describeArm(await open(), cannot);
}

function describeArm(arm: Arm, cannot: number): void {
  describe(`through ${arm.name}`, () => {
    afterAll(() => arm.close());

    for (const { file, jwks, vectors } of files) {
      for (const vector of vectors.filter((each) => arm.cannot(each) === null)) {
        it(`${file} ${vector.id}: ${vector.title}`, async () => {
          const keys = jwks[vector.jwks];
          expect(await arm.run(vector, keys)).toEqual(arm.expected(vector, keys));
        });
      }
    }

    it('are all run, but for the reasons that the arm gives', () => {
      const left = files.flatMap(({ vectors }) => vectors.filter((vector) => arm.cannot(vector) !== null));
      expect(left).toHaveLength(cannot);
    });
  });
}
