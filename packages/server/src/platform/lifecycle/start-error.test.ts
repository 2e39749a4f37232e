import { writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { readConfig } from '../../parts.ts';
import { startService } from '../../start/start-service.ts';
import { asFolderError, StartError } from './start-error.ts';

const folder = useFolder('start');
beforeAll(async () => {
  await writeFile(join(folder, 'file'), '');
});

const dataFolder = (path: string) => ({ path, name: 'data folder', setting: 'TOUCHSTONE_DATA_DIR' });

describe('a data folder that cannot be used', () => {
  const start = (dataDir: string, settings: Record<string, string> = {}) =>
    startService(
      readConfig({
        TOUCHSTONE_PORT: '0',
        TOUCHSTONE_DATA_DIR: dataDir,
        TOUCHSTONE_LOG_LEVEL: 'silent',
        ...settings,
      }),
    );
  /** The kernel makes no folders there, though a parent exists. */
  const underProc = platform() === 'linux' ? ['/proc/touchstone', '/proc/touchstone/below'] : [];

  it('is named with advice, and not reported as a fault of the program', async () => {
    for (const dataDir of [join(folder, 'file'), join(folder, 'file', 'below'), ...underProc]) {
      const refusal = await start(dataDir).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(StartError);
      expect(String(refusal)).toContain(`The data folder ${dataDir} cannot be used`);
      expect(String(refusal)).toContain('TOUCHSTONE_DATA_DIR');
    }
  });

  it('is named for the images too, before there is one', async () => {
    for (const blobs of [join(folder, 'file'), ...underProc]) {
      const refusal = await start(join(folder, 'data'), { TOUCHSTONE_BLOBS: blobs }).catch((error) => error);
      expect(refusal).toBeInstanceOf(StartError);
      expect(String(refusal)).toMatch(
        new RegExp(`folder of images ${blobs} cannot be used.*TOUCHSTONE_BLOBS`),
      );
    }
  });

  it('is not confused with a missing file elsewhere or an address that cannot be dialled', async () => {
    const fault = (more: object) => Object.assign(new Error('x'), { code: 'ENOENT', ...more });
    const elsewhere = fault({ path: '/elsewhere/binary', syscall: 'open' });
    const dialling = fault({ syscall: 'connect', address: join(folder, 'socket') });
    expect(await asFolderError(elsewhere, dataFolder(folder))).toBe(elsewhere);
    expect(await asFolderError(dialling, dataFolder(folder))).toBe(dialling);
  });

  it('may be a full disk, whose fault names no path', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
    expect(String(await asFolderError(full, dataFolder(folder)))).toContain('the disk is full');
  });
});

it('a namespace at an address where the service serves something else is refused, and both are named', async () => {
  const refusal = await startService(
    readConfig({
      TOUCHSTONE_PORT: '0',
      TOUCHSTONE_DATA_DIR: join(folder, 'namespace'),
      TOUCHSTONE_LOG_LEVEL: 'silent',
      TOUCHSTONE_BASE_URL: 'https://certificates.example',
      TOUCHSTONE_NAMESPACE_URL: 'https://certificates.example/docs#',
    }),
  ).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StartError);
  expect(String(refusal)).toContain('TOUCHSTONE_NAMESPACE_URL');
  expect(String(refusal)).toContain('/docs');
});
