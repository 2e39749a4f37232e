import { sql } from 'kysely';
import { identityOf } from '../../../core/registry/api-keys/api-keys.ts';
import type { Registry } from '../../../core/registry/context.ts';
import type { Identity } from '../../../platform/http/access.ts';
import type { DatabaseSecrets } from '../../../platform/secrets/database-secrets.ts';

/** Milliseconds without a call after which a session ends: a working day. */
export const IDLE = 8 * 3_600_000;
/** Milliseconds after which it ends in any case. */
export const LIFE = 24 * 3_600_000;
/** Milliseconds between two updates of the last call, as a page of the console makes many. */
const SEEN_EVERY = 60_000;

/** The stored form of the value of a cookie. */
export const tokenHashOf = ({ hash }: DatabaseSecrets, token: string): Buffer => hash('sessions', token);

/** The data of a session, besides its owner. */
export interface SessionRow {
  readonly id: string;
  readonly token_hash: Buffer;
  readonly key_id: string;
  readonly role: 'operator' | 'merchant';
  readonly merchant_id: string | null;
  readonly merchant: string | null;
  readonly label: string;
  readonly begun_at: Date;
  readonly seen_at: Date;
}

/** Identifies the owner of a session's key; `null`: it is unknown or has ended. */
export async function findSession(
  registry: Pick<Registry, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<Identity | null> {
  const row = await readSession(registry, token);
  if (row === null) return null;
  const now = registry.clock();
  if (now.getTime() - row.seen_at.getTime() >= SEEN_EVERY) {
    const { token_hash, key_id, begun_at } = row;
    const mac = registry.secrets.rows.macOf('console_sessions', {
      token_hash,
      key_id,
      begun_at,
      seen_at: now,
    });
    await sql`
      with seen as (
        update console_sessions set seen_at = ${now}, mac = ${mac} where token_hash = ${token_hash} returning key_id)
      update api_keys set last_used_on = ${now.toISOString().slice(0, 10)}::date where id in (select key_id from seen)
        and last_used_on is distinct from ${now.toISOString().slice(0, 10)}::date`.execute(registry.db);
  }
  return identityOf(row);
}

/** An active session, by the value of its cookie. */
export async function readSession(
  { db, clock, secrets }: Pick<Registry, 'db' | 'clock' | 'secrets'>,
  token: string,
): Promise<SessionRow | null> {
  const now = clock().getTime();
  const row = await db
    .selectFrom('console_sessions as s')
    .innerJoin('api_keys as k', 'k.id', 's.key_id')
    .leftJoin('merchants as m', 'm.id', 'k.merchant_id')
    .select(['s.token_hash', 's.key_id', 's.begun_at', 's.seen_at', 's.mac'])
    .select(['k.id', 'k.role', 'k.merchant_id', 'k.key_hash', 'k.revoked_at', 'k.mac as key_mac'])
    .select(['k.label', 'm.name as merchant'])
    .where('s.token_hash', '=', tokenHashOf(secrets, token))
    .where('s.seen_at', '>', new Date(now - IDLE))
    .where('s.begun_at', '>', new Date(now - LIFE))
    .where('k.revoked_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined || !secrets.rows.accepts('console_sessions', row)) return null;
  return secrets.rows.accepts('api_keys', { ...row, mac: row.key_mac }) ? row : null;
}
