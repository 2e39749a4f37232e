import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { type EntryValue, INVALID, SUSPENDED, VALID } from './entries.ts';

/** Rows about few products each that one publishing looks at. */
const MOST_SMALL = 1_000;
/** Proofs of a merchant that are looked at by one statement. */
const TOGETHER = 20_000;
/** Proofs that may be in the making at a time, the numbers of others that were made before them. */
const IN_MAKING = 10_000;
/** Seconds after which a change is looked at again: longer than a proof is in the making. */
const SECOND_LOOK = 60;
/** Seconds for which verifiers accept a proof after its end. */
const SKEW = 300;

interface DueChange {
  readonly id: string;
  readonly merchant_id: string | null;
  readonly product_ids: readonly string[] | null;
  readonly after: string | null;
  readonly again: boolean;
}

/** Entries of a list, as numbers of four bytes, and what they must be. */
interface EntryChange {
  readonly indices: Buffer;
  readonly value: EntryValue;
}

export interface DueChanges {
  /** By list. */
  readonly entries: ReadonlyMap<number, readonly EntryChange[]>;
  /** Every list has to be signed again. */
  readonly all: boolean;
  /** Rows that were read. */
  readonly count: number;
}

/**
 * Takes changes that are due: those of few products, and then of the others what can be looked at until `isTime`. What their entries must
 * be follows from the registry's present state, so that nothing depends on the order of changes.
 */
export async function takeDueChanges(
  trx: DatabaseTransaction,
  now: Date,
  isTime: () => boolean,
): Promise<DueChanges> {
  const entries = new Map<number, EntryChange[]>();
  const read: Read = { trx, entries, living: new Date(now.getTime() - SKEW * 1000) };
  const { rows: few } = await dueRows(trx, sql`not is_bulk order by due_at, id limit ${MOST_SMALL}`);
  for (const [merchantId, rows] of Map.groupBy(few, ({ merchant_id }) => merchant_id))
    if (merchantId !== null)
      await readProducts(
        read,
        merchantId,
        rows.flatMap(({ product_ids }) => product_ids ?? []),
      );
  await settle(trx, few);
  let count = few.length;
  while (!isTime()) {
    // what walks through all of a merchant comes after what does not, and who is behind comes first
    const { rows } = await dueRows(trx, sql`is_bulk order by after nulls first, id limit 1`);
    const [row] = rows;
    if (row === undefined) break;
    count += 1;
    const isEnded = await lookAt(read, row);
    if (isEnded) await settle(trx, rows);
  }
  return { entries, all: few.some(({ merchant_id }) => merchant_id === null), count };
}

const dueRows = (trx: DatabaseTransaction, which: RawBuilder<unknown>) =>
  sql<DueChange>`
    select id, merchant_id, product_ids, after, again from status_changes where due_at <= now() and ${which}`.execute(
    trx,
  );

interface Read {
  readonly trx: DatabaseTransaction;
  readonly entries: Map<number, EntryChange[]>;
  /** Proofs that ended before it are accepted by nobody. */
  readonly living: Date;
}

/** @returns whether there is nothing more to look at */
async function lookAt(read: Read, { id, merchant_id, product_ids, after }: DueChange): Promise<boolean> {
  if (merchant_id === null) return true;
  if (product_ids !== null) {
    await readProducts(read, merchant_id, product_ids);
    return true;
  }
  const last = await readNext(read, merchant_id, after);
  if (last === undefined) return true;
  await sql`
    update status_changes set after = ${last}, later = coalesce(later, (
      select max(id) - ${IN_MAKING} from proofs where merchant_id = ${merchant_id}))
    where id = ${id}`.execute(read.trx);
  return false;
}

/** The living proofs of these products and of their images. */
async function readProducts(read: Read, merchantId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await readEntries(
    read,
    merchantId,
    sql`
      with product as materialized (select distinct id from unnest(${ids}::uuid[]) id),
        subject as (
          select 'product' as kind, id as subject_id, id from product
          union all
          select kind, i.id, i.product_id from images i cross join (values ('asset'), ('image')) kinds (kind)
          where i.merchant_id = ${merchantId} and i.product_id in (select id from product))
      select s.id as product_id, proof.* from subject s cross join lateral (
        select expires_at, status_list, status_index, issued_at from proofs
        where merchant_id = ${merchantId} and kind = s.kind and subject_id = s.subject_id offset 0) proof`,
  );
}

/**
 * The next proofs of the merchant, in the order in which they were made.
 *
 * @returns the last one; `undefined`: there are no more
 */
async function readNext(read: Read, merchantId: string, after: string | null): Promise<string | undefined> {
  const { rows } = await sql<{ last: string | null }>`
    select max(id) as last from (
      select id from proofs where merchant_id = ${merchantId} and id > ${after ?? 0}::bigint order by id limit ${TOGETHER}) next`.execute(
    read.trx,
  );
  const last = rows[0]?.last ?? undefined;
  if (last === undefined) return undefined;
  await readEntries(
    read,
    merchantId,
    sql`
      select case kind when 'product' then subject_id else (
          select i.product_id from images i where i.merchant_id = ${merchantId} and i.id = subject_id) end as product_id,
        expires_at, status_list, status_index, issued_at
      from proofs where merchant_id = ${merchantId} and id > ${after ?? 0}::bigint and id <= ${last}::bigint`,
  );
  return last;
}

/** @param proofs - a query of proofs, and the product of each */
async function readEntries(
  { trx, entries, living }: Read,
  merchantId: string,
  proofs: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ list: number; value: EntryValue; indices: Buffer }>`
    select list, value, string_agg(int4send(index), ''::bytea) as indices from (
      select f.status_list as list, f.status_index as index,
        case when f.issued_at <= p.withdrawn_at or p.standing in ('deleted', 'disabled', 'host_lost') then ${INVALID}::integer
          when p.paused or p.standing <> 'active' then ${SUSPENDED}::integer else ${VALID}::integer end as value
      from (${proofs}) f cross join lateral (
        select p.withdrawn_at, m.paused,
          product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) as standing
        from products p join merchants m on m.id = p.merchant_id
        where p.merchant_id = ${merchantId} and p.id = f.product_id) p
      where f.status_list is not null and f.expires_at > ${living}) entry
    group by list, value`.execute(trx);
  for (const { list, value, indices } of rows) {
    const known = entries.get(list);
    if (known === undefined) entries.set(list, [{ value, indices }]);
    else known.push({ value, indices });
  }
}

/**
 * Exactly the rows that were looked at are gone, or are looked at once more: of a whole merchant, those proofs that may have been in the making
 * at the first time.
 */
async function settle(trx: DatabaseTransaction, rows: readonly DueChange[]): Promise<void> {
  const [done, again] = [[] as string[], [] as string[]];
  for (const row of rows) (row.again && row.merchant_id !== null ? again : done).push(row.id);
  if (done.length > 0) await sql`delete from status_changes where id = any(${done}::bigint[])`.execute(trx);
  if (again.length > 0)
    await sql`
      update status_changes set again = false, after = later, due_at = now() + make_interval(secs => ${SECOND_LOOK})
      where id = any(${again}::bigint[])`.execute(trx);
}
