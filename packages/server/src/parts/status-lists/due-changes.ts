import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { type EntryValue, INVALID, SUSPENDED, VALID } from './entries.ts';

/** Changes of one publishing: few enough that its transaction is short. Of each merchant some, in turn. */
const MOST = { all: 10_000, ofMerchant: 5_000 };
/** Products of a merchant all of whose products are looked at, at a time. */
const WALKED = 5_000;
/** Seconds after which a change is looked at again: longer than a proof is in the making. */
const SECOND_LOOK = 60;
/** Seconds for which verifiers accept a proof after its end. */
const SKEW = 300;

interface DueChange {
  readonly id: string;
  readonly merchant_id: string | null;
  readonly product_id: string | null;
  readonly after: string | null;
  readonly again: boolean;
}

/** What the entries of proofs must be, by list. */
export type EntryChanges = ReadonlyMap<number, readonly (readonly [index: number, value: EntryValue])[]>;

export interface DueChanges {
  readonly entries: EntryChanges;
  /** Every list has to be signed again. */
  readonly all: boolean;
  /** Rows that were read. */
  readonly count: number;
}

/**
 * Takes changes that are due, those of few products first, and of each merchant in turn; what their entries must be follows from the
 * registry's present state, so that nothing depends on the order of changes.
 */
export async function takeDueChanges(trx: DatabaseTransaction, now: Date): Promise<DueChanges> {
  const { rows } = await sql<DueChange>`
    with recursive merchant as (
      (select merchant_id from status_changes where merchant_id is not null order by merchant_id limit 1)
      union all
      select (select c.merchant_id from status_changes c where c.merchant_id > m.merchant_id order by c.merchant_id limit 1)
      from merchant m where m.merchant_id is not null
    )
    select id, merchant_id, product_id, after, again from (
      select c.*, row_number() over (partition by c.merchant_id order by c.is_bulk, c.id) as nth
      from merchant m cross join lateral (
        select * from status_changes s where s.merchant_id = m.merchant_id and s.due_at <= now()
        order by s.is_bulk, s.id limit ${MOST.ofMerchant}) c
      where m.merchant_id is not null
      union all
      select c.*, 0 from status_changes c where c.merchant_id is null and c.due_at <= now()
    ) due order by is_bulk, nth, id limit ${MOST.all}`.execute(trx);
  const entries = new Map<number, (readonly [number, EntryValue])[]>();
  const walked = new Map<string, string>();
  const byMerchant = Map.groupBy(rows, ({ merchant_id }) => merchant_id);
  for (const [merchantId, changes] of byMerchant) {
    if (merchantId === null) continue;
    const named = changes.flatMap(({ product_id }) => product_id ?? []);
    await readEntries(trx, { merchantId, ids: [...new Set(named)], now }, entries);
    for (const change of changes) {
      if (change.product_id !== null) continue;
      const ids = await nextProducts(trx, merchantId, change.after);
      await readEntries(trx, { merchantId, ids, now }, entries);
      const last = ids.length < WALKED ? undefined : ids.at(-1);
      if (last !== undefined) walked.set(change.id, last);
    }
  }
  await settle(trx, rows, walked);
  return { entries, all: byMerchant.has(null), count: rows.length };
}

async function nextProducts(
  trx: DatabaseTransaction,
  merchantId: string,
  after: string | null,
): Promise<string[]> {
  const behind = after === null ? sql`` : sql`and id > ${after}`;
  const { rows } = await sql<{ id: string }>`
    select id from products where merchant_id = ${merchantId} ${behind} order by id limit ${WALKED}`.execute(
    trx,
  );
  return rows.map(({ id }) => id);
}

interface Wanted {
  readonly merchantId: string;
  readonly ids: readonly string[];
  readonly now: Date;
}

/** Of the live proofs of these products and of their images. */
async function readEntries(
  trx: DatabaseTransaction,
  { merchantId, ids, now }: Wanted,
  entries: Map<number, (readonly [number, EntryValue])[]>,
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<{ list: number; index: number; value: EntryValue }>`
    with changed as materialized (
      select p.id, p.withdrawn_at, m.paused,
        product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) as standing
      from products p join merchants m on m.id = p.merchant_id
      where p.merchant_id = ${merchantId} and p.id = any(${ids}::uuid[])
    ), subject as (
      select 'product' as kind, id as subject_id, id from changed
      union all
      select kind, i.id, i.product_id from images i cross join (values ('asset'), ('image')) kinds (kind)
        where i.merchant_id = ${merchantId} and i.product_id = any(${ids}::uuid[])
    )
    select proof.status_list as list, proof.status_index as index,
      case when proof.issued_at <= c.withdrawn_at or c.standing in ('deleted', 'disabled', 'host_lost') then ${INVALID}::integer
        when c.paused or c.standing <> 'active' then ${SUSPENDED}::integer else ${VALID}::integer end as value
    from subject s join changed c on c.id = s.id
    cross join lateral (
      select status_list, status_index, issued_at from proofs
      where merchant_id = ${merchantId} and kind = s.kind and subject_id = s.subject_id
        and status_list is not null and expires_at > ${new Date(now.getTime() - SKEW * 1000)}
      offset 0
    ) proof`.execute(trx);
  for (const { list, index, value } of rows) {
    const known = entries.get(list);
    if (known === undefined) entries.set(list, [[index, value]]);
    else known.push([index, value]);
  }
}

/** Exactly the rows that were read are gone, walk on, or are looked at once more. */
async function settle(
  trx: DatabaseTransaction,
  rows: readonly DueChange[],
  walked: ReadonlyMap<string, string>,
): Promise<void> {
  if (rows.length === 0) return;
  const ended = rows.filter(({ id }) => !walked.has(id));
  const isDone = ({ again, merchant_id }: DueChange) => !again || merchant_id === null;
  const idsOf = (some: readonly DueChange[]) => some.map(({ id }) => id);
  await sql`delete from status_changes where id = any(${idsOf(ended.filter(isDone))}::bigint[])`.execute(trx);
  await sql`
    update status_changes set again = false, after = null, due_at = now() + make_interval(secs => ${SECOND_LOOK})
    where id = any(${idsOf(ended.filter((row) => !isDone(row)))}::bigint[])`.execute(trx);
  await sql`
    update status_changes c set after = n.after
    from unnest(${[...walked.keys()]}::bigint[], ${[...walked.values()]}::uuid[]) as n (id, after)
    where c.id = n.id`.execute(trx);
}
