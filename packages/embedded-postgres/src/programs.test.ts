import { cp, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { useFolder } from '../../../test/kit/folder.ts';
import { ensureCluster } from './cluster.ts';
import { findPrograms } from './programs.ts';

const root = useFolder('account');
beforeAll(async () => {
  // mode 0700, like a clone in a home folder or a folder created by mktemp
});

it('creates a cluster with an installation, and in a folder, that nobody else may enter', async () => {
  const { args, file } = (await findPrograms('/')).command('postgres', []);
  const installed = [file, ...args].find((part) => part.endsWith('/postgres')) ?? '';
  await cp(join(dirname(installed), '..'), join(root, 'native'), { recursive: true });
  const bin = join(root, 'native', 'bin');
  const folder = join(root, 'data');
  await mkdir(folder);
  const programs = await findPrograms(folder, {
    initdb: join(bin, 'initdb'),
    postgres: join(bin, 'postgres'),
  });
  const { cluster } = await ensureCluster({ folder, name: 'shop', programs, durable: false });
  expect(cluster).toBe(join(folder, 'postgres'));
  // to read, never to write
  if (process.getuid?.() === 0)
    expect(programs.command('postgres', []).args).toContain('--bounding-set=-all,+dac_read_search');
});
