import { readFileSync } from 'node:fs';

/** Adds up the JSON reports of vitest and prints a summary in one line. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  /** Files that failed once and passed when they were run again, from ci-tests.ts. */
  readonly unstable?: readonly string[];
}

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
const sum = (count: (report: Report) => number) =>
  reports.reduce((total, report) => total + count(report), 0);
const skipped = sum(({ numPendingTests }) => numPendingTests);
const failed = sum(({ numFailedTests }) => numFailedTests);
for (const file of reports.flatMap(({ unstable = [] }) => unstable)) {
  console.log(`unstable: ${file} failed once and passed when it was run again; fix it`);
}
console.log(
  `${sum(({ numPassedTests }) => numPassedTests)} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
);
process.exitCode = failed === 0 ? 0 : 1;
