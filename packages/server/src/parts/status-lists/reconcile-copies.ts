import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { codeOf } from '../../platform/database/database-fault.ts';
import { ifRefused, type ReadToken } from './list-copies.ts';
import { isMissedBy, type MergeOptions, mergeLists } from './merge-lists.ts';
import { isAuthentic, readTokens, tokenOfRow } from './token-table.ts';

/**
 * Compares the database with all copies, and closes the open lists if it is another than before: in one that was restored, or is a
 * standby that was promoted, entries may be free that were given out.
 *
 * @throws Error if the copies cannot be read, or are gone
 */
export async function compareCopies(options: MergeOptions): Promise<void> {
  const { db, copies, clock, logger } = options;
  const index = await copies.readIndex();
  const { rows } = await sql<{ copied: boolean; database: string | null }>`
    select copied, database from status_publisher`.execute(db);
  if (index === null && rows[0]?.copied === true)
    throw new Error(
      'the blob store holds no copies of status lists, which were written: it is another one, or lost them (operator guide, "Lost and leaked keys")',
    );
  const known = (await readTokens(db)).map(({ list_id }) => list_id);
  const forgotten = (index ?? []).filter((listId) => !known.includes(listId));
  await takeOverMissed(options, known, forgotten);
  const database = await identityOf(db);
  if (database === undefined || rows[0]?.database === database) return;
  if (rows[0]?.database !== null) {
    logger.warn('the database was moved, restored or promoted: new status lists are opened');
    await sql`update status_list_allocations set closed_at = ${clock()} where closed_at is null`.execute(db);
  }
  await sql`update status_publisher set database = ${database}`.execute(db);
}

/** SQLSTATEs of engines and roles that do not tell: undefined_function, insufficient_privilege, feature_not_supported. */
const UNTOLD = ['42883', '42501', '0A000'];

/** The cluster, its history (another one begins with each recovery and promotion) and the database in it. */
async function identityOf(db: Database): Promise<string | undefined> {
  try {
    const { rows } = await sql<{ identity: string }>`
      select concat_ws(' ', system_identifier, left(pg_walfile_name(pg_current_wal_lsn()), 8), oid) as identity
      from pg_control_system(), pg_database where datname = current_database()`.execute(db);
    return rows[0]?.identity;
  } catch (error) {
    if (!UNTOLD.includes(codeOf(error) ?? '')) throw error;
    return undefined;
  }
}

/** Compares, and then writes, the copies of these lists, or of all. The database may have been restored beneath running nodes. */
export async function copyLists(options: MergeOptions, ids: readonly number[] | undefined): Promise<void> {
  const { db, copies } = options;
  const listIds = ids ?? (await readTokens(db)).map(({ list_id }) => list_id);
  await takeOverMissed(options, listIds);
  for (const listId of listIds) {
    // what is published meanwhile, too
    for (let written: string | undefined; ; ) {
      const [row] = await readTokens(db, [listId]);
      if (row === undefined) await copies.remove(listId);
      // of others' rows, the copy is what the publisher goes on from
      const token = row === undefined || !isAuthentic(options, row) ? undefined : tokenOfRow(row);
      if (token === undefined || token === written) break;
      await copies.put(listId, token);
      written = token;
    }
  }
  if (ids !== undefined) return;
  await copies.writeIndex((await readTokens(db)).map(({ list_id }) => list_id));
  await sql`update status_publisher set copied = true where not copied`.execute(db);
}

/**
 * A copy that is newer than the database, or calls invalid what the database does not, means that the database was restored.
 *
 * @param known - lists that are in the database, or were a moment ago
 * @param forgotten - lists that are not
 */
async function takeOverMissed(
  options: MergeOptions,
  known: readonly number[],
  forgotten: readonly number[] = [],
): Promise<void> {
  const { db, copies, readToken, logger } = options;
  const missed: ReadToken[] = [];
  for (const listId of [...known, ...forgotten]) {
    const text = await copies.read(listId);
    if (text === null) continue;
    // read after the copy, which is written only of what was committed
    const [row] = await readTokens(db, [listId]);
    if (row === undefined ? known.includes(listId) : text === tokenOfRow(row)) continue;
    const token = await readToken(text).catch(
      ifRefused((err) => {
        logger.error({ err, listId }, 'the copy of a status list was not signed by this service');
        return null;
      }),
    );
    if (token?.listId === listId && (await isMissedBy(options, row, token))) missed.push(token);
  }
  const lists = missed.length === 0 ? [] : await mergeLists(options, missed, isMissedBy);
  if (lists.length > 0)
    logger.error(
      { lists },
      'the database is older than the status lists that were published: it was restored. What they call invalid was taken over, and new lists are opened',
    );
}
