import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleCommandLine } from './command-line.ts';
import { builtPath, type Manifest, publishedManifest } from './manifest.ts';
import { releasedVersion, sourceCommit } from './version.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** Packages for use in other programs. */
export const LIBRARIES = ['certificate', 'fetch', 'page', 'facts', 'image', 'edge'] as const;

/** Published packages, each after those that it imports. */
export const PUBLISHED = [
  ...LIBRARIES,
  'contract',
  'mcp',
  'catalogue',
  'lookalikes',
  'embedded-postgres',
  'server',
  'cli',
] as const;

/**
 * Builds published packages into folders of `target`, ready for `npm pack`; none before those that it imports. Equal commits give equal
 * bytes.
 */
export async function buildPackages(target: string, names: readonly string[] = PUBLISHED): Promise<void> {
  const gitHead = sourceCommit();
  const release = { version: releasedVersion(), ...(gitHead === undefined ? {} : { gitHead }) };
  // our types derived from Zod schemas must be available to packages that are built later
  const paths: Record<string, string[]> = { zod: [join(ROOT, 'node_modules/zod/index.d.ts')] };
  for (const name of names) {
    const from = join(ROOT, 'packages', name);
    const manifest = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as Manifest;
    const folder = join(target, name);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const bundled = name === 'cli' ? await bundleCommandLine(folder) : {};
    if (name !== 'cli') compile(name, folder, paths);
    for (const file of globSync('src/**/*.sql', { cwd: from })) {
      cpSync(join(from, file), join(folder, file.replace('src', 'dist')));
    }
    if (existsSync(join(from, 'bin'))) cpSync(join(from, 'bin'), join(folder, 'bin'), { recursive: true });
    for (const file of globSync('{bin,dist}/**/*.{js,d.ts}', { cwd: folder }))
      leadToJavaScript(join(folder, file));
    for (const file of ['README.md', 'LICENSE']) {
      cpSync(join(file === 'LICENSE' ? ROOT : from, file), join(folder, file));
    }
    if (name === 'server') carryPages(folder);
    const published = publishedManifest({ ...manifest, ...bundled }, release);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
    for (const [subpath, source] of Object.entries(manifest.exports)) {
      paths[manifest.name + subpath.slice(1)] = [join(folder, `${builtPath(source)}.d.ts`)];
    }
  }
}

/** Adds the built pages to the service's package, which builds nothing after installation. */
function carryPages(folder: string): void {
  execFileSync(process.execPath, [join(ROOT, 'packages/web/build.ts')]);
  cpSync(join(ROOT, 'packages/web/dist'), join(folder, 'web'), { recursive: true });
}

/** Rewrites the imports that `tsc` leaves unchanged, those of types and thread files, which would refer to sources. */
function leadToJavaScript(file: string): void {
  const text = readFileSync(file, 'utf8');
  const led = text.replace(/(from |import\(|new URL\()(['"])(\.[^'"]+)\.ts\2/g, '$1$2$3.js$2');
  // the program's entry file imports from another folder
  writeFileSync(file, led.replace("'../src/", "'../dist/"));
}

/** Features of Node 20: ES2024 except groupBy, withResolvers and waitAsync. */
const NODE_20 = ['ES2023', 'ES2024.ArrayBuffer', 'ES2024.String', 'DOM', 'DOM.Iterable'];

function isLibrary(name: string): boolean {
  return LIBRARIES.some((library) => library === name);
}

/** Compiles JavaScript and types, module by module; libraries for Node 20 and later. */
function compile(name: string, folder: string, paths: Readonly<Record<string, string[]>>): void {
  const source = join(ROOT, 'packages', name, 'src');
  const config = {
    extends: join(ROOT, 'tsconfig.json'),
    compilerOptions: {
      target: 'ES2024',
      ...(isLibrary(name) ? { lib: NODE_20 } : {}),
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      typeRoots: [join(ROOT, 'node_modules/@types')],
      rootDir: source,
      outDir: join(folder, 'dist'),
      paths,
    },
    include: [join(source, '**/*.ts')],
    exclude: [join(source, '**/*.test.ts'), join(source, '**/testing*.ts')],
  };
  const file = join(folder, 'tsconfig.json');
  writeFileSync(file, JSON.stringify(config));
  try {
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', file], {
      encoding: 'utf8',
    });
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    throw new Error(`${name} does not build:\n${stdout}`, { cause: error });
  } finally {
    rmSync(file);
  }
}
