import type { Database } from '../platform/database/database.ts';
import { type Config, masterKeyPlace } from '../platform/settings/config.ts';
import { openMasterKey } from './master-key.ts';

/** The key that the private keys in the database are sealed with. @throws MasterKeyError saying what to supply */
export async function findMasterKey(config: Config, db: Database): Promise<Uint8Array> {
  const sealed = await db
    .selectFrom('signing_keys')
    .select('kid')
    .where('private_key', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  const { path, named } = masterKeyPlace(config);
  return openMasterKey({ path, keysPresent: sealed !== undefined, mayCreate: !named });
}
