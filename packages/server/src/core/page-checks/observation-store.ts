import { randomUUID } from 'node:crypto';
import type { Observation } from '@touchstone/page';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { SpentRow } from '../../platform/database/rate-windows.ts';
import type { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { type StorageUser, spendStorage, storageRefusal } from './fetch-budgets.ts';
import { observationSeconds } from './observe-settings.ts';
import type { PageAddress } from './page-address.ts';
import { keepText, type PageText, packText } from './page-texts.ts';
import type { LoadReading } from './reading-cache.ts';

/** What decides whether an observation may be used again. */
export interface ObservationAge {
  readonly failed: boolean;
  /** When its fetch began, by the database's clock, in microseconds since 1970. */
  readonly begun: number;
  /** Seconds since then. */
  readonly age: number;
}

export interface StoredObservation extends ObservationAge {
  readonly observation: Observation;
}

/** A stored observation, without its reading, which several observations may share. */
export interface PackedObservation {
  /** JSON. */
  readonly text: string;
  readonly reading: PageText | null;
}

/** The right to fetch one address, held by one shared fetch of one node. */
export interface FetchLease {
  readonly key: string;
  readonly holder: string;
  /** When it was taken, by the database's clock, in microseconds since 1970. */
  readonly begun: number;
}

/** Seconds: for no longer does a node that dies block an address. */
const LEASE_SECONDS = 5;
/** Milliseconds between renewals. */
const RENEWAL_INTERVAL = 1_500;

const expiry = sql`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`;

/**
 * The latest observation of an address by the beginning of its fetch, if it can be used.
 *
 * @param isUsable - called before the reading is loaded
 */
export async function latestObservation(
  db: Database,
  { seal }: DatabaseSecrets,
  { key, url }: Pick<PageAddress, 'key' | 'url'>,
  isUsable: (age: ObservationAge) => boolean,
  loadReading: LoadReading,
): Promise<StoredObservation | null> {
  const row = await db
    .selectFrom('observations')
    .select([
      'id',
      'observation',
      'failed',
      'reading',
      sql<string>`(extract(epoch from fetched_at) * 1000000)::bigint::text`.as('begun'),
      sql<number>`extract(epoch from clock_timestamp() - fetched_at)::float8`.as('age'),
    ])
    .where('url_key', '=', key)
    // an observation with a time in the future, from before the clock was set back, would hide later ones
    .where('fetched_at', '<=', sql<Date>`clock_timestamp()`)
    .orderBy('fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const age = { failed: row.failed, begun: Number(row.begun), age: row.age };
  if (!isUsable(age)) return null;
  const observation = JSON.parse(
    seal.open(sealedAs(row.id, key, row.reading), row.observation).toString(),
  ) as Observation;
  if (observation.url !== url)
    throw new Error('An observation is not of the address under which it is stored.');
  const { outcome } = observation;
  if (row.reading === null || outcome.kind !== 'page') return { observation, ...age };
  const reading = await loadReading(row.reading);
  if (reading === null) return null;
  return { observation: { ...observation, outcome: { ...outcome, reading } }, ...age };
}

/** With the address and the text to which the row refers, so that neither can be replaced by another. */
const sealedAs = (id: string, key: string, reading: Buffer | null) =>
  `observation ${id} of ${key} with ${reading?.toString('hex') ?? 'nothing'}`;

export async function packObservation(
  secrets: DatabaseSecrets,
  { outcome, ...observation }: Observation,
): Promise<PackedObservation> {
  if (outcome.kind !== 'page') return { text: JSON.stringify({ ...observation, outcome }), reading: null };
  const { reading, ...rest } = outcome;
  return {
    text: JSON.stringify({ ...observation, outcome: rest }),
    reading: await packText(secrets, JSON.stringify(reading)),
  };
}

/** The result of one fetch. */
export interface FetchedObservation {
  /** The lease under which the page was fetched. */
  readonly lease: FetchLease;
  readonly age: Pick<ObservationAge, 'begun' | 'failed'>;
  readonly packed: PackedObservation;
}

/** Overhead of a row in bytes, including indexes. */
const ROW_BYTES = 300;

/**
 * Stores an observation and releases its lease, atomically, so that waiting nodes see either. If the storage budget is spent,
 * only the lease is released.
 *
 * @returns the refusal if the budget is spent, else `null`
 */
export async function recordObservation(
  db: Database,
  secrets: DatabaseSecrets,
  observed: FetchedObservation,
  keeper: StorageUser,
): Promise<ServiceError | null> {
  const { key, holder } = observed.lease;
  const { begun, failed } = observed.age;
  const { text, reading } = observed.packed;
  const room = sql`from spent where refused is null`;
  const id = randomUUID();
  const sealed = secrets.seal.seal(sealedAs(id, key, reading?.digest ?? null), Buffer.from(text));
  const bytes = ROW_BYTES + sealed.byteLength;
  const shared =
    reading === null ? sql`select` : keepText(reading, observationSeconds(keeper.settings), room);
  const { rows } = await sql<SpentRow>`
    with ${spendStorage(bytes, reading, keeper)},
      released as (delete from fetch_leases where url_key = ${key} and holder = ${holder}::uuid),
      shared as (${shared}),
      recorded as (
        insert into observations (id, url_key, fetched_at, failed, observation, reading)
        select ${id}::uuid, ${key}, to_timestamp(${begun} / 1000000.0), ${failed}::boolean, ${sealed}::bytea,
          ${reading?.digest ?? null}::bytea ${room})
    select refused, reset from spent`.execute(db);
  return storageRefusal(rows[0]);
}

/** Takes the lease of an address if it is free, or if its holder has not renewed it in time. */
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

/** Renews a lease during `work`. A renewal that fails only means that another node may fetch, too. */
export async function whileHeld<T>(db: Database, lease: FetchLease, work: () => Promise<T>): Promise<T> {
  const renew = () =>
    db
      .updateTable('fetch_leases')
      .set({ expires_at: sql<Date>`${expiry}` })
      .where('url_key', '=', lease.key)
      .where('holder', '=', lease.holder)
      .execute()
      .catch(() => {});
  const timer = setInterval(renew, RENEWAL_INTERVAL);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** Releases a lease without an observation: the fetch was refused, or failed on our side. */
export async function releaseLease(db: Database, { key, holder }: FetchLease): Promise<void> {
  await db.deleteFrom('fetch_leases').where('url_key', '=', key).where('holder', '=', holder).execute();
}
