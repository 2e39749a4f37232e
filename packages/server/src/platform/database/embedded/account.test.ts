import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';

let root: string;
beforeAll(async () => {
  // mode 0700, as a clone in a home folder or in a folder of mktemp
  root = await mkdtemp(join(tmpdir(), 'touchstone-account-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('makes a cluster with an installation, and in a folder, that nobody else may enter', async () => {
  const installed = await findBinaries();
  await cp(join(dirname(installed.postgres), '..'), join(root, 'native'), { recursive: true });
  const [initdb, postgres] = ['initdb', 'postgres'].map((name) => join(root, 'native', 'bin', name));
  const binaries = { initdb: initdb ?? '', postgres: postgres ?? '' };
  const dataDir = join(root, 'data');
  await mkdir(dataDir);
  const account = chooseAccount(binaries.postgres, dataDir);
  const { cluster } = await ensureCluster({ dataDir, binaries, account, durable: false });
  expect(cluster).toBe(join(dataDir, 'postgres'));
});
