import type { Logger } from 'pino';
import { mergeEntries } from './entries.ts';
import type { ListCopies, ReadToken } from './list-copies.ts';
import { type MergeOptions, mergeLists } from './merge-lists.ts';
import { isAuthentic, readTokens, stateOfRow, type TokenRow, tokenOfRow } from './token-table.ts';

export interface CopyOptions extends MergeOptions {
  readonly copies: ListCopies;
  readonly logger: Logger;
  /** @throws TokenRefused */
  readonly readToken: (token: string) => Promise<ReadToken>;
}

/**
 * Compares the copies with the database. A copy that is newer than the row means that the database is older than what was published: it
 * was restored. Copies that are older or missing are written.
 */
export async function reconcileCopies(options: CopyOptions): Promise<void> {
  const { db, copies, readToken, logger } = options;
  const rows = new Map((await readTokens(db)).map((row) => [row.list_id, row]));
  const missed: ReadToken[] = [];
  for (const listId of new Set([...rows.keys(), ...(await copies.readIndex())])) {
    const text = await copies.read(listId);
    const row = rows.get(listId);
    if (text === null || (row !== undefined && text === tokenOfRow(row))) continue;
    const token = await readToken(text).catch((error: unknown) => {
      logger.error({ err: error, listId }, 'the copy of a status list was not signed by this service');
      return null;
    });
    if (token?.listId !== listId) continue;
    if (row === undefined || token.issuedAt > row.issued_at) missed.push(token);
  }
  // what another node has published meanwhile is no sign of a restore
  const lists = missed.length === 0 ? [] : await mergeLists(options, missed, 'newer');
  if (lists.length > 0)
    logger.error(
      { lists },
      'the database is older than the status lists that were published: it was restored. What they call invalid was taken over, and new lists are opened',
    );
  await copyLists(options, undefined);
}

/**
 * Writes the copies of these lists, or of all; what was published meanwhile, too. What a copy calls invalid and the database does not is
 * taken over first: the database was restored beneath running nodes, or while the copies could not be read.
 */
export async function copyLists(options: CopyOptions, ids: readonly number[] | undefined): Promise<void> {
  const { db, copies, logger } = options;
  for (const { list_id } of await readTokens(db, ids)) {
    const text = await copies.read(list_id);
    // read after the copy, which is written only of what was committed
    const [before] = await readTokens(db, [list_id]);
    const forgotten = before === undefined || text === null ? null : await forgottenBy(options, before, text);
    if (forgotten !== null) {
      await mergeLists(options, [forgotten]);
      logger.error(
        { lists: [list_id] },
        'the database has forgotten what a status list calls invalid: it was taken over',
      );
    }
    const [row] = await readTokens(db, [list_id]);
    if (row === undefined) continue;
    let token = tokenOfRow(row);
    for (;;) {
      await copies.put(row.list_id, token);
      const [present] = await readTokens(db, [row.list_id]);
      if (present === undefined) await copies.remove(row.list_id);
      if (present === undefined || tokenOfRow(present) === token) break;
      token = tokenOfRow(present);
    }
  }
  if (ids === undefined) await copies.writeIndex((await readTokens(db)).map(({ list_id }) => list_id));
}

/** The copy, if it calls invalid what the database does not. */
async function forgottenBy(options: CopyOptions, row: TokenRow, text: string): Promise<ReadToken | null> {
  if (text === tokenOfRow(row) || !isAuthentic(options, row)) return null;
  const copy = await options.readToken(text).catch(() => null);
  if (copy?.listId !== row.list_id) return null;
  const { entries } = await stateOfRow(row);
  const merged = mergeEntries(copy.entries, entries);
  return Buffer.compare(merged, entries) === 0 ? null : copy;
}
