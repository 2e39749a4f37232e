import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { releasedVersion } from '../scripts/packages/version.ts';
import { notesOf } from '../scripts/release/notes.ts';
import { ROOT } from './kit/imports.ts';

/** What `npm version` writes, and the commands that it runs. */
const WRITTEN = [
  'package.json',
  'packages/certificate/src/version.ts',
  'packages/mcp/src/verdict-card.ts',
  'sdk/go/version.go',
  'sdk/python/touchstone_certificate/version.py',
  'docs/openapi.json',
  'docs/api/certificate/index.md',
  'sdk/php/src/Verifier.php',
];
/** What tells of a version once and for all. */
const HISTORY = [
  'CHANGELOG.md',
  'package-lock.json',
  'docs/measurements.md',
  'packages/server/src/platform/database/released-schemas.ts',
  'test/regression/unbound-members.json',
];
const FILES = [
  '*.{json,md}',
  '{bench,docs,examples,integrations,packages,scripts,sdk,test,.github}/**/*.{ts,tsx,js,mjs,json,md,txt,php,py,go,toml,yml,yaml,mod}',
];
const IGNORED = /(^|\/)(node_modules|dist|downloads)(\/|$)/;

it('stands in the root alone: packing and generators take it from there, for packages, plugin, API and agents', () => {
  const version = releasedVersion();
  const written = `(?<![\\w.-])${version.replaceAll('.', '\\.')}(?![\\w.-]*\\d)`;
  // on a line about us or about a version: another program may have the same one
  const ours = new RegExp(`(?:touchstone|version|stable tag).*${written}|${written}.*touchstone`, 'i');
  const files = globSync(FILES, { cwd: ROOT, exclude: (path) => IGNORED.test(path) });
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.filter((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .some((line) => ours.test(line)),
  );
  expect(found.filter((file) => !HISTORY.includes(file)).toSorted()).toEqual(WRITTEN.toSorted());
});

it('is left out of the manifests of the workspace, which take each other as they are', () => {
  for (const file of globSync('packages/*/package.json', { cwd: ROOT })) {
    const manifest = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<
      string,
      Record<string, string>
    >;
    const { version, dependencies = {}, peerDependencies = {} } = manifest;
    expect([file, version]).toEqual([file, undefined]);
    const ours = Object.entries({ ...dependencies, ...peerDependencies }).filter(([name]) =>
      name.startsWith('@touchstone/'),
    );
    expect([file, ours.filter(([, range]) => range !== '*')]).toEqual([file, []]);
  }
});

it('has a section of the changelog, of which a release makes its notes', () => {
  const notes = notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), releasedVersion());
  expect(notes).toContain('### Added');
});

it('is the one that the lock file knows', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { version: string };
  expect(lock.version).toBe(releasedVersion());
});
