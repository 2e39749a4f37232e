import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { developmentChain } from '@touchstone/server';
import { beforeAll, expect, test } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import { runCli } from '../testing.ts';

const NOW = new Date('2026-11-22T10:00:00Z');

const folder = useFolder('trust');
let first: string;
let second: string;
beforeAll(async () => {
  [first = '', second = ''] = await Promise.all(
    ['first.pem', 'second.pem'].map(async (name) => {
      const path = join(folder, name);
      await writeFile(path, (await developmentChain(NOW)).certificateChainPem);
      return path;
    }),
  );
});

const update = (...args: string[]) =>
  runCli(['trust', 'update', ...args], {
    now: NOW,
    env: { TOUCHSTONE_DATA_DIR: folder },
    stdin: 'no list',
  });

test('a list is pinned with its date, and changes are reported by subject and validity', async () => {
  const pinned = await update(first, '--date', '2026-10-01');
  expect([pinned.code, pinned.err]).toEqual([0, '']);
  expect(pinned.out).toMatch(/^“first.pem” of 2026-10-01, 2 certificates \(there was none\)/);
  expect(pinned.out).toMatch(/Added\n {2}- .*\(valid 2026-11-22 to 2036-11-19\)/);
  const path = join(folder, 'trust', 'signers.pem');
  expect(await readFile(path, 'utf8')).toMatch(/^# Name: first.pem\n# Date: 2026-10-01\n/);

  const same = await update(first, '--date', '2026-10-01', '--check');
  expect([same.code, same.out]).toEqual([0, expect.stringContaining('The certificates are the same.')]);
  const other = await update(second, '--check', '--json');
  expect(other.code).toBe(1);
  expect(other.json()).toMatchObject({
    purpose: 'signers',
    isTrial: true,
    path,
    name: 'second.pem',
    date: '2026-11-22',
    before: { name: 'first.pem', date: '2026-10-01' },
    added: [{ validUntil: expect.any(String) }, {}],
    removed: [{ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) }, {}],
  });
  expect(await readFile(path, 'utf8')).toContain('first.pem');
  const replaced = await update(second);
  expect([replaced.code, replaced.out]).toEqual([0, expect.stringContaining('no longer trusted')]);
});

test('each purpose has a list of its own', async () => {
  expect((await update(first, '--for', 'time-stamps', '--name', 'Stamps')).code).toBe(0);
  expect(await readFile(join(folder, 'trust', 'time_stamps.pem'), 'utf8')).toContain('# Name: Stamps');
});

test.each([
  [['-', '--name', 'x'], /Standard input is not a list of PEM certificates: it holds no certificate/],
  [['-'], /give the list one with --name/],
  [['nowhere.pem'], /There is no file nowhere.pem/],
  [['--date', '2026-13-01', 'FIRST'], /must be a day/],
  [['--for', 'friends', 'FIRST'], /signers, legacy, time-stamps, identities/],
])('a usage error changes nothing, and says why: %j', async (args, why) => {
  const { code, err } = await update(...args.map((arg) => (arg === 'FIRST' ? first : arg)));
  expect([code, err]).toEqual([64, expect.stringMatching(why)]);
});
