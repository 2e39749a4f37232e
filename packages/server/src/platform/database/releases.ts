import { VERSION } from '@touchstone/certificate';
import { RELEASED_SCHEMAS } from './released-schemas.ts';
import type { SchemaFile, SchemaRelease } from './schema-files.ts';

export interface Releases {
  /** This version. */
  readonly version: string;
  /** Those that brought schema files, oldest first. */
  readonly schemas: readonly SchemaRelease[];
}

export const OWN_RELEASES: Releases = { version: VERSION, schemas: RELEASED_SCHEMAS };

/**
 * The oldest version that runs once this file has been applied: the release before the one that brings it. Absent for the files of the
 * first release.
 */
export function oldestWith({ name }: Pick<SchemaFile, 'name'>, { schemas }: Releases): string | undefined {
  const bringing = schemas.findIndex(({ files }) => Object.hasOwn(files, name));
  return (bringing === -1 ? schemas.at(-1) : schemas[bringing - 1])?.version;
}

/** Whether one version (`major.minor.patch`) was released before another. What follows a hyphen does not count. */
export function isOlder(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  const differing = a.findIndex((number, index) => number !== b[index]);
  return differing !== -1 && (a[differing] ?? 0) < (b[differing] ?? 0);
}

const numbersOf = (version: string): number[] =>
  (version.split(/[-+]/, 1)[0] ?? '').split('.').map((part) => Number.parseInt(part, 10));
