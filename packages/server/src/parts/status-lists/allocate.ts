import { randomBytes, randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { STATUS_LIST_SIZE } from '@touchstone/certificate/withdrawal';
import { sql } from 'kysely';
import type { StatusEntries, StatusEntry } from '../../core/certificates/status-entries.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { lockFor } from '../../platform/database/locks.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { Comparison } from './comparison.ts';
import type { ListCopies } from './list-copies.ts';
import { indexOrder, ORDER_KEY_BYTES } from './permutation.ts';

export interface AllocationOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal'>;
  readonly baseUrl: string;
}

export interface EntryOptions extends AllocationOptions {
  readonly comparison: Pick<Comparison, 'whenDone' | 'lost'>;
}

/** Entries that a node takes at a time; those that it has not used when it ends are given to nobody. */
const BLOCK = 256;
/** Milliseconds after which a node drops the rest of a block: a list that was closed gets no further proofs. */
const BLOCK_LIFE = 3_600_000;
/** Milliseconds for which a list is open. */
const OPEN_FOR = 7 * 86_400_000;
/** Entries that are left when the next list is opened, so that nobody waits for it. */
const SPARE = STATUS_LIST_SIZE / 8;
/** Milliseconds to wait for a list that another process is opening. */
const PATIENCE = { all: 10_000, step: 100 };
const MOST_IDS = 2 ** 31 - 1;

interface Block {
  readonly list: number;
  readonly indexOf: (n: number) => number;
  next: number;
  readonly end: number;
  readonly droppedAt: number;
  /** How often the database had been lost: one that comes back may give out the block again. */
  readonly lost: number;
}

/** Gives out entries in blocks, each entry of a list once over all nodes. */
export function createStatusEntries(options: EntryOptions): StatusEntries {
  const { comparison, secrets, clock } = options;
  const orders = new Map<number, (n: number) => number>();
  let block: Block | undefined;
  let taking: Promise<void> | undefined;

  const takeBlock = async (): Promise<void> => {
    const { id, taken, order_key } = await comparison.whenDone(() => nextBlock(options)).catch(refuse);
    const known = orders.get(id) ?? indexOrder(secrets.seal.open(sealName(id), order_key));
    orders.clear();
    orders.set(id, known);
    const droppedAt = clock().getTime() + BLOCK_LIFE;
    block = {
      list: id,
      indexOf: known,
      next: taken - BLOCK,
      end: taken,
      droppedAt,
      lost: comparison.lost,
    };
  };
  const isUsable = ({ next, end, droppedAt, lost }: Block) =>
    next < end && clock().getTime() < droppedAt && lost === comparison.lost;

  return {
    async take(count) {
      const entries: StatusEntry[] = [];
      while (entries.length < count) {
        if (block === undefined || !isUsable(block)) {
          block = undefined;
          taking ??= takeBlock().finally(() => {
            taking = undefined;
          });
          await taking;
          continue;
        }
        entries.push({ list: block.list, index: block.indexOf(block.next) });
        block.next += 1;
      }
      return entries;
    },
  };
}

/** @throws ServiceError `signer_unavailable`: what there is of proofs is served, and none is made */
function refuse(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== 'blobs_unavailable') throw error;
  throw new ServiceError('signer_unavailable', { cause: error, retryAfter: error.retryAfter ?? 1 });
}

interface TakenBlock {
  readonly id: number;
  /** Entries taken, those of this block included. */
  readonly taken: number;
  readonly order_key: Buffer;
}

/** A block of the newest open list; waits for one that is being opened. */
async function nextBlock({ db, baseUrl }: AllocationOptions): Promise<TakenBlock> {
  const until = performance.now() + PATIENCE.all;
  for (;;) {
    const { rows } = await sql<TakenBlock>`
      update status_list_allocations set taken = taken + ${BLOCK}
      where id = (
        select id from status_list_allocations
        where base_url = ${baseUrl} and closed_at is null and taken <= ${STATUS_LIST_SIZE - BLOCK}
        order by opened_at desc, id limit 1
      ) and closed_at is null and taken <= ${STATUS_LIST_SIZE - BLOCK}
      returning id, taken, order_key`.execute(db);
    const [taken] = rows;
    if (taken !== undefined) return taken;
    if (performance.now() > until) throw new ServiceError('signer_unavailable', { retryAfter: 1 });
    await delay(PATIENCE.step);
  }
}

const sealName = (id: number) => `status list ${id}`;

export interface OpeningOptions extends AllocationOptions {
  readonly copies: Pick<ListCopies, 'read'>;
  /** Publishes the first token of a list, in the same transaction: a proof never names one that nobody can find. */
  readonly publishFirst: (trx: DatabaseTransaction, id: number) => Promise<void>;
}

/**
 * Opens a list if there is none with entries to spare, and closes those that were open for seven days.
 *
 * @returns the number of the new list
 */
export async function openListIfDue(options: OpeningOptions): Promise<number | undefined> {
  const { db, clock, secrets, baseUrl } = options;
  const isThere = async (on: Database | DatabaseTransaction) => {
    const { rows } = await sql`
      select from status_list_allocations where base_url = ${baseUrl} and closed_at is null
        and opened_at > ${new Date(clock().getTime() - OPEN_FOR)} and taken < ${STATUS_LIST_SIZE - SPARE} limit 1`.execute(
      on,
    );
    return rows.length > 0;
  };
  if (await isThere(db)) return undefined;
  const id = await unusedId(options);
  return inTransaction(db, async (trx) => {
    await lockFor(trx, 'status lists');
    if (await isThere(trx)) return undefined;
    const now = clock();
    const key = secrets.seal.seal(sealName(id), randomBytes(ORDER_KEY_BYTES));
    await trx
      .insertInto('status_list_allocations')
      .values({ id, base_url: baseUrl, opened_at: now, order_key: key })
      .execute();
    await options.publishFirst(trx, id);
    // one that is nearly full is used up by whoever finds it: the new one comes first
    await sql`
      update status_list_allocations set closed_at = ${now}
      where closed_at is null and id <> ${id}
        and (taken > ${STATUS_LIST_SIZE - BLOCK} or base_url = ${baseUrl} or opened_at <= ${new Date(now.getTime() - OPEN_FOR)})`.execute(
      trx,
    );
    return id;
  });
}

/** Nor is it the number of a list that the database has forgotten. */
async function unusedId({ db, copies }: OpeningOptions): Promise<number> {
  for (;;) {
    const id = randomInt(1, MOST_IDS + 1);
    const { rows } = await sql`select from status_list_allocations where id = ${id}`.execute(db);
    if (rows.length === 0 && (await copies.read(id).catch(() => null)) === null) return id;
  }
}
