import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './support/imports.ts';

const documents = globSync('{*.md,docs/**/*.md}', { cwd: ROOT });

it('every link between the papers leads somewhere', () => {
  const broken = documents.flatMap((file) =>
    [...readFileSync(join(ROOT, file), 'utf8').matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !existsSync(resolve(ROOT, dirname(file), link)))
      .map((link) => `${file}: ${link}`),
  );
  expect(broken).toEqual([]);
  expect(documents.length).toBeGreaterThan(40);
});

it('the index of decisions lists every record', () => {
  const index = readFileSync(join(ROOT, 'docs/decisions/README.md'), 'utf8');
  const records = documents.filter((file) => /decisions\/\d{4}-/.test(file));
  expect(records.filter((file) => !index.includes(file.replace('docs/decisions/', '')))).toEqual([]);
});

it('no paper or source names what a clone does not have', () => {
  const files = [...documents, ...globSync('{packages,test,scripts,bench}/**/*.ts', { cwd: ROOT })];
  const naming = files.filter(
    (file) =>
      !file.includes('node_modules') &&
      /\bdesign\.md\b|\bspec\.md\b|\.\.\/shared\/(?!corpora)/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  expect(naming.filter((file) => file !== 'test/documents.test.ts')).toEqual([]);
});
