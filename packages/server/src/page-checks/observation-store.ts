import { randomUUID } from 'node:crypto';
import type { Observation } from '@touchstone/page';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { PageAddress } from './page-address.ts';

/** An observation with what decides whether it may be used again. */
export interface StoredObservation {
  readonly observation: Observation;
  readonly failed: boolean;
  /** When its fetch began, by the database's clock, in microseconds since 1970. */
  readonly begun: number;
  /** Seconds since then. */
  readonly age: number;
}

/** The right to fetch one address, held by one shared fetch of one node. */
export interface FetchLease {
  readonly key: string;
  readonly holder: string;
  /** When it was taken, by the database's clock, in microseconds since 1970. */
  readonly begun: number;
}

/** Seconds; a node that dies leaves an address unfetched no longer than this. */
const LEASE_SECONDS = 5;
/** Milliseconds between renewals. */
const RENEW_EVERY = 1_500;

const expiry = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/** The latest observation of an address, by when its fetch began. */
export async function latestObservation(db: Database, key: string): Promise<StoredObservation | null> {
  const row = await db
    .selectFrom('observations')
    .select([
      'observation',
      'failed',
      sql<string>`(extract(epoch from fetched_at) * 1000000)::bigint::text`.as('begun'),
      sql<number>`extract(epoch from clock_timestamp() - fetched_at)::float8`.as('age'),
    ])
    .where('url_key', '=', key)
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const observation = JSON.parse(row.observation) as Observation;
  return { observation, failed: row.failed, begun: Number(row.begun), age: row.age };
}

/** Keeps an observation and gives up its lease, both or neither: whoever waits sees the one or the other. */
export async function recordObservation(
  db: Database,
  { key, url }: PageAddress,
  holder: string,
  stored: StoredObservation,
): Promise<void> {
  const text = JSON.stringify(stored.observation);
  await sql`
    with released as (delete from fetch_leases where url_key = ${key} and holder = ${holder}::uuid)
    insert into observations (id, url_key, url, fetched_at, failed, observation)
    values (${randomUUID()}, ${key}, ${url}, to_timestamp(${stored.begun} / 1000000.0), ${stored.failed}, ${text})
  `.execute(db);
}

/** Takes the lease of an address if nobody holds it, or if its holder has not renewed it in time. */
export async function takeLease(db: Database, key: string, holder: string): Promise<FetchLease | null> {
  const { rows } = await sql<{ begun: string }>`
    insert into fetch_leases as lease (url_key, holder, begun_at, expires_at)
    values (${key}, ${holder}::uuid, clock_timestamp(), ${expiry})
    on conflict (url_key) do update
      set holder = excluded.holder, begun_at = clock_timestamp(), expires_at = ${expiry}
      where lease.expires_at <= clock_timestamp()
    returning (extract(epoch from begun_at) * 1000000)::bigint::text as begun`.execute(db);
  const row = rows[0];
  return row === undefined ? null : { key, holder, begun: Number(row.begun) };
}

/** Keeps a lease from expiring while `work` is under way. A renewal that fails only lets another node fetch too. */
export async function whileHeld<T>(db: Database, lease: FetchLease, work: () => Promise<T>): Promise<T> {
  const renew = () =>
    db
      .updateTable('fetch_leases')
      .set({ expires_at: sql<Date>`${expiry}` })
      .where('url_key', '=', lease.key)
      .where('holder', '=', lease.holder)
      .execute()
      .catch(() => {});
  const timer = setInterval(renew, RENEW_EVERY);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Gives a lease up without an observation: the fetch was refused, or failed for a reason of ours. */
export async function releaseLease(db: Database, { key, holder }: FetchLease): Promise<void> {
  await db.deleteFrom('fetch_leases').where('url_key', '=', key).where('holder', '=', holder).execute();
}
