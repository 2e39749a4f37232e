import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MasterKeyError, openMasterKey } from './master-key.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'touchstone-master-'));
  path = join(folder, 'master.key');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const first = { keysPresent: false, mayCreate: true };

test('the first start creates 32 bytes that only the owner may read, and later starts find the same', async () => {
  const made = await openMasterKey({ path, ...first });
  expect(made).toHaveLength(32);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await openMasterKey({ path, keysPresent: true, mayCreate: true })).toEqual(made);
  expect(await readdir(folder)).toEqual(['master.key']);
});

test('concurrent starts end up with one key', async () => {
  const keys = await Promise.all(Array.from({ length: 8 }, () => openMasterKey({ path, ...first })));
  expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(1);
  expect(await readdir(folder)).toEqual(['master.key']);
});

test('if there are keys but no master key the start is refused, and says what to supply', async () => {
  const refused = openMasterKey({ path, keysPresent: true, mayCreate: true });
  await expect(refused).rejects.toThrow(MasterKeyError);
  await expect(refused).rejects.toThrow('TOUCHSTONE_MASTER_KEY_FILE');
  expect(await readdir(folder)).toEqual([]);
});

test('a file that the operator named is never created', async () => {
  const refused = openMasterKey({ path, keysPresent: false, mayCreate: false });
  await expect(refused).rejects.toThrow('openssl rand -hex 32');
  expect(await readdir(folder)).toEqual([]);
});

test.each(['raw', 'hex', 'base64'] as const)('a key encoded as %s is read', async (form) => {
  const key = randomBytes(32);
  await writeFile(path, form === 'raw' ? key : `${key.toString(form)}\n`, { mode: 0o600 });
  expect(await openMasterKey({ path, keysPresent: true, mayCreate: false })).toEqual(key);
});

test.each(['', 'too short', 'f'.repeat(63), randomBytes(33)])('%j is not a master key', async (content) => {
  await writeFile(path, content, { mode: 0o600 });
  await expect(openMasterKey({ path, ...first })).rejects.toThrow('32 bytes');
});

test('a key that others may read is refused, with the command that fixes it', async () => {
  await writeFile(path, randomBytes(32));
  await chmod(path, 0o644);
  await expect(openMasterKey({ path, ...first })).rejects.toThrow(`chmod 600 ${path}`);
});

test('a folder in its place is reported as unreadable', async () => {
  await expect(openMasterKey({ path: folder, ...first })).rejects.toThrow(MasterKeyError);
});
