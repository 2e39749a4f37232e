import { sql } from 'kysely';
import type { Identity } from '../../platform/http/access.ts';
import { hashOf, identityOf } from '../api-keys/api-keys.ts';
import type { Registry } from '../context.ts';

/** Milliseconds without a call after which a session ends: a working day. */
export const IDLE = 8 * 3_600_000;
/** Milliseconds after which it ends in any case. */
export const LIFE = 24 * 3_600_000;
/** Milliseconds between two updates of the last call, as a page of the console makes many. */
const SEEN_EVERY = 60_000;

/** The data of a session, besides its owner. */
export interface SessionRow {
  readonly id: string;
  readonly role: 'operator' | 'merchant';
  readonly merchant_id: string | null;
  readonly merchant: string | null;
  readonly label: string;
  readonly begun_at: Date;
  readonly seen_at: Date;
}

/** Identifies the owner of a session's key; `null`: it is unknown or has ended. */
export async function findSession(
  registry: Pick<Registry, 'db' | 'clock'>,
  token: string,
): Promise<Identity | null> {
  const row = await readSession(registry, token);
  if (row === null) return null;
  const now = registry.clock();
  if (now.getTime() - row.seen_at.getTime() >= SEEN_EVERY) {
    await sql`
      with seen as (update console_sessions set seen_at = ${now} where token_hash = ${hashOf(token)} returning key_id)
      update api_keys set last_used_on = ${now.toISOString().slice(0, 10)}::date where id in (select key_id from seen)
        and last_used_on is distinct from ${now.toISOString().slice(0, 10)}::date`.execute(registry.db);
  }
  return identityOf(row);
}

/** An active session, by the value of its cookie. */
export async function readSession(
  { db, clock }: Pick<Registry, 'db' | 'clock'>,
  token: string,
): Promise<SessionRow | null> {
  const now = clock().getTime();
  const row = await db
    .selectFrom('console_sessions as s')
    .innerJoin('api_keys as k', 'k.id', 's.key_id')
    .leftJoin('merchants as m', 'm.id', 'k.merchant_id')
    .select(['k.id', 'k.role', 'k.merchant_id', 'k.label', 'm.name as merchant', 's.begun_at', 's.seen_at'])
    .where('s.token_hash', '=', hashOf(token))
    .where('s.seen_at', '>', new Date(now - IDLE))
    .where('s.begun_at', '>', new Date(now - LIFE))
    .where('k.revoked_at', 'is', null)
    .executeTakeFirst();
  return row ?? null;
}
