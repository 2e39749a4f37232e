import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The tables, functions and triggers of a capability: `schema.sql` in its folder, changed by `migrations/0002-….sql` and so on. */
export interface Schema {
  /** Recorded in the database with each file that was applied: never changed once it has been released. */
  readonly capability: string;
  readonly folder: string;
}

export interface SchemaFile {
  readonly capability: string;
  /** 1: `schema.sql`. */
  readonly number: number;
  /** Capability and path. */
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

/** The schema files that a release brought, with their checksums (SHA-256). */
export interface SchemaRelease {
  readonly version: string;
  readonly files: Readonly<Record<string, string>>;
}

/** All files of the capabilities, in the order in which they are applied. */
export async function readSchemaFiles(schemas: readonly Schema[]): Promise<SchemaFile[]> {
  return (await Promise.all(schemas.map(readFilesOf))).flat();
}

async function readFilesOf({ capability, folder }: Schema): Promise<SchemaFile[]> {
  const later = (await filesIn(join(folder, 'migrations')))
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  return Promise.all(
    ['schema.sql', ...later].map(async (name, index) => {
      const number = index + 1;
      const file = index === 0 ? name : `migrations/${name}`;
      if (index > 0 && Number.parseInt(name, 10) !== number)
        throw new Error(`${capability}/${file} is out of sequence: ${number} is expected.`);
      const sql = await readFile(join(folder, file), 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { capability, number, name: `${capability}/${file}`, sql, checksum };
    }),
  );
}

/** None of a folder that is not there. */
async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/**
 * Whether the file builds an index while its table is in use, which PostgreSQL refuses in a transaction: its first line ends with
 * `, outside a transaction`.
 */
export function isSeparate({ sql }: Pick<SchemaFile, 'sql'>): boolean {
  return /^--.*, outside a transaction$/.test(sql.split('\n', 1)[0] ?? '');
}

/**
 * The statements of such a file, each sent by itself, since PostgreSQL runs several in one transaction. The lint permits none with a
 * semicolon within.
 */
export function separateStatements({ sql }: Pick<SchemaFile, 'sql'>): string[] {
  return sql
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
