import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Download, Downloads } from '@touchstone/contract';
import { build } from 'esbuild';
import { buildPackages, leadToJavaScript } from './build.ts';
import type { Manifest } from './manifest.ts';
import { zipFolder } from './zip-folder.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Makes what merchants install into a folder: the files, under names that stay the same, and `downloads.json`, which lists them for the
 * service. Equal sources give equal bytes.
 */
export function makeDownloads(target: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), 'touchstone-downloads-'));
  return make(work, target).finally(() => rmSync(work, { recursive: true, force: true }));
}

async function make(work: string, target: string): Promise<void> {
  const made = join(work, 'made');
  mkdirSync(made);
  buildPackages(work, ['certificate', 'edge']);
  await buildCommandLine(join(work, 'cli'));
  const packages = ['cli', 'certificate', 'edge'] as const;
  const packing = ['pack', '--silent', '--ignore-scripts', ...packages.map((name) => `./${name}`)];
  // reads no settings of the command that runs this, such as `--dry-run`
  execFileSync('npm', packing, { cwd: work, env: { PATH: process.env.PATH, HOME: work } });
  const downloads: Downloads['downloads'] = [];
  const add = (id: Download, file: string, version: string) => {
    const bytes = readFileSync(join(made, file));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    downloads.push({ id, file, version, bytes: bytes.length, sha256 });
  };
  const { version } = manifestOf('cli');
  for (const [id, name] of ARCHIVES) {
    writeFileSync(join(made, `${name}.zip`), zipFolder(id));
    add(id, `${name}.zip`, id === 'woocommerce' ? pluginVersion() : version);
  }
  for (const name of packages) {
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

/** Of the command line: what has files beside its own, and is not contained in it. */
const DEPENDENCIES = ['@contentauth/c2pa-wasm'];

/** The command line as one package that contains all that it runs, since no registry has our packages. */
async function buildCommandLine(folder: string): Promise<void> {
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
  writeFileSync(join(folder, 'LICENSES'), licensesOf(Object.keys(metafile.inputs)));
  cpSync(join(ROOT, 'packages/cli/bin'), join(folder, 'bin'), { recursive: true });
  for (const file of globSync('{bin,dist}/*.js', { cwd: folder })) leadToJavaScript(join(folder, file));
  cpSync(join(ROOT, 'packages/cli/README.md'), join(folder, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const { name, version, description, license, type, engines, bin } = manifestOf('cli');
  const versions = manifestOf('image').dependencies as Readonly<Record<string, string>>;
  const dependencies = Object.fromEntries(DEPENDENCIES.map((other) => [other, versions[other]]));
  const manifest = {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin,
    dependencies,
    files: ['bin', 'dist', 'LICENSES'],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The licenses of the packages that are contained, which ask to be passed on with them. */
function licensesOf(inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  const texts = Array.from(folders, (folder) => {
    const [file] = globSync('{LICENSE,LICENCE,license}*', { cwd: join(ROOT, folder) });
    const { name, license } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    ) as Manifest;
    const text = file === undefined ? String(license) : readFileSync(join(ROOT, folder, file), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  });
  return texts.toSorted().join('\n----\n\n');
}

function manifestOf(name: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as Manifest;
}

function pluginVersion(): string {
  const main = readFileSync(join(ROOT, 'integrations/woocommerce/touchstone-certificates.php'), 'utf8');
  return /^ \* Version:\s+(\S+)$/m.exec(main)?.[1] ?? '';
}
