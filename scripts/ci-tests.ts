/**
 * Runs projects of tests for CI: `node scripts/ci-tests.ts <project>[,<project>…] <report.json>`. Up to three failed files are run once
 * more, alone: those that then pass are reported as unstable, without failing the run. Everything else fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string }[];
  }[];
}

const MOST_RUN_AGAIN = 3;
const [names = '', file = ''] = process.argv.slice(2);
const projects = names.split(',').map((name) => `--project=${name}`);

const first = run([]);
if (first.code !== 0) process.exitCode = runAgain(first.report);

function run(files: readonly string[]): { code: number; report: Report | undefined } {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const args = ['node_modules/vitest/vitest.mjs', 'run', ...projects, ...reporters, ...files];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
  return { code: status ?? 1, report };
}

function runAgain(report: Report | undefined): number {
  const failed = report?.testResults.filter(({ status }) => status === 'failed') ?? [];
  // without a failed file, vitest itself was aborted, or an error occurred outside of tests
  if (report === undefined || failed.length === 0 || failed.length > MOST_RUN_AGAIN) return 1;
  const files = failed.map(({ name }) => relative('.', name));
  console.log(`\nFailed, and run once more alone: ${files.join(', ')}\n`);
  const again = run(files);
  if (again.code !== 0 || again.report === undefined) return 1;
  const counted = (which: string) =>
    failed.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === which)
      .length;
  const merged = {
    numPassedTests: report.numPassedTests - counted('passed') + again.report.numPassedTests,
    numFailedTests: again.report.numFailedTests,
    numPendingTests: report.numPendingTests,
    unstable: files,
  };
  writeFileSync(file, JSON.stringify(merged));
  return 0;
}
