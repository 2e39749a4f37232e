import { defineConfig } from 'vitest/config';

/** Long runs: kills, floods and generated requests; run by .ci/run, one file at a time. */
export default defineConfig({
  test: {
    include: ['test/torture/**/*.test.ts'],
    testTimeout: 900_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
