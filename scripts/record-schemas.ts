import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCHEMAS } from '../packages/server/src/parts.ts';
import { RELEASED_SCHEMAS } from '../packages/server/src/platform/database/released-schemas.ts';
import {
  readSchemaFiles,
  type SchemaRelease,
} from '../packages/server/src/platform/database/schema-files.ts';

// Records the schema files that a release brings, which never change from then on: node scripts/record-schemas.ts <version>.
// A version that is recorded already is recorded again.

const TARGET = join(import.meta.dirname, '../packages/server/src/platform/database/released-schemas.ts');
const version = process.argv[2] ?? '';
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('usage: node scripts/record-schemas.ts <version, such as 0.2.0>');
  process.exit(64);
}
const before = RELEASED_SCHEMAS.filter((release) => release.version !== version);
const files = (await readSchemaFiles(SCHEMAS)).filter(
  ({ name }) => !before.some((release) => Object.hasOwn(release.files, name)),
);
const releases: SchemaRelease[] = [...before];
if (files.length > 0)
  releases.push({
    version,
    files: Object.fromEntries(files.map(({ name, checksum }) => [name, checksum])),
  });
writeFileSync(TARGET, textOf(releases));
console.log(`${version} brings ${files.length} schema files.`);

function textOf(all: readonly SchemaRelease[]): string {
  const entries = all.map(({ version: of, files: those }) => {
    const lines = Object.entries(those).map(([name, checksum]) => `      '${name}': '${checksum}',\n`);
    return `  {\n    version: '${of}',\n    files: {\n${lines.join('')}    },\n  },\n`;
  });
  return `import type { SchemaRelease } from './schema-files.ts';

/** Written by \`node scripts/record-schemas.ts <version>\` when a release is made. */
export const RELEASED_SCHEMAS: readonly SchemaRelease[] = [
${entries.join('')}];
`;
}
