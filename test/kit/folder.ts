import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A temporary folder for the tests of this file or `describe` block, deleted after them. To be called while tests are collected. */
export function useFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `touchstone-${name}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
