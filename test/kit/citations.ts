import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './imports.ts';

/** Where a rule is cited. */
export interface Citation {
  readonly id: string;
  /** Test file or vector file, relative to the project's root. */
  readonly file: string;
}

/** The rules of this scenario: `scenario('name', covers('VERIFY-5'), …)`. Literal texts, since rule coverage is read from the source. */
export function covers(...ids: readonly string[]): readonly string[] {
  return ids;
}

const CALL = /\bcovers\(([^)]*)\)/g;
const LITERAL = /'([^']+)'/g;

/** Every citation in the scenarios and vectors, read without running anything. */
export function citations(): Citation[] {
  return [...scenarioFiles().flatMap(citedBySource), ...vectorFiles().flatMap(citedByVectors)];
}

export function scenarioFiles(): string[] {
  return globSync('test/scenarios/**/*.test.ts', { cwd: ROOT });
}

function vectorFiles(): string[] {
  return globSync('test/vectors/*.json', { cwd: ROOT }).toSorted();
}

function citedBySource(file: string): Citation[] {
  const calls = [...readFileSync(join(ROOT, file), 'utf8').matchAll(CALL)];
  return calls.flatMap(([, list = '']) => [...list.matchAll(LITERAL)].map(([, id = '']) => ({ id, file })));
}

function citedByVectors(file: string): Citation[] {
  const { vectors } = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as {
    vectors: { rules: string[] }[];
  };
  return vectors.flatMap(({ rules }) => rules.map((id) => ({ id, file })));
}
