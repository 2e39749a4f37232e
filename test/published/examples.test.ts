import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LIBRARIES } from '../../scripts/packages/build.ts';
import type { Manifest } from '../../scripts/packages/manifest.ts';
import { ROOT } from '../kit/imports.ts';

interface Documented {
  readonly name: string;
  readonly isCallable: boolean;
  readonly doc: string;
}

const DECLARATION = /(?:(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\n)?export (?:async )?(function|class|const) (\w+)/g;

const manifests = LIBRARIES.map(
  (name) =>
    [
      name,
      JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8')) as Manifest,
    ] as const,
);

/** Every exported declaration in a package's sources, by name. */
function declarationsOf(name: string): Map<string, Documented> {
  const files = globSync('src/**/*.ts', { cwd: join(ROOT, 'packages', name) });
  const texts = files
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, 'packages', name, file), 'utf8'));
  const found = texts.flatMap((text) => [...text.matchAll(DECLARATION)]);
  return new Map(
    found.map(
      ([, doc = '', kind, id = '']) => [id, { name: id, isCallable: kind !== 'const', doc }] as const,
    ),
  );
}

/** The public exports of a package, by any of its subpaths but `document`, which is for our own reader of facts. */
async function exportsOf(name: string, { exports }: Manifest): Promise<Documented[]> {
  const declared = declarationsOf(name);
  const { './document': _, ...published } = exports;
  const modules = await Promise.all(
    Object.values(published).map((source) => import(join(ROOT, 'packages', name, source)) as Promise<object>),
  );
  const names = new Set(modules.flatMap((module) => Object.keys(module)));
  return [...names].flatMap((id) => declared.get(id) ?? []);
}

/** The code of the example in a doc comment; `''` if there is none. */
function exampleIn(doc: string): string {
  const code = /@example\n \* ```ts\n([\s\S]*?)\n \* ```/.exec(doc)?.[1] ?? '';
  return code.replace(/^ \* ?/gm, '');
}

/** Turns `expression; // value` into a check, and resolves our packages to those of this workspace. */
function runnable(code: string): string {
  const sources = manifests.flatMap(([name, { exports, name: id }]) =>
    Object.entries(exports).map(
      ([subpath, source]) => [id + subpath.slice(1), join(ROOT, 'packages', name, source)] as const,
    ),
  );
  const checked = code.replace(/^([^\s/].*); \/\/ (.+)$/gm, 'assert.deepEqual($1, $2);');
  const placed = checked.replace(/from '(@touchstone\/[^']+)'/g, (_, specifier: string) => {
    const source = new Map(sources).get(specifier);
    if (source === undefined) throw new Error(`${specifier} is no export`);
    return `from '${pathToFileURL(source).href}'`;
  });
  return `import assert from 'node:assert/strict';\n${placed}`;
}

const sdk = await Promise.all(
  manifests.map(async ([name, manifest]) => [name, await exportsOf(name, manifest)] as const),
);

describe.each(sdk)('the exports of %s', (_, exported) => {
  it('are documented', () => {
    expect(exported.filter(({ doc }) => doc === '').map(({ name }) => name)).toEqual([]);
    expect(exported.length).toBeGreaterThan(1);
  });

  const callable = exported.filter(({ isCallable }) => isCallable);
  let folder: string;
  beforeAll(async () => {
    // inside the project, so that libraries are found as by their users
    await mkdir(join(ROOT, 'dist'), { recursive: true });
    folder = await mkdtemp(join(ROOT, 'dist/examples-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(callable)('$name has an example, which runs and states its output', async ({ name, doc }) => {
    const code = runnable(exampleIn(doc));
    expect(code).toContain('assert.deepEqual');
    const file = join(folder, `${name}.ts`);
    await writeFile(file, code);
    await import(file);
  });
});
