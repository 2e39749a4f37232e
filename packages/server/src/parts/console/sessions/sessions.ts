import { randomBytes } from 'node:crypto';
import type { Session } from '@touchstone/contract';
import { RATE_WINDOW } from '@touchstone/contract';
import { sql } from 'kysely';
import { authenticate } from '../../../core/registry/api-keys/api-keys.ts';
import type { Registry } from '../../../core/registry/context.ts';
import { countHit, dailyName, forgetHit } from '../../../platform/database/rate-windows.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { csrfTokenOf } from '../../../platform/http/own-page.ts';
import { IDLE, LIFE, readSession, type SessionRow, tokenHashOf } from './find-session.ts';

/** Failed attempts of one caller in any `RATE_WINDOW`. */
const ATTEMPTS = 10;
/** Sessions of one key; a new one ends the oldest. */
const MOST_SESSIONS = 100;

/** A new session, and the value of its cookie. */
export interface BegunSession {
  readonly token: string;
  readonly session: Session;
}

/**
 * Begins a session of a key, with a new token; the session that the browser had ends.
 *
 * @param caller - for whom attempts are counted
 * @param former - the former value of the browser's cookie
 * @throws ServiceError `credentials_invalid`, `sign_in_rate_limited`
 */
export async function beginSession(
  registry: Registry,
  { apiKey, caller, former }: { apiKey: string; caller: string; former: string | undefined },
): Promise<BegunSession> {
  const { db, clock, secrets } = registry;
  const bucket = { name: dailyName(registry, 'sign-in', caller), limit: ATTEMPTS };
  // counted in advance: otherwise many concurrent attempts would all count as the first
  const attempt = await countHit(db, bucket, RATE_WINDOW);
  if (!attempt.allowed) throw new ServiceError('sign_in_rate_limited', { retryAfter: attempt.reset });
  const identity = await authenticate(registry, apiKey);
  if (identity === null) throw new ServiceError('credentials_invalid');
  await forgetHit(db, bucket, attempt);
  const token = randomBytes(32).toString('base64url');
  const now = clock();
  if (former !== undefined) await endSession(registry, former, false);
  const row = {
    token_hash: tokenHashOf(secrets, token),
    key_id: identity.keyId,
    begun_at: now,
    seen_at: now,
  };
  await db
    .insertInto('console_sessions')
    .values({ ...row, mac: secrets.rows.macOf('console_sessions', row) })
    .execute();
  await sql`
    delete from console_sessions where token_hash in (
      select token_hash from console_sessions where key_id = ${identity.keyId} order by begun_at desc offset ${MOST_SESSIONS})`.execute(
    db,
  );
  return { token, session: await getSession(registry, token) };
}

/** @throws ServiceError `session_missing` if it has ended meanwhile */
export async function getSession(registry: Registry, token: string): Promise<Session> {
  const row = await readSession(registry, token);
  if (row === null) throw new ServiceError('session_missing');
  return toView(row, token);
}

/** Ends a session, or with `everywhere` all sessions of its key. Idempotent. */
export async function endSession(
  { db, secrets }: Registry,
  token: string,
  everywhere: boolean,
): Promise<void> {
  const own = sql`token_hash = ${tokenHashOf(secrets, token)}`;
  const which = everywhere ? sql`key_id = (select key_id from console_sessions where ${own})` : own;
  await sql`delete from console_sessions where ${which}`.execute(db);
}

/** Deletes expired sessions. */
export async function purgeSessions({ db, clock }: Registry): Promise<void> {
  const now = clock().getTime();
  await sql`
    delete from console_sessions
    where seen_at < ${new Date(now - IDLE)} or begun_at < ${new Date(now - LIFE)}`.execute(db);
}

function toView(row: SessionRow, token: string): Session {
  const ends = row.begun_at.getTime() + LIFE;
  return {
    role: row.role,
    ...(row.merchant_id === null ? {} : { merchantId: row.merchant_id, merchantName: row.merchant ?? '' }),
    keyId: row.id,
    keyLabel: row.label,
    csrfToken: csrfTokenOf(token),
    startedAt: row.begun_at.toISOString(),
    idleEndsAt: new Date(Math.min(ends, row.seen_at.getTime() + IDLE)).toISOString(),
    endsAt: new Date(ends).toISOString(),
  };
}
