/**
 * Measures every speed goal, as a ratio of two alternating measurements: `npm run bench`, or some of them: `npm run bench -- get verify
 * --json figures.json`. docs/measurements.md describes each.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMet, line, type Row } from './kit/row.ts';
import type { Bench } from './kit/run.ts';
import { catalogueSize } from './rows/catalogue-size.ts';
import { edge } from './rows/edge.ts';
import { facts } from './rows/facts.ts';
import { get } from './rows/get.ts';
import { idle } from './rows/idle.ts';
import { importing } from './rows/import.ts';
import { issuing } from './rows/issuing.ts';
import { issuingAhead } from './rows/issuing-ahead.ts';
import { issuingLogged } from './rows/issuing-logged.ts';
import { mcp } from './rows/mcp.ts';
import { pageChecks } from './rows/page-checks.ts';
import { pages } from './rows/pages.ts';
import { peers } from './rows/peers.ts';
import { processes } from './rows/processes.ts';
import { start } from './rows/start.ts';
import { verify, verifyHttp } from './rows/verify.ts';

const BENCHES: Readonly<Record<string, Bench>> = {
  issuing,
  get,
  'verify-http': verifyHttp,
  verify,
  mcp,
  'page-checks': pageChecks,
  pages,
  processes,
  peers,
  import: importing,
  'catalogue-size': catalogueSize,
  edge,
  facts,
  start,
  idle,
  'issuing-ahead': issuingAhead,
  'issuing-logged': issuingLogged,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`No bench is called ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.`);
  process.exit(2);
}
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const begun = performance.now();
const rows: (Row & { readonly bench: string })[] = [];
const failures: { readonly bench: string; readonly error: string }[] = [];
for (const [index, name] of names.entries()) {
  const tell = (what: string) =>
    console.error(`[${index + 1}/${names.length}] ${elapsed()} ${name}: ${what}`);
  tell('begins');
  try {
    for (const row of await runOne(BENCHES[name] as Bench, tell)) {
      rows.push({ bench: name, ...row });
      tell(line(row).replace(/ {2,}/g, '  '));
    }
  } catch (error) {
    failures.push({ bench: name, error: String(error) });
    console.error(error);
  }
}
console.log(
  `\nRatios: the median of the rounds, and where half of them lay (${cpus().length} cores, ${elapsed()})\n`,
);
for (const row of rows) console.log(line(row));
for (const { bench, error } of failures) console.log(`${bench} could not be measured: ${error}`);
if (values.json !== undefined) {
  const told = rows.map((row) => ({ ...row, met: isMet(row) }));
  const machine = { cores: cpus().length, model: cpus()[0]?.model, node: process.version };
  await writeFile(values.json, `${JSON.stringify({ machine, rows: told, failures }, null, 2)}\n`);
}
// a missed goal is no failure; only a failed measurement is
process.exitCode = failures.length > 0 ? 1 : 0;

async function runOne(bench: Bench, tell: (what: string) => void): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'touchstone-bench-'));
  const closers: (() => Promise<unknown>)[] = [];
  try {
    return await bench({ folder, tell, onEnd: (close) => void closers.push(close) });
  } finally {
    for (const close of closers.toReversed()) {
      await close().catch((error: unknown) => console.error(error));
    }
    await rm(folder, { recursive: true, force: true });
  }
}

function elapsed(): string {
  const seconds = Math.round((performance.now() - begun) / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
