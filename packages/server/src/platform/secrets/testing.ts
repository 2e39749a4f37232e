import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabaseSecrets, type DatabaseSecrets } from './database-secrets.ts';

/** Under a master key of its own. */
export const testSecrets = (): DatabaseSecrets => createDatabaseSecrets(randomBytes(32));

/** Those of a service whose master key is in its data folder. */
export async function secretsOf({ dataDir }: { readonly dataDir: string }): Promise<DatabaseSecrets> {
  const text = await readFile(join(dataDir, 'master.key'), 'utf8');
  return createDatabaseSecrets(Buffer.from(text.trim(), 'hex'));
}
