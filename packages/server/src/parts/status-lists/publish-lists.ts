import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import { readSigningKeys } from '../../core/keys/key-store.ts';
import type { Emit } from '../../core/registry/events.ts';
import {
  type Database,
  type DatabaseTransaction,
  inTransaction,
  onlyRow,
} from '../../platform/database/database.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { type DueChanges, takeDueChanges } from './due-changes.ts';
import { changeEntry, type Entries, noEntries } from './entries.ts';
import { ifRefused, type ListCopies, type ReadToken } from './list-copies.ts';
import { orderMerchants } from './order-changes.ts';
import {
  isAuthentic,
  readTokens,
  stateOfRow,
  type TokenOptions,
  type TokenRow,
  writeToken,
} from './token-table.ts';

export interface PublishingOptions extends TokenOptions {
  readonly db: Database;
  readonly secrets: Pick<DatabaseSecrets, 'hash' | 'rows'>;
  readonly emit: Emit;
  readonly copies: ListCopies;
  /** @throws TokenRefused */
  readonly readToken: (token: string) => Promise<ReadToken>;
  readonly logger: Logger;
}

/** Milliseconds after which a list is signed again, long before its token ends. */
const SIGNED_FOR = 3_600_000;
/** Milliseconds for which lists name a revoked key: as long as keys stay published, since copies of a key set may be as old. */
const REVOKED_FOR = 400 * 86_400_000;

/** Milliseconds between two publishings: each token is dated later than the one before, and none in the future. */
const BETWEEN = 1_000;
/** Milliseconds that changes of many products may keep others waiting, where nothing else has to be waited for. */
const MOST_BULK = 500;

export interface Published {
  /** Lists with a new token. */
  readonly lists: readonly number[];
  /** Changes that were looked at. */
  readonly changes: number;
}

/**
 * Brings lists up to date: one node at a time, in one transaction, from the present state of the registry. A publisher that ends anywhere
 * loses nothing: what it had read is still due.
 *
 * @returns `null` if a node is publishing, or was a second ago and there is nothing to do meanwhile
 */
export async function publishLists(options: PublishingOptions): Promise<Published | null> {
  const { db, clock } = options;
  const isDue = await whatIsDue(options);
  if (!isDue.anything) return { lists: [], changes: 0 };
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ age: number | null }>`
      select extract(epoch from clock_timestamp() - published_at)::float8 * 1000 as age from status_publisher
      for update skip locked`.execute(trx);
    const [lock] = rows;
    if (lock === undefined) return null;
    const begun = performance.now();
    // one that was published in the future was by a clock that was set back
    const wait = lock.age === null || lock.age < 0 ? 0 : Math.max(0, BETWEEN - lock.age);
    if (wait > 0 && !isDue.bulk) return null;
    const now = clock();
    const until = begun + Math.max(wait, MOST_BULK);
    const due = await takeDueChanges(trx, now, () => performance.now() >= until);
    const stale = await staleLists(trx, options, now);
    const ids = due.all ? undefined : [...new Set([...due.entries.keys(), ...stale])];
    if (ids?.length === 0) return { lists: [], changes: due.count };
    await delay(Math.max(0, begun + wait - performance.now()));
    const keys = await readProofKeys(trx, options, now);
    const lists: number[] = [];
    for (const row of await readTokens(trx, ids)) {
      const isAnew = due.all || stale.includes(row.list_id);
      if (await publishList(trx, options, { row, due, isDue: isAnew, keys })) lists.push(row.list_id);
    }
    if (lists.length > 0) {
      await sql`update status_publisher set published_at = clock_timestamp()`.execute(trx);
      await options.emit(trx, 'publicDocumentsChanged', { now });
    }
    return { lists, changes: due.count };
  });
}

interface Publishing {
  readonly row: TokenRow;
  readonly due: DueChanges;
  /** Signed again though no entry has changed. */
  readonly isDue: boolean;
  readonly keys: ProofKeys;
}

async function publishList(
  trx: DatabaseTransaction,
  options: PublishingOptions,
  { row, due, isDue, keys }: Publishing,
): Promise<boolean> {
  const isOurs = isAuthentic(options, row);
  const own = isOurs ? await stateOfRow(row) : undefined;
  const entries = own?.entries ?? (await entriesAnew(trx, options, row.list_id));
  let changed = !isOurs;
  for (const { indices, value } of due.entries.get(row.list_id) ?? [])
    for (let at = 0; at < indices.length; at += 4)
      if (changeEntry(entries, indices.readInt32BE(at), value)) changed = true;
  if (!changed && !isDue) return false;
  const list = { listId: row.list_id, baseUrl: row.base_url };
  // a restored database may not know a key that its former state had made, and revoked
  const unknown = (own?.revokedKids ?? []).filter((kid) => !keys.known.has(kid));
  await writeToken(trx, options, {
    ...list,
    entries,
    revokedKids: [...keys.revoked, ...unknown],
    after: own?.issuedAt ?? row.issued_at,
  });
  return true;
}

/** Others may be able to write rows, and whatever is signed is believed: starts from the copy, and has all proofs looked at. */
async function entriesAnew(
  trx: DatabaseTransaction,
  { copies, readToken, logger }: PublishingOptions,
  listId: number,
): Promise<Entries> {
  logger.error({ listId }, 'the entries of a status list in the database were not written by the service');
  await orderMerchants(trx, sql`select id from merchants`);
  const text = await copies.read(listId);
  const copy = text === null ? null : await readToken(text).catch(ifRefused(() => null));
  return copy?.listId === listId ? copy.entries : noEntries();
}

/** The first token of a list. */
export async function publishNewList(
  trx: DatabaseTransaction,
  options: PublishingOptions,
  { listId, baseUrl }: { readonly listId: number; readonly baseUrl: string },
): Promise<void> {
  const now = options.clock();
  const { revoked } = await readProofKeys(trx, options, now);
  await writeToken(trx, options, { listId, baseUrl, entries: noEntries(), revokedKids: revoked });
  await options.emit(trx, 'publicDocumentsChanged', { now });
}

/** Lists that were not signed for an hour, or by a key that was revoked. */
async function staleLists(
  trx: DatabaseTransaction,
  { keys }: PublishingOptions,
  now: Date,
): Promise<readonly number[]> {
  const { rows } = await sql<{ list_id: number }>`
    select list_id from status_list_tokens where ${await isStale(keys, now)}`.execute(trx);
  return rows.map(({ list_id }) => list_id);
}

async function isStale(keys: PublishingOptions['keys'], now: Date): Promise<RawBuilder<unknown>> {
  const kids = (await keys.published()).keys.map(({ kid }) => kid);
  return sql`(issued_at <= ${new Date(now.getTime() - SIGNED_FOR)} or kid <> all(${kids}::text[]))`;
}

/** One statement, so that looking costs little where there is nothing to do. */
async function whatIsDue({
  db,
  keys,
  clock,
}: PublishingOptions): Promise<{ readonly anything: boolean; readonly bulk: boolean }> {
  const { rows } = await sql<{ few: boolean; bulk: boolean; stale: boolean }>`
    select exists (select from status_changes where not is_bulk and due_at <= now()) as few,
      exists (select from status_changes where is_bulk and due_at <= now()) as bulk,
      exists (select from status_list_tokens where ${await isStale(keys, clock())}) as stale`.execute(db);
  const { few, bulk, stale } = onlyRow(rows);
  return { anything: few || bulk || stale, bulk };
}

interface ProofKeys {
  /** Those that lists name. */
  readonly revoked: readonly string[];
  readonly known: ReadonlySet<string>;
}

async function readProofKeys(
  trx: DatabaseTransaction,
  { secrets }: PublishingOptions,
  now: Date,
): Promise<ProofKeys> {
  const until = now.getTime() - REVOKED_FOR;
  const keys = await readSigningKeys(trx, secrets.rows);
  const revoked = keys.filter(({ revokedAt }) => revokedAt !== undefined && revokedAt.getTime() > until);
  return { revoked: revoked.map(({ kid }) => kid), known: new Set(keys.map(({ kid }) => kid)) };
}
