import { type Selectable, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../platform/database/database.ts';
import type { SigningKeysTable } from '../platform/database/tables.ts';
import type { SigningKey } from './key-schedule.ts';

/** All keys that the service ever had, oldest first: a handful. The server forgets no public key. */
export async function readSigningKeys(db: Database | DatabaseTransaction): Promise<SigningKey[]> {
  const rows = await db.selectFrom('signing_keys').selectAll().orderBy('created_at').orderBy('kid').execute();
  return rows.map(keyOfRow);
}

function keyOfRow(row: Selectable<SigningKeysTable>): SigningKey {
  return {
    kid: row.kid,
    publicJwk: row.public_jwk,
    publishedAt: row.published_at,
    ...(row.private_key === null ? {} : { sealedPrivateKey: row.private_key }),
    ...(row.active_from === null ? {} : { activeFrom: row.active_from }),
    ...(row.retired_at === null ? {} : { retiredAt: row.retired_at }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  };
}

/** Nodes that change keys take turns; held until the transaction ends. */
export async function lockSigningKeys(trx: DatabaseTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('touchstone signing keys', 0))`.execute(trx);
}
