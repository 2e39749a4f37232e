import { sql } from 'kysely';
import type { CoreListener } from '../../core/registry/events.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';

/** The queue: a job for each merchant, and one for the keys. The resource of all is the place. */
export const PUBLISH = 'publish';
/** Subject and owner of the job that publishes the keys and the documents of parts, which is there while the service publishes: the max UUID (RFC 9562). */
export const KEYS_JOB = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Seconds that a product which stays active waits for the certificate that is issued in advance, which orders it at once. */
const FOR_ISSUING = 30;

/** Has copies replaced or removed, in the transaction that changes what the service answers. */
export const copyOrders: CoreListener = {
  async storeCreated(trx, { merchantId }) {
    await sql`
      insert into jobs (queue, subject, owner, resource, state, due_at)
        select queue, ${merchantId}, ${merchantId}, resource, 'idle', null
        from jobs where queue = ${PUBLISH} and subject = ${KEYS_JOB}
      on conflict (queue, subject) do nothing`.execute(trx);
  },
  async productsChanged(trx, { merchantId, products }) {
    const isActive = ({ is }: (typeof products)[number]) => is === 'active';
    const ids = (some: typeof products) => some.map(({ id }) => id);
    const rest = products.filter((product) => !isActive(product));
    await orderCopies(trx, merchantId, ids(rest), 'removal');
    await orderCopies(trx, merchantId, ids(products.filter(isActive)), 'issuing');
  },
  imageScanned: (trx, { merchantId, productId }) => orderCopies(trx, merchantId, [productId], 'issuing'),
  async recorded(trx, events) {
    for (const { type, merchantId, items } of events) {
      if (type !== 'certificate.issued' && type !== 'certificate.renewed') continue;
      const { productIds = [] } = items as { productIds?: readonly string[] };
      await orderCopies(trx, merchantId, productIds, 'issued');
    }
  },
  storeAltered: (trx, { merchantId }) => orderVisit(trx, merchantId),
  storeDeleted: (trx, { merchantId }) => orderVisit(trx, merchantId),
  merchantPaused: (trx, { merchantId }) => orderVisit(trx, merchantId),
  // pages are found on proven hosts only
  ownerChanged: (trx, { merchantId }) => orderVisit(trx, merchantId),
  signingKeyRevoked: (trx) => orderVisits(trx),
  publicDocumentsChanged: async (trx) => void (await wake(trx, KEYS_JOB, 0)),
};

/** What is to be expected of the copy: it goes, before all others; it is replaced when there is another certificate, or now. */
type Expected = 'removal' | 'issuing' | 'issued';

async function orderCopies(
  trx: DatabaseTransaction,
  merchantId: string,
  productIds: readonly string[],
  expected: Expected,
): Promise<void> {
  const delay = expected === 'issuing' ? FOR_ISSUING : 0;
  if (productIds.length === 0 || !(await wake(trx, merchantId, delay))) return;
  const there = sql`exists (select from published_certificates e where e.merchant_id = ${merchantId} and e.product_id = id)`;
  const at = expected === 'removal' ? sql`to_timestamp(0)` : sql`now() + make_interval(secs => ${delay})`;
  await sql`
    insert into published_certificates as copy (merchant_id, product_id, due_at)
      select ${merchantId}, id, ${at} from unnest(${productIds}::uuid[]) id
      where ${expected === 'removal' ? there : sql`true`} order by id
    on conflict (merchant_id, product_id) do update
      set orders = copy.orders + 1, due_at = least(copy.due_at, excluded.due_at)`.execute(trx);
}

async function orderVisit(trx: DatabaseTransaction, merchantId: string): Promise<void> {
  if (!(await wake(trx, merchantId, 0))) return;
  await sql`
    insert into published_visits (merchant_id, visit_after) values (${merchantId}, 0)
    on conflict (merchant_id) do update set visit_after = 0`.execute(trx);
}

/**
 * The job of the merchant is due now, or `delay` seconds later. Also for a job that runs or is about to: its row stays locked until the
 * change is committed, so that the run either ends after that, and sees that it was ordered again, or begins after it.
 *
 * @returns false if the service does not publish
 */
async function wake(trx: DatabaseTransaction, merchantId: string, delay: number): Promise<boolean> {
  const at = sql`now() + make_interval(secs => ${delay})`;
  const { numAffectedRows } = await sql`
    update jobs set orders = orders + 1,
      state = case when state in ('running', 'ready') then state else ${delay === 0 ? 'ready' : 'scheduled'} end,
      due_at = case when state = 'running' then due_at else least(due_at, ${at}) end
    where queue = ${PUBLISH} and subject = ${merchantId}`.execute(trx);
  return numAffectedRows === 1n;
}

/** Has all products of all merchants visited, and the keys published; what failed before is tried at once, and told no more. @param anew - also what seems to be there already */
export async function orderVisits(trx: DatabaseTransaction, anew = false): Promise<void> {
  await sql`
    with locked as (select subject from jobs where queue = ${PUBLISH} order by subject for update)
    update jobs set orders = orders + 1, state = case when state = 'running' then state else 'ready' end,
      due_at = case when state = 'running' then due_at else now() end, attempts = 0, failure = null
    where queue = ${PUBLISH} and subject in (select subject from locked)`.execute(trx);
  const { rows } = await sql<{ subject: string }>`
    select subject from jobs where queue = ${PUBLISH} and subject <> ${KEYS_JOB}`.execute(trx);
  await sql`
    insert into published_visits as visit (merchant_id, visit_after, anew)
      select id, 0, ${anew} from unnest(${rows.map(({ subject }) => subject)}::uuid[]) id order by id
    on conflict (merchant_id) do update
      set visit_after = 0, anew = visit.anew or excluded.anew`.execute(trx);
}

/** Begins to publish, also for merchants that came while the service did not; all anew if the place is another. */
export async function startPublishing(db: Database, place: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numAffectedRows: moved } = await sql`
      update jobs set resource = ${place} where queue = ${PUBLISH} and resource <> ${place}`.execute(trx);
    const { numAffectedRows: added } = await sql`
      insert into jobs (queue, subject, owner, resource)
        select ${PUBLISH}, id, id, ${place} from (select ${KEYS_JOB}::uuid as id union all select id from merchants) added
      on conflict (queue, subject) do nothing`.execute(trx);
    if (moved !== 0n || added !== 0n) await orderVisits(trx, true);
  });
}

/** What is published stays as it is; should the service publish again, all is written anew. */
export async function stopPublishing(db: Database): Promise<void> {
  await sql`delete from jobs where queue = ${PUBLISH}`.execute(db);
}
