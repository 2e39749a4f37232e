import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/** The right to fetch one address, held by one flight of one node. */
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
