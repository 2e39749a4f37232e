import { readFileSync } from 'node:fs';

/** Adds up the JSON reports of vitest and prints a summary in one line. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
const sum = (count: (report: Report) => number) =>
  reports.reduce((total, report) => total + count(report), 0);
const skipped = sum(({ numPendingTests }) => numPendingTests);
const failed = sum(({ numFailedTests }) => numFailedTests);
console.log(
  `${sum(({ numPassedTests }) => numPassedTests)} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
);
process.exitCode = failed === 0 ? 0 : 1;
