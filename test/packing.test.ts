import { expect, it } from 'vitest';
import { neededWith } from '../scripts/packages/needs.ts';
import { notesOf } from '../scripts/release/notes.ts';

it('a package depends on those of our packages that it imports, and on theirs', () => {
  const packages: Record<string, Record<string, string>> = {
    '@touchstone/cli': { '@touchstone/page': '1', zod: '4' },
    '@touchstone/page': { '@touchstone/certificate': '1' },
    '@touchstone/certificate': { zod: '4' },
  };
  const dependenciesOf = (name: string) => packages[name] ?? {};
  expect(neededWith('@touchstone/cli', dependenciesOf)).toEqual([
    '@touchstone/certificate',
    '@touchstone/page',
  ]);
  expect(neededWith('@touchstone/certificate', dependenciesOf)).toEqual([]);
});

it('notes of a release are the section of its version; one that says nothing is refused', () => {
  const changelog =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- This.\n\n## [0.1.0]\n\n- That.\n';
  expect(notesOf(changelog, '0.2.0')).toBe('### Added\n\n- This.');
  expect(notesOf(changelog, '0.1.0')).toBe('- That.');
  expect(notesOf(changelog, '0.3.0')).toBeUndefined();
  expect(() => notesOf(changelog, 'Unreleased')).toThrow('CHANGELOG.md says nothing about Unreleased');
});
