import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** One import of one module, static or dynamic. */
export interface Import {
  /** Path of the importing file, relative to the project's root. */
  readonly file: string;
  /** The text between the quotes. */
  readonly specifier: string;
  readonly dynamic: boolean;
  /** A type-only import, which is erased. */
  readonly typeOnly: boolean;
  /** For a relative specifier: its resolved path, relative to the project's root. */
  readonly target: string | null;
}

export const ROOT = resolve(import.meta.dirname, '../..');

const STATIC = /^\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

/** Every import in the sources of the packages, except tests and their helpers. */
export function sourceImports(): Import[] {
  return globSync(['packages/*/src/**/*.{ts,tsx}', 'packages/web/*.ts'], { cwd: ROOT })
    .filter((file) => !/\.test\.tsx?$|\/testing(\/|-[\w-]+\.ts$|\.ts$)/.test(file))
    .flatMap((file) => importsOf(file, readFileSync(join(ROOT, file), 'utf8')));
}

function importsOf(file: string, text: string): Import[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '');
  const made = (specifier: string, dynamic: boolean, typeOnly: boolean): Import => ({
    file,
    specifier,
    dynamic,
    typeOnly,
    target: specifier.startsWith('.') ? relative(ROOT, resolve(ROOT, dirname(file), specifier)) : null,
  });
  return [
    ...[...code.matchAll(STATIC)].map(([, type, specifier = '']) =>
      made(specifier, false, type !== undefined),
    ),
    ...[...code.matchAll(DYNAMIC)].map(([, specifier = '']) => made(specifier, true, false)),
  ];
}

/** The package of a path in the project. */
export function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}
