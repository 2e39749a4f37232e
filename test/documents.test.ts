import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../packages/server/src/platform/settings/config.ts';
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

it('operators find every setting in their page, and none that means nothing', () => {
  const page = readFileSync(join(ROOT, 'docs/operating.md'), 'utf8');
  const documented = new Set([...page.matchAll(/^\| `TOUCHSTONE_(\w+)` \|/gm)].map(([, name]) => name ?? ''));
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_, name) => {
        if (typeof name === 'string' && name.startsWith('TOUCHSTONE_'))
          asked.add(name.slice('TOUCHSTONE_'.length));
        return undefined;
      },
    },
  );
  readConfig(environment);
  expect([...documented].toSorted()).toEqual([...asked].toSorted());
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
