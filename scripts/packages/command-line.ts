import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import type { Manifest } from './manifest.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** What has files beside its own, and is not contained in the bundle. */
const DEPENDENCIES = ['@contentauth/c2pa-wasm'];

/**
 * Bundles the command line into `dist` of a folder, with all that it runs: installed without a registry it needs no other package of ours,
 * and a fifth of the space. It contains no types, since no program imports it.
 *
 * @returns the members of its manifest that differ from those of the workspace
 */
export async function bundleCommandLine(folder: string): Promise<Pick<Manifest, 'exports' | 'dependencies'>> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      index: 'packages/cli/src/index.ts',
      'process-main': 'packages/image/src/node/process-main.ts',
      'watchdog-main': 'packages/image/src/node/watchdog-main.ts',
    },
    outdir: join(folder, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['@touchstone/server', ...DEPENDENCIES, 'sharp', 'heic-decode'],
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  // read beside the module, which is in `dist` now
  cpSync(join(ROOT, 'packages/cli/src/demo/pictures'), join(folder, 'dist/pictures'), { recursive: true });
  writeFileSync(join(folder, 'LICENSES'), licensesOf(Object.keys(metafile.inputs)));
  const { dependencies = {} } = manifestIn('packages/image');
  return {
    exports: {},
    dependencies: Object.fromEntries(DEPENDENCIES.map((name) => [name, dependencies[name] ?? ''])),
  };
}

/** The licenses of the packages that are contained, which ask to be passed on with them. */
function licensesOf(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const texts = Array.from(folders, (folder) => {
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(ROOT, folder) });
    const { name, license } = manifestIn(folder);
    const text = file === undefined ? String(license) : readFileSync(join(ROOT, folder, file), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  });
  return texts.toSorted().join('\n----\n\n');
}

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
}
