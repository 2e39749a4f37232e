/**
 * The section of a version in a changelog in the format of Keep a Changelog 1.1.0.
 *
 * @param version - or `Unreleased`
 * @returns `undefined` if there is no such section
 * @throws if the section says nothing
 */
export function notesOf(changelog: string, version: string): string | undefined {
  const section = changelog
    .split(/^(?=## )/m)
    .find((text) => text.startsWith(`## [${version}]`))
    ?.replace(/^## .*\n/, '')
    .trim();
  // headings alone say nothing
  if (section?.replace(/^#.*$/gm, '').trim() === '')
    throw new Error(`CHANGELOG.md says nothing about ${version}`);
  return section;
}
