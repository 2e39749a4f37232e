import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../../../platform/lifecycle/start-error.ts';
import type { Config } from '../../../platform/settings/config.ts';
import type { Registry } from '../context.ts';
import { makeKey, registerOperatorKey } from './api-keys.ts';

export interface OperatorKey {
  /** Absent if only another node knows it. */
  readonly operatorKey?: string;
  /** Path of its file (mode 0600), present if the key was created at this start, to be shown once. */
  readonly madeOperatorKey?: { readonly key: string; readonly path: string };
}

/**
 * Ensures that there is an operator key: that of the settings, else the one in the data folder, else the
 * one in the database (of another node), else a new one.
 */
export async function ensureOperatorKey(
  config: Config,
  kept: Pick<Registry, 'db' | 'secrets' | 'emit'>,
  now: Date,
): Promise<OperatorKey> {
  const path = join(config.dataDir, 'operator.key');
  const present = config.operatorKey ?? (await readKey(path));
  if (present !== undefined) {
    await registerOperatorKey(kept, present, now);
    return { operatorKey: present };
  }
  if (await hasOperatorKey(kept)) return {};
  const key = makeKey();
  // the file first: a key that only the database has would lock the operator out
  await writeKey(path, key);
  await registerOperatorKey(kept, key, now);
  return { operatorKey: key, madeOperatorKey: { key, path } };
}

async function readKey(path: string): Promise<string | undefined> {
  try {
    const key = (await readFile(path, 'utf8')).trim();
    if (key !== '') return key;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new StartError(`The operator key at ${path} cannot be read: ${String(error)}`, { cause: error });
  }
  throw new StartError(`The operator key at ${path} is empty: delete the file, or put a key into it.`);
}

async function writeKey(path: string, key: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${key}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function hasOperatorKey({ db, secrets }: Pick<Registry, 'db' | 'secrets'>): Promise<boolean> {
  const rows = await db
    .selectFrom('api_keys')
    .selectAll()
    .where('role', '=', 'operator')
    .where('revoked_at', 'is', null)
    .execute();
  return rows.some((row) => secrets.rows.accepts('api_keys', row));
}
