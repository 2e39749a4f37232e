import { sql } from 'kysely';
import type { LogPlace } from '../../core/certificates/proof-log.ts';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import type { NewLeaf } from './leaves.ts';
import { type Shard, type ShardId, shardName } from './shards.ts';

/** The merchants among these that have their domain hashed. */
export async function readHidden(
  db: Database | DatabaseTransaction,
  merchantIds: Iterable<string>,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('log_hidden_domains')
    .select('merchant_id')
    .where('merchant_id', 'in', [...merchantIds])
    .execute();
  return new Set(rows.map(({ merchant_id }) => merchant_id));
}

/**
 * Records leaves that are to be logged, each proof once.
 *
 * @param isDurable - whether to wait for the disk. Whoever waits for the inclusion need not: a leaf gets its place by a commit that does.
 *   A message in the WAL, which nobody reads, has the commit wait for leaves that were there already, and may not be on the disk yet.
 */
export async function insertLeaves(
  db: Database,
  leaves: readonly NewLeaf[],
  { isDurable }: { readonly isDurable: boolean },
): Promise<void> {
  await sql`
    with mode as (select set_config('synchronous_commit', ${isDurable ? 'on' : 'off'}, true),
      case when ${isDurable} then pg_logical_emit_message(true, 'touchstone', '') end)
    insert into log_leaves (proof, year, merchant_id, subject_id, domain_key, leaf)
    select made.proof, made.year, made.merchant_id, made.subject_id, made.domain_key, made.leaf
    from unnest(${leaves.map(({ proof }) => Buffer.from(proof))}::bytea[],
                ${leaves.map(({ year }) => year)}::integer[],
                ${leaves.map(({ merchantId }) => merchantId)}::uuid[],
                ${leaves.map(({ subjectId }) => subjectId)}::uuid[],
                ${leaves.map((leaf) => leaf.domainKey)}::text[],
                ${leaves.map(({ leaf }) => leaf)}::text[])
      as made (proof, year, merchant_id, subject_id, domain_key, leaf), mode
    order by made.proof
    on conflict (proof) do nothing`.execute(db);
}

export interface PlacedLeaf {
  readonly proof: Buffer;
  readonly year: number;
  /** Of its log in the year, and its place there; `null`: it has none yet. */
  readonly number: number | null;
  readonly index: number | null;
  readonly leaf: string;
}

/** The leaves of these proofs, in no order. */
export async function readLeaves(db: Database, proofs: readonly Uint8Array[]): Promise<PlacedLeaf[]> {
  const { rows } = await sql<PlacedLeaf>`
    select proof, year::int as year, number::int as number, index::float8 as index, leaf from log_leaves
    where proof = any(${proofs.map((proof) => Buffer.from(proof))}::bytea[])`.execute(db);
  return rows;
}

/** The place of a proof that the last checkpoint of its log has. */
export async function readPlace(db: Database, proof: Buffer): Promise<LogPlace | null> {
  const { rows } = await sql<LogPlace>`
    select s.origin, l.index::float8 as index from log_leaves l join log_shards s on s.year = l.year and s.number = l.number
    where l.proof = ${proof} and l.index < s.size`.execute(db);
  return rows[0] ?? null;
}

/** The leaves with these places, in their order. */
export async function readRange(
  trx: Database | DatabaseTransaction,
  { year, number }: ShardId,
  from: number,
  to: number,
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const { rows } = await sql<{ index: number; leaf: string }>`
    select index::float8 as index, leaf from log_leaves
    where year = ${year}::integer and number = ${number}::integer
      and index >= ${from}::bigint and index < ${to}::bigint order by index`.execute(trx);
  return rows.map(({ index, leaf }, at) => {
    if (index !== from + at)
      throw new Error(
        `leaf ${from + at} of the log ${shardName({ year, number })} is missing in the database`,
      );
    return new TextEncoder().encode(leaf);
  });
}

/**
 * Gives places to leaves that have none, in the order in which they were entered; the caller holds the lock of the log. It names those only
 * once that have none: a second time, PostgreSQL may search all of them for each, where its statistics say that they are few.
 *
 * @returns how many
 */
export async function assignPlaces(
  trx: DatabaseTransaction,
  { year, number, assigned }: Shard,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update log_leaves l set number = ${number}::integer, index = next.index
    from (select proof, ${assigned}::bigint + row_number() over (order by entered_at, proof) - 1 as index
      from (select proof, entered_at from log_leaves where year = ${year}::integer and index is null
        order by entered_at limit ${most}) waiting) next
    where l.proof = next.proof`.execute(trx);
  const count = Number(numAffectedRows ?? 0n);
  if (count > 0)
    await sql`update log_shards set assigned = assigned + ${count}::bigint
      where year = ${year}::integer and number = ${number}::integer`.execute(trx);
  return count;
}

/** Takes back places that were given after the last checkpoint that the database knows. */
export async function takePlacesBack(
  trx: DatabaseTransaction,
  { year, number }: ShardId,
  from: number,
): Promise<void> {
  await sql`update log_leaves set number = null, index = null
    where year = ${year}::integer and number = ${number}::integer and index >= ${from}::bigint`.execute(trx);
}

/** Records the places of published leaves that the database had forgotten. */
export async function adoptLeaves(
  trx: DatabaseTransaction,
  { year, number }: ShardId,
  leaves: readonly {
    readonly proof: Uint8Array;
    readonly index: number;
    readonly domainKey: string;
    readonly leaf: string;
  }[],
): Promise<void> {
  await sql`
    insert into log_leaves (proof, year, number, index, domain_key, leaf)
    select made.proof, ${year}::integer, ${number}::integer, made.index, made.domain_key, made.leaf
    from unnest(${leaves.map(({ proof }) => Buffer.from(proof))}::bytea[],
                ${leaves.map(({ index }) => index)}::bigint[],
                ${leaves.map((leaf) => leaf.domainKey)}::text[],
                ${leaves.map(({ leaf }) => leaf)}::text[]) as made (proof, index, domain_key, leaf)
    order by made.index
    on conflict (proof) do update set number = excluded.number, index = excluded.index`.execute(trx);
}
