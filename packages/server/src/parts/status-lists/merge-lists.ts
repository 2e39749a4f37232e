import { STATUS_LIST_SIZE } from '@touchstone/certificate/withdrawal';
import { sql } from 'kysely';
import type { SigningKeys } from '../../core/keys/open-proof-keys.ts';
import { announce } from '../../platform/cache/announce.ts';
import { type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { lockFor } from '../../platform/database/locks.ts';
import { mergeEntries } from './entries.ts';
import type { ReadToken } from './list-copies.ts';
import { orderMerchants } from './order-changes.ts';
import type { PublishingOptions } from './publish-lists.ts';
import { isAuthentic, readTokens, stateOfRow, type TokenRow, writeToken } from './token-table.ts';
import { type MergedList, withdrawForgotten } from './withdraw-forgotten.ts';

export interface MergeOptions extends PublishingOptions {
  /** Keys of proofs: one that was revoked is revoked again. */
  readonly proofKeys: Pick<SigningKeys, 'revoke'>;
}

type IsMissed = (
  options: Pick<MergeOptions, 'secrets'>,
  row: TokenRow | undefined,
  token: ReadToken,
) => Promise<boolean>;

/** Whether the token is newer than what the database holds of its list, or calls invalid what that does not. */
export const isMissedBy: IsMissed = async (options, row, token) => {
  if (row === undefined || row.issued_at < token.issuedAt) return true;
  if (!isAuthentic(options, row)) return false;
  const { entries } = await stateOfRow(row);
  return Buffer.compare(mergeEntries(token.entries, entries), entries) !== 0;
};

/**
 * Takes over what these tokens call invalid, so that nothing withdrawn comes back, and closes the open lists: the database may be older
 * than what was published, so that the entries that follow may have been given out before.
 *
 * @param isMissed - which of them, when no other process publishes or merges. Default: all
 * @returns the lists that were merged
 */
export async function mergeLists(
  options: MergeOptions,
  given: readonly ReadToken[],
  isMissed: IsMissed = async () => true,
): Promise<readonly number[]> {
  const { db, clock } = options;
  const merged = await inTransaction(db, async (trx) => {
    await lockFor(trx, 'status lists');
    await sql`select from status_publisher for update`.execute(trx);
    const now = clock();
    const rows = new Map(
      (
        await readTokens(
          trx,
          given.map(({ listId }) => listId),
        )
      ).map((row) => [row.list_id, row]),
    );
    const tokens: ReadToken[] = [];
    for (const token of given) if (await isMissed(options, rows.get(token.listId), token)) tokens.push(token);
    if (tokens.length === 0) return tokens;
    const lists: MergedList[] = [];
    for (const token of tokens) lists.push(await mergeToken(trx, options, token, rows.get(token.listId)));
    await withdrawForgotten(trx, options, lists);
    await sql`update status_list_allocations set closed_at = ${now} where closed_at is null`.execute(trx);
    await options.emit(trx, 'publicDocumentsChanged', { now });
    // of any merchant
    await announce(trx, ['*']);
    await sql`update status_publisher set restored_at = ${now}`.execute(trx);
    // the present state decides what is suspended
    await orderMerchants(trx, sql`select id from merchants`);
    return tokens;
  });
  for (const kid of new Set(merged.flatMap(({ revokedKids }) => revokedKids)))
    await options.proofKeys.revoke(kid);
  return merged.map(({ listId }) => listId);
}

async function mergeToken(
  trx: DatabaseTransaction,
  options: MergeOptions,
  token: ReadToken,
  row: TokenRow | undefined,
): Promise<MergedList> {
  const { listId, baseUrl, issuedAt } = token;
  if (row === undefined) {
    const now = options.clock();
    await trx
      .insertInto('status_list_allocations')
      .values({
        id: listId,
        base_url: baseUrl,
        opened_at: now,
        closed_at: now,
        taken: STATUS_LIST_SIZE,
        // gives out nothing
        order_key: Buffer.alloc(0),
      })
      .execute();
  }
  const own = row !== undefined && isAuthentic(options, row) ? await stateOfRow(row) : undefined;
  const isNewer = own === undefined || own.issuedAt < issuedAt;
  const [older, newer] = isNewer ? [own?.entries, token.entries] : [token.entries, own.entries];
  const entries = older === undefined ? newer : mergeEntries(older, newer);
  const after = isNewer ? issuedAt : own.issuedAt;
  const revokedKids = [...new Set([...(own?.revokedKids ?? []), ...token.revokedKids])];
  await writeToken(trx, options, { listId, baseUrl, entries, revokedKids, after });
  return { listId, entries };
}
