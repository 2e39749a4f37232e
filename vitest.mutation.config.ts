import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * What kills mutants of the verifier: the tests beside it, and the vectors through the core.
 *
 * Stryker works on a copy of the repository whose node_modules lead back to the original. So our own packages
 * are named by their place beside this file: else the vectors would judge the original, and every mutant would
 * outlive them.
 */
export default defineConfig({
  resolve: {
    alias: [
      { find: /^@touchstone\/certificate\/verify$/, replacement: source('certificate/src/verify/index.ts') },
      {
        find: /^@touchstone\/certificate\/binding$/,
        replacement: source('certificate/src/binding/index.ts'),
      },
      { find: /^@touchstone\/certificate$/, replacement: source('certificate/src/index.ts') },
      { find: /^@touchstone\/facts$/, replacement: source('facts/src/index.ts') },
      { find: /^@touchstone\/page\/document$/, replacement: source('page/src/document.ts') },
      { find: /^@touchstone\/page\/read$/, replacement: source('page/src/read/index.ts') },
      { find: /^@touchstone\/page\/verdict$/, replacement: source('page/src/verdict.ts') },
      { find: /^@touchstone\/page$/, replacement: source('page/src/index.ts') },
    ],
  },
  test: {
    include: ['packages/certificate/src/**/*.test.ts', 'test/mutation/core-vectors.ts'],
    // a mutant is killed by a test that sees it, not by one that was slow on a busy machine
    testTimeout: 60_000,
  },
});

function source(path: string): string {
  return join(import.meta.dirname, 'packages', path);
}
