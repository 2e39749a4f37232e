import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../parts.ts';
import { unprivilegedAccount } from './unprivileged.ts';

test.skipIf(process.getuid?.() !== 0)(
  'processes that are started by root can write blobs, also where no image is certified (skipped: not root)',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'touchstone-account-'));
    try {
      const settings = { TOUCHSTONE_DATA_DIR: dataDir, TOUCHSTONE_IMAGE_CONCURRENT: '0' };
      const account = await unprivilegedAccount(
        readConfig(settings),
        new URL('./process.ts', import.meta.url),
      );
      // status lists and the transparency log lie there
      const { uid } = await stat(join(dataDir, 'blobs'));
      expect([uid === 0, uid]).toEqual([false, account?.uid]);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
