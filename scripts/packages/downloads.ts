import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Download, Downloads } from '@touchstone/contract';
import { buildPackages } from './build.ts';
import { packPackages } from './pack.ts';
import { releasedVersion } from './version.ts';
import { zipFolder } from './zip-folder.ts';

/**
 * Makes what merchants install into a folder: the files, under names that stay the same, and `downloads.json`, which lists them for the
 * service. Equal sources give equal bytes.
 *
 * @param built - folder of the built packages, where they are built already
 */
export function makeDownloads(target: string, built?: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'touchstone-downloads-'));
  return make(work, target, built).finally(() => rmSync(work, { recursive: true, force: true }));
}

const PACKAGES = ['cli', 'certificate', 'edge'] as const;

async function make(work: string, target: string, built = work): Promise<void> {
  const made = join(work, 'made');
  mkdirSync(made);
  if (built === work) await buildPackages(work, ['certificate', 'edge', 'cli']);
  packPackages(built, PACKAGES, work);
  const downloads: Downloads['downloads'] = [];
  const add = (id: Download, file: string, version: string) => {
    const bytes = readFileSync(join(made, file));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    downloads.push({ id, file, version, bytes: bytes.length, sha256 });
  };
  const version = releasedVersion();
  for (const [id, name] of ARCHIVES) {
    writeFileSync(join(made, `${name}.zip`), zipFolder(id));
    add(id, `${name}.zip`, version);
  }
  for (const name of PACKAGES) {
    renameSync(join(work, `touchstone-${name}-${version}.tgz`), join(made, `touchstone-${name}.tgz`));
    add(name, `touchstone-${name}.tgz`, version);
  }
  writeFileSync(join(made, 'downloads.json'), JSON.stringify({ downloads }));
  rmSync(target, { recursive: true, force: true });
  cpSync(made, target, { recursive: true });
}

const ARCHIVES = [
  ['woocommerce', 'touchstone-certificates'],
  ['shopify', 'touchstone-shopify'],
  ['guides', 'touchstone-guides'],
] as const;
