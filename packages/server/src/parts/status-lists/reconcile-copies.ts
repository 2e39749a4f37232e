import type { Logger } from 'pino';
import type { Database } from '../../platform/database/database.ts';
import type { ListCopies, ReadToken } from './list-copies.ts';
import { type MergeOptions, mergeLists } from './merge-lists.ts';
import { readTokens, tokenOfRow } from './token-table.ts';

export interface CopyOptions {
  readonly db: Database;
  readonly copies: ListCopies;
}

export interface ReconcileOptions extends MergeOptions, CopyOptions {
  readonly logger: Logger;
  /** @throws TokenRefused */
  readonly readToken: (token: string) => Promise<ReadToken>;
}

/**
 * Compares the copies with the database. A copy that is newer than the row means that the database is older than what was published: it
 * was restored. Copies that are older or missing are written.
 */
export async function reconcileCopies(options: ReconcileOptions): Promise<void> {
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

/** Writes the copies of these lists, or of all; what was published meanwhile, too. */
export async function copyLists(
  { db, copies }: CopyOptions,
  ids: readonly number[] | undefined,
): Promise<void> {
  for (const row of await readTokens(db, ids)) {
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
