import { randomUUID } from 'node:crypto';
import type { Observation } from '@touchstone/page';
import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { ObservedUrl } from './observed-url.ts';

/** An observation with what decides whether it may be used again. */
export interface StoredObservation {
  readonly observation: Observation;
  readonly failed: boolean;
  /** When its fetch began, by the database's clock, in microseconds since 1970. */
  readonly begun: number;
  /** Seconds since then. */
  readonly age: number;
}

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

/** Keeps an observation and gives up its lease, both or neither: a follower sees the one or the other. */
export async function recordObservation(
  db: Database,
  { key, href }: ObservedUrl,
  holder: string,
  stored: StoredObservation,
): Promise<void> {
  const text = JSON.stringify(stored.observation);
  await sql`
    with released as (delete from fetch_leases where url_key = ${key} and holder = ${holder}::uuid)
    insert into observations (id, url_key, url, fetched_at, failed, observation)
    values (${randomUUID()}, ${key}, ${href}, to_timestamp(${stored.begun} / 1000000.0), ${stored.failed}, ${text})
  `.execute(db);
}
