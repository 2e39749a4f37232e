import { expect, it } from 'vitest';
import { sourceImports } from './support/imports.ts';

/** Packages in which nothing imports in a circle, types included: neither files nor folders directly under `src`. */
const PACKAGES = ['certificate', 'image', 'catalogue'];

const imports = sourceImports().flatMap(({ file, target }) =>
  target === null ? [] : [[file, target] as const],
);

it.each(PACKAGES)('no files of %s import each other in a circle', (name) => {
  const edges = imports.filter(([from, to]) => isIn(name, from) && isIn(name, to));
  expect(edges.length).toBeGreaterThan(10);
  expect(inCircles(edges)).toEqual([]);
});

it.each(PACKAGES)('no folders of %s import each other in a circle', (name) => {
  const edges = imports
    .filter(([from, to]) => isIn(name, from) && isIn(name, to))
    .map(([from, to]) => [folderOf(from), folderOf(to)] as const)
    .filter(([from, to]) => from !== to);
  expect(inCircles(edges)).toEqual([]);
});

it('a circle is found, and what only leads to it or away from it is left out', () => {
  const edges = ['ab', 'bc', 'cb', 'cd'].map(([from = '', to = '']) => [from, to] as const);
  expect(inCircles(edges)).toEqual(['b > c', 'c > b']);
});

function isIn(name: string, file: string): boolean {
  return file.startsWith(`packages/${name}/src/`);
}

/** The folder directly under `src`: what lies deeper belongs to it. */
function folderOf(file: string): string {
  return file.split('/').slice(3, -1)[0] ?? '.';
}

/** The edges that are left when all that ends nowhere, or begins nowhere, is taken away again and again. */
function inCircles(edges: readonly (readonly [string, string])[]): string[] {
  let left = edges;
  for (let before = -1; before !== left.length; ) {
    before = left.length;
    const starts = new Set(left.map(([from]) => from));
    const ends = new Set(left.map(([, to]) => to));
    left = left.filter(([from, to]) => starts.has(to) && ends.has(from));
  }
  return [...new Set(left.map(([from, to]) => `${from} > ${to}`))].toSorted();
}
