import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longer than a fifth of their run, the longest first. A run ends with its longest file, and in a fresh checkout no
 * durations are known: vitest then starts with the largest files, and with those of the project that is first by name.
 */
const LONG = [
  'test/publishing/thirty-days/thirty-days.test.ts',
  'test/stress/images-kill.test.ts',
  'test/stress/reading-time.test.ts',
  'test/stress/batch.test.ts',
  'test/stress/kill.test.ts',
  'test/scenarios/parts/shopify.test.ts',
];

/** Starts with the long files, then in vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- of vitest, and no array's
    const sorted = await super.sort(files);
    const place = ({ moduleId }: TestSpecification) => {
      const nth = LONG.findIndex((path) => moduleId.endsWith(path));
      return nth === -1 ? LONG.length : nth;
    };
    return sorted.toSorted((a, b) => place(a) - place(b));
  }
}
