import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_PYTHON, PYTHON, PYTHON_ENV, WHY_NO_PYTHON } from '../kit/python.ts';

const VECTORS = join(
  process.env.TOUCHSTONE_CORPORA ?? resolve(import.meta.dirname, '../../../shared/corpora'),
  'status-list/vectors.json',
);

interface Encoding {
  readonly bits: number;
  readonly size: number;
  /** Values by index; all others are 0. */
  readonly status: Readonly<Record<string, number>>;
  readonly lst: string;
}

/** What the Python package finds in a list: how many entries, and all that are not 0. */
const SCRIPT = `import json, sys; from touchstone_certificate.status_list import decode_entries, entry_at
for one in json.load(open(sys.argv[1])):
    entries, reason = decode_entries(one["bits"], one["lst"])
    size = len(entries) * 8 // one["bits"]
    values = {str(i): v for i in range(size) for v in [entry_at(entries, one["bits"], i)] if v}
    print(json.dumps([reason, size, entry_at(entries, one["bits"], size), values]))`;

describe.skipIf(!existsSync(VECTORS) || NO_PYTHON !== null)(
  `the encodings of the draft, in the Python package${WHY_NO_PYTHON}`,
  () => {
    it('has exactly the draft’s entries, with 1, 2, 4 and 8 bits', () => {
      const encodings = JSON.parse(readFileSync(VECTORS, 'utf8')) as Encoding[];
      const { stdout, stderr } = spawnSync(PYTHON, ['-c', SCRIPT, VECTORS], {
        env: PYTHON_ENV,
        encoding: 'utf8',
      });
      expect(stderr).toBe('');
      const found = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
      const wanted = encodings.map(({ size, status }) => [
        'ok',
        size,
        null,
        Object.fromEntries(Object.entries(status).filter(([, value]) => value !== 0)),
      ]);
      expect(encodings.map(({ bits }) => bits)).toEqual([1, 2, 4, 8]);
      expect(found).toEqual(wanted);
    });
  },
);
