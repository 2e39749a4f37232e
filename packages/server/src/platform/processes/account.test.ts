import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { useFolder } from '../../../../../test/kit/folder.ts';
import { accountFor } from './account.ts';

const entry = new URL('./account.ts', import.meta.url);
const isRoot = process.getuid?.() === 0;
/** False if this checkout is in a folder that only root can read: then the capability to read is always kept. */
const mayReadCheckout = isRoot && !accountFor({ entry, enters: [], reads: [], writes: [] }).readsAll;

describe.runIf(mayReadCheckout)('a service that root starts keeps only the rights that it needs', () => {
  const folder = useFolder('account');
  const readsAll = (paths: { enters?: string[]; reads?: string[] }) =>
    accountFor({ entry, enters: [], reads: [], writes: [], ...paths }).readsAll;

  beforeAll(async () => {
    await writeFile(join(folder, 'open.pem'), '', { mode: 0o644 });
    await writeFile(join(folder, 'secret.pem'), '', { mode: 0o600 });
    // as the data folder: to be entered by all, listed by its owner
    await chmod(folder, 0o711);
  });

  test('none, if the data folder can be entered and the files in it read', () => {
    expect(readsAll({ enters: [folder], reads: [join(folder, 'open.pem')] })).toBe(false);
  });

  test('the right to read, if only root can read a file', () => {
    expect(readsAll({ enters: [folder], reads: [join(folder, 'secret.pem')] })).toBe(true);
  });

  test('the right to read, if only root can read a folder that is listed', () => {
    expect(readsAll({ reads: [folder] })).toBe(true);
  });
});
