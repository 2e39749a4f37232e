import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../kit/imports.ts';
import { keysOf, type Vector, writtenOut } from '../kit/vectors.ts';
import { coreTransport } from '../scenarios/transports/core.ts';

/** Like the vectors, but never generated again, and only with the expected verdict: reasons may improve. */
interface Kept {
  readonly jwks: Readonly<Record<string, unknown>>;
  readonly vectors: readonly Vector[];
}

const core = coreTransport();

/** A new file for each release that changes what is issued; a verdict here changes only on purpose, with a reason. */
describe.each(['unbound-members.json'])(
  'certificates of earlier releases keep their verdicts: %s',
  (file) => {
    const { jwks, vectors } = JSON.parse(readFileSync(join(ROOT, 'test/regression', file), 'utf8')) as Kept;

    it.each(vectors.map((vector) => writtenOut(vector) as Vector))('$id: $title', async (vector) => {
      const asked = { ...vector, expect: { findings: [], notFindings: [], ...vector.expect } } as Vector;
      expect(await core.run(asked, keysOf(jwks, vector))).toMatchObject(vector.expect);
    });
  },
);
