import { defineConfig } from 'vitest/config';

/** Tests against real cases that lie outside the project; run by .ci/run. */
export default defineConfig({
  test: { include: ['test/corpus/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 120_000, maxWorkers: 2 },
});
