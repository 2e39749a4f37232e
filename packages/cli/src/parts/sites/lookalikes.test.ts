import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runCli } from '../../testing.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-lookalikes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, lines.join('\n'));
  return path;
}

const against = file('hosts', ['# ours', 'cupworks.example', '']);
const run = (lines: readonly string[], ...more: string[]) =>
  runCli(['lookalikes', '--hosts', file('names', lines), '--against', against, ...more]);

it('prints each name that resembles a host once, with how, and exits 2', async () => {
  const { out: stdout, code: exitCode } = await run([
    'cupworks-outlet.example',
    'unrelated.example',
    '*.cupworks-outlet.example',
    'cupwоrks.example',
  ]);
  expect(stdout).toMatch(/^cupworks-outlet\.example +cupworks\.example: added words\n/);
  expect(stdout.split('\n')).toHaveLength(3);
  expect(stdout).toContain('xn--');
  expect(exitCode).toBe(2);
});

it('reads the JSON of feeds in each of their forms, and prints JSON lines', async () => {
  const feeds = [
    { dns_names: ['*.cupwokrs.example'] },
    { all_domains: ['cupworkss.example', 7] },
    { data: { leaf_cert: { all_domains: ['cupworks.test'] } } },
    { data: null },
  ];
  const { out: stdout } = await run(
    [...feeds.map((feed) => JSON.stringify(feed)), '{"dns_names":'],
    '--json',
  );
  const found = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(found.map(({ name }) => name)).toEqual(['cupwokrs.example', 'cupworkss.example', 'cupworks.test']);
  expect(found[0].resembles).toEqual([{ host: 'cupworks.example', kinds: ['swapped_letters'] }]);
});

it('exits 0 if no name resembles a host, and does not fail by hostile lines', async () => {
  const { out: stdout, code: exitCode } = await run([
    '\u202e\u0000',
    '{',
    'x'.repeat(10_000),
    '192.0.2.1',
    '..',
    'cupworks.example',
  ]);
  expect([stdout, exitCode]).toEqual(['', 0]);
});

it('asks for hosts, says which line is none, and reads standard input once', async () => {
  const bad = await runCli(['lookalikes', '--hosts', against, '--against', file('bad', ['not a host'])]);
  expect([bad.code, bad.err]).toEqual([64, expect.stringContaining('“not a host” is no host name')]);
  const twice = await runCli(['lookalikes', '--hosts', '-', '--against', '-']);
  expect([twice.code, twice.err]).toEqual([64, expect.stringContaining('standard input')]);
});
