import { type Config, masterKeyPlace } from '../config.ts';
import { openMasterKey } from '../signing/master-key.ts';
import type { Database } from '../storage/database.ts';

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
