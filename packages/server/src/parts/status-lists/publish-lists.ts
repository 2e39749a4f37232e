import { type RawBuilder, sql } from 'kysely';
import { readSigningKeys } from '../../core/keys/key-store.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { type DueChanges, takeDueChanges } from './due-changes.ts';
import { changeEntry, type Entries, noEntries } from './entries.ts';
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
  /** Called in the transaction that publishes. */
  readonly onChanged: (trx: DatabaseTransaction) => Promise<void>;
  /** The entries that were last published of a list, by its copy outside of the database. */
  readonly lastCopied: (listId: number) => Promise<Entries | null>;
  /** The service did not write what the database holds of this list. */
  readonly onForeign: (listId: number) => void;
}

/** Milliseconds after which a list is signed again, long before its token ends. */
const SIGNED_FOR = 3_600_000;
/** Milliseconds for which a list names a revoked key: its last proof has expired, and verifiers' clocks may differ. */
const REVOKED_FOR = 9 * 86_400_000;

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
 * @returns `null` if a node is publishing, or was a second ago
 */
export async function publishLists(options: PublishingOptions): Promise<Published | null> {
  const { db, clock } = options;
  if (!(await isAnythingDue(options))) return { lists: [], changes: 0 };
  return inTransaction(db, async (trx) => {
    const { rows: lock } = await sql`
      select from status_publisher where published_at is null or published_at <= clock_timestamp() - interval '1 second'
        or published_at > clock_timestamp()
      for update skip locked`.execute(trx);
    if (lock.length === 0) return null;
    const now = clock();
    const due = await takeDueChanges(trx, now);
    const stale = await staleLists(trx, options, now);
    const ids = due.all ? undefined : [...new Set([...due.entries.keys(), ...stale])];
    if (ids?.length === 0) return { lists: [], changes: due.count };
    const keys = await readProofKeys(trx, options, now);
    const lists: number[] = [];
    for (const row of await readTokens(trx, ids)) {
      const isDue = due.all || stale.includes(row.list_id);
      if (await publishList(trx, options, { row, due, isDue, keys })) lists.push(row.list_id);
    }
    if (lists.length > 0) {
      await sql`update status_publisher set published_at = clock_timestamp()`.execute(trx);
      await options.onChanged(trx);
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
  for (const [index, value] of due.entries.get(row.list_id) ?? [])
    if (changeEntry(entries, index, value)) changed = true;
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
  { lastCopied, onForeign }: PublishingOptions,
  listId: number,
): Promise<Entries> {
  onForeign(listId);
  await orderMerchants(trx, sql`select id from merchants`);
  return (await lastCopied(listId)) ?? noEntries();
}

/** The first token of a list. */
export async function publishNewList(
  trx: DatabaseTransaction,
  options: PublishingOptions,
  { listId, baseUrl }: { readonly listId: number; readonly baseUrl: string },
): Promise<void> {
  const { revoked } = await readProofKeys(trx, options, options.clock());
  await writeToken(trx, options, { listId, baseUrl, entries: noEntries(), revokedKids: revoked });
  await options.onChanged(trx);
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
async function isAnythingDue({ db, keys, clock }: PublishingOptions): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select exists (select from status_changes where due_at <= now())
      or exists (select from status_list_tokens where ${await isStale(keys, clock())}) as due`.execute(db);
  return rows[0]?.due === true;
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
