import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/kit/longest-first.ts';
import { PATIENCE, PATIENT } from './test/kit/patience.ts';

const EXTERNAL_DATA = 'test/corpus/**';
const STRESS = 'test/stress/**';
/** What compares times, or asks for all that this machine can do: nothing else may run beside it. */
const TIMED = [
  'answers-barrage',
  'event-loop',
  'hostile-catalogues',
  'images-hostile-service',
  'key-revocation',
  'overload',
  'requests-comparison',
  'requests-cost',
  'requests-slow',
  'rolling-upgrade',
  'transparency-log-kill',
  'verification-time',
  'withdrawals-kill',
  'withdrawals-large',
].map((name) => `test/stress/${name}.test.ts`);
const WORDPRESS = 'test/wordpress/**';
const PUBLISHING = 'test/publishing/**';
const PUBLISHED = 'test/published/**';
const WEB = 'test/web/**';
const GUIDES = 'test/guides/**';
const SDK = 'test/sdk/**';
/** Of the parts, and of all that is about them. */
const OF_PARTS = ['packages/*/src/parts/**', 'test/parts/**', 'test/scenarios/parts/**'];
/** Whole processes, with databases of their own, that are started, killed and started again. */
const PROCESSES = [
  '**/*.killed.test.ts',
  'packages/cli/src/built-service.test.ts',
  'packages/cli/src/entry.test.ts',
  'packages/embedded-postgres/src/index.test.ts',
  'packages/image/src/node/open-image-workers.test.ts',
  'packages/server/src/main.test.ts',
  'test/npm-start.test.ts',
  'test/pgbouncer.test.ts',
  'test/processes.test.ts',
  'test/monitoring.test.ts',
  'test/serve-signals.test.ts',
  'test/tracing.test.ts',
  'test/two-operators.test.ts',
];
/** What needs Chromium, beside the pages. */
const IN_CHROMIUM = ['test/images/in-a-browser.test.ts', 'test/examples/verify-in-browser.test.ts'];
/** `--sequence.shuffle.files`: in any order. The tests of one file may build on each other. */
const isShuffled = process.argv.some((word) => word.startsWith('--sequence.shuffle'));
/** Each is a folder. Importing the list would import the whole server, which took 10 s of each run of any test. */
const PARTS = readdirSync(join(import.meta.dirname, 'packages/server/src/parts'));

const UNIT = {
  globalSetup: ['packages/server/src/platform/database/testing-server.ts'],
  setupFiles: ['packages/server/src/platform/database/testing-statements.ts'],
  // modules keep no state of their own, so files may share them: importing took a fifth of the CPU time
  isolate: false,
  expect: { poll: PATIENT },
  ...PATIENCE,
};

/**
 * Twelve kinds of tests: `unit`, all of the core, which needs nothing but Node and npm (`npm test`); `parts`, the same of the parts; `core`,
 * the scenarios of the specification against a service without any part; `processes`, processes that are killed and started again; `sdk`, the verifiers in Go, PHP and
 * Python, where those are installed; `guides`, every command of every guide; `published`, our packages packed and
 * installed elsewhere; `corpus`, against real cases that lie outside the repository; `stress`, kills, floods and generated
 * requests; `web`, the pages for people in Chromium; `publishing`, certificates on pages: foreign runtimes, and weeks of shops;
 * `wordpress`, the WooCommerce plugin in WordPress, which needs PHP and `npm run tools:wordpress`. `stress-timed` are those of
 * the stress tests that run one file at a time.
 */
export default defineConfig({
  test: {
    // one more than cores: many tests do little but wait
    maxWorkers: 3,
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    // threads and processes of tests load the same modules hundreds of times
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/{src,test}/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
          exclude: [
            '**/node_modules/**',
            ...OF_PARTS,
            EXTERNAL_DATA,
            GUIDES,
            STRESS,
            PUBLISHED,
            PUBLISHING,
            SDK,
            WEB,
            WORDPRESS,
            ...PROCESSES,
            ...IN_CHROMIUM,
          ],
          ...UNIT,
        },
      },
      {
        test: {
          name: 'parts',
          include: OF_PARTS.map((folder) => `${folder}/*.test.{ts,tsx}`),
          exclude: PROCESSES,
          ...UNIT,
        },
      },
      {
        test: {
          name: 'core',
          include: ['test/scenarios/*.test.ts'],
          globalSetup: ['packages/server/src/platform/database/testing-server.ts'],
          env: { TOUCHSTONE_TEST_WITHOUT: PARTS.join(',') },
          isolate: false,
          expect: { poll: PATIENT },
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'processes',
          include: PROCESSES,
          globalSetup: ['packages/server/src/platform/database/testing-server.ts'],
          expect: { poll: PATIENT },
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'sdk',
          include: [`${SDK}/*.test.ts`],
          expect: { poll: PATIENT },
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'published',
          include: [`${PUBLISHED}/*.test.ts`],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: 'guides',
          include: [`${GUIDES}/*.test.ts`],
          // the guides name ports
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'corpus',
          include: [`${EXTERNAL_DATA}/*.test.ts`],
          expect: { poll: PATIENT },
          testTimeout: 600_000,
          hookTimeout: PATIENCE.hookTimeout,
        },
      },
      {
        test: {
          name: 'stress',
          include: [`${STRESS}/*.test.ts`],
          exclude: TIMED,
          expect: { poll: PATIENT },
          testTimeout: 900_000,
          hookTimeout: PATIENCE.hookTimeout,
        },
      },
      {
        test: {
          name: 'stress-timed',
          include: TIMED,
          globalSetup: ['packages/server/src/platform/database/testing-server.ts'],
          expect: { poll: PATIENT },
          testTimeout: 900_000,
          hookTimeout: PATIENCE.hookTimeout,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'web',
          include: [`${WEB}/*.test.ts`, ...IN_CHROMIUM],
          globalSetup: [
            'packages/server/src/platform/database/testing-server.ts',
            'test/web/support/build-pages.ts',
          ],
          expect: { poll: PATIENT },
          ...PATIENCE,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'publishing',
          include: ['test/publishing/**/*.test.ts'],
          globalSetup: ['packages/server/src/platform/database/testing-server.ts'],
          expect: { poll: PATIENT },
          testTimeout: 1_800_000,
          hookTimeout: PATIENCE.hookTimeout,
        },
      },
      {
        test: {
          name: 'wordpress',
          include: [`${WORDPRESS}/*.test.ts`],
          globalSetup: ['packages/server/src/platform/database/testing-server.ts'],
          expect: { poll: PATIENT },
          ...PATIENCE,
        },
      },
    ],
  },
});
