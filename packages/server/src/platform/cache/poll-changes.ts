import { sql } from 'kysely';
import { type Database, inTransaction } from '../database/database.ts';
import { StandbyError } from '../database/database-fault.ts';
import { type ChangeListenerOptions, connectSession, type Session } from './change-listener.ts';
import { changesOf } from './changes.ts';

/** How a node hears of changes: by notifications of PostgreSQL, or by reading a table at each heartbeat. */
export type ChangeWay = 'listen' | 'poll';

/**
 * Has changes announced in this way, too. Ends only when every transaction that announced without it has ended: those whose
 * announcements are not to be missed.
 */
export async function addChangeWay(db: Database, way: ChangeWay): Promise<void> {
  const known = await db.selectFrom('change_ways').select('way').where('way', '=', way).executeTakeFirst();
  if (known !== undefined) return;
  await inTransaction(db, async (trx) => {
    // whoever announces reads the table, and so holds a lock of it until its end
    await sql`lock table change_ways in access exclusive mode`.execute(trx);
    await trx
      .insertInto('change_ways')
      .values({ way })
      .onConflict((row) => row.doNothing())
      .execute();
  });
}

/** Minutes. Far longer than a reader is without an answer before it takes anything for changed. */
const KEPT = 10;
const DELETED_AT_ONCE = 10_000;

/** Deletes announcements that every reader has read, or has given up. @returns how many */
export async function deleteOldChanges(db: Database): Promise<number> {
  let count = 0;
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; count += deleted) {
    const { numAffectedRows } = await sql`
      delete from changes where (slot, number) in (
        select slot, number from changes where created_at < now() - make_interval(mins => ${KEPT})
        order by created_at limit ${DELETED_AT_ONCE})`.execute(db);
    deleted = Number(numAffectedRows ?? 0n);
  }
  return count;
}

/** With one row at least, whose slot is null if there is nothing. */
interface Row {
  readonly standby: boolean;
  readonly slot: number | null;
  /** Of the slot, and of the announcement; bigint, as text. */
  readonly last: string | null;
  readonly number: string | null;
  readonly payloads: string[] | null;
}

const withPlace = (slots: string) => `
  select pg_is_in_recovery() as standby, slot, last::text as last, number::text as number, payloads
  from (values (1)) one left join (${slots}) slots on true order by slot, slots.number`;
const SLOTS = withPlace(
  'select slot, number as last, null::bigint as number, null::text[] as payloads from change_slots',
);
/** Slots with something new, with what is new: of one snapshot, since it is one statement. */
const NEWS = withPlace(`
  select s.slot, s.number as last, c.number, c.payloads
  from change_slots s
  left join unnest($1::integer[], $2::bigint[]) as known (slot, number) on known.slot = s.slot
  left join changes c on c.slot = s.slot and c.number > coalesce(known.number, 0)
  where s.number <> coalesce(known.number, 0)`);

/**
 * Reads changes from a table, for databases without LISTEN. It takes no
 * further statement: each heartbeat reads.
 *
 * Nothing is missed: a read that began after a commit sees the number that the transaction gave its slot, and what has this number; and
 * a slot's numbers are committed in their order, so that no smaller one appears later. If one in between was deleted, or the number has
 * decreased, as in a restored database, anything may have changed.
 */
export async function openPolling(options: ChangeListenerOptions, stop: AbortSignal): Promise<Session> {
  const { query, lost, destroy } = await connectSession(options, stop, () => {});
  const known = new Map<number, bigint>();
  const read = async (text: string, values: unknown[] = []): Promise<boolean> => {
    const rows = (await query(text, values)).rows as Row[];
    if (rows[0]?.standby !== false) throw new StandbyError();
    let isComplete = true;
    const ends = new Map<number, bigint>();
    for (const { slot, last, number, payloads } of rows) {
      if (slot === null || last === null) continue;
      ends.set(slot, BigInt(last));
      const before = known.get(slot) ?? 0n;
      const next = BigInt(number ?? last);
      if (number === null || next !== before + 1n) isComplete = false;
      known.set(slot, next);
      for (const payload of payloads ?? []) changesOf(payload).forEach(options.hub.publish);
    }
    // the last announcement of a slot is missing
    for (const [slot, end] of ends) {
      if (known.get(slot) !== end) isComplete = false;
      known.set(slot, end);
    }
    return isComplete;
  };
  return {
    begin: async () => void (await read(SLOTS)),
    async beat() {
      const isComplete = await read(NEWS, [[...known.keys()], [...known.values()].map(String)]);
      if (!isComplete) options.hub.publish('*');
    },
    lost,
    destroy,
  };
}
