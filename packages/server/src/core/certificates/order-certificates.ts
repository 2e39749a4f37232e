import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { storesWith } from '../registry/domains/owners.ts';
import type { CoreListener } from '../registry/events.ts';

/** Queue of the jobs that issue certificates in advance: one job for each store. */
export const CERTIFICATES_AHEAD = 'certificates';

/** Seconds that gather what scans find, which comes image by image. */
const GATHERED = 60;

/** Orders certificates for what changes: each is looked at, and replaced if it states something else now. */
export const certificateOrders: CoreListener = {
  // certificates of a deleted store are deleted, whatever the state of its products
  productsChanged: async (trx, { merchantId, products, ofDeletedStore }) =>
    ofDeletedStore ? undefined : orderCertificates(trx, merchantId, products),
  imageScanned: (trx, { merchantId, storeId, productId }) =>
    orderCertificates(trx, merchantId, [{ id: productId, storeId }], GATHERED),
  async storeCreated(trx, { merchantId, storeId }) {
    await trx
      .insertInto('certificate_stores')
      .values({ merchant_id: merchantId, store_id: storeId })
      .execute();
    await trx
      .insertInto('jobs')
      .values({ queue: CERTIFICATES_AHEAD, subject: storeId, owner: merchantId, state: 'idle', due_at: null })
      .execute();
  },
  // they state its name and address
  storeAltered: (trx, { merchantId, storeId }) => visitCertificates(trx, merchantId, [storeId]),
  storeDeleted: (trx, { storeId }) => wakeCertificates(trx, [storeId]),
  // a pause withdraws all of a merchant, and its end brings them back
  async merchantPaused(trx, { merchantId }) {
    const { rows } = await sql<{ store_id: string }>`
      update certificate_stores set visit_after = 0, visit_total = null, visited = 0
      where merchant_id = ${merchantId} and store_id = any(array(
        select id from stores where merchant_id = ${merchantId} and deleted_at is null))
      returning store_id`.execute(trx);
    await wakeCertificates(
      trx,
      rows.map(({ store_id }) => store_id),
    );
  },
  // proofs state how control of their host was proven
  async ownerChanged(trx, { merchantId, hostname }) {
    const stores = await storesWith(trx, merchantId, hostname);
    await visitCertificates(
      trx,
      merchantId,
      stores.map(({ store_id }) => store_id),
    );
  },
  // each store replaces what the key had signed, and each merchant is told
  async signingKeyRevoked(trx, { kid, reason, keyId, now }) {
    await listRevokedKey(trx, kid, sql`${reason ?? null}, ${keyId ?? null}::uuid, ${now}::timestamptz`);
    const stores = await trx
      .selectFrom('certificate_stores')
      .select('store_id')
      .orderBy('store_id')
      .execute();
    await wakeCertificates(
      trx,
      stores.map(({ store_id }) => store_id),
    );
  },
};

/**
 * For each merchant that has a living proof by the key. Merchants' newest proofs are by the key that signs, and their oldest by those before
 * it, so that the first one of most is found at once.
 */
async function listRevokedKey(
  trx: DatabaseTransaction,
  kid: string,
  rest: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ retired: boolean }>`
    select retired_at is not null as retired from signing_keys where kid = ${kid} and active_from is not null`.execute(
    trx,
  );
  const [key] = rows;
  // a standby key has signed nothing
  if (key === undefined) return;
  await sql`
    insert into withdrawals (merchant_id, kid, cause, reason, by_key, at)
      select id, ${kid}, 'key_revoked', ${rest} from merchants m cross join lateral (
        select from proofs p where p.merchant_id = m.id and p.kid = ${kid} and p.expires_at > now()
        order by p.id ${key.retired ? sql`asc` : sql`desc`} limit 1) proof
      order by id`.execute(trx);
}

/**
 * Has the certificates of these products looked at, at once or `delay` seconds later. Times are of the database's clock, by which
 * jobs are claimed.
 */
export async function orderCertificates(
  trx: DatabaseTransaction,
  merchantId: string,
  products: readonly { readonly id: string; readonly storeId: string }[],
  delay = 0,
): Promise<void> {
  if (products.length === 0) return;
  const stores = products.map(({ storeId }) => storeId);
  await sql`
    insert into certificate_due as due (merchant_id, product_id, store_id, due_at)
      select ${merchantId}, product_id, store_id, now() + make_interval(secs => ${delay})
      from unnest(${products.map(({ id }) => id)}::uuid[], ${stores}::uuid[]) as changed (product_id, store_id)
      order by product_id
    on conflict (merchant_id, product_id) do update set taken = null, taken_at = null, failure = null,
      due_at = case when due.taken is null then least(due.due_at, excluded.due_at) else excluded.due_at end
      where due.taken is not null or due.due_at > excluded.due_at`.execute(trx);
  await wakeCertificates(trx, [...new Set(stores)], delay);
}

/** Has all products of these stores visited, whatever was visited before. */
export async function visitCertificates(
  trx: DatabaseTransaction,
  merchantId: string,
  storeIds: readonly string[],
): Promise<void> {
  if (storeIds.length === 0) return;
  await trx
    .updateTable('certificate_stores')
    .set({ visit_after: '0', visit_total: null, visited: 0 })
    .where('merchant_id', '=', merchantId)
    .where('store_id', 'in', storeIds)
    .execute();
  await wakeCertificates(trx, storeIds);
}

/**
 * There is something to do for these stores, now or `delay` seconds later. One that is ready is left alone; a job that is running is
 * ready again after it.
 */
export async function wakeCertificates(
  trx: DatabaseTransaction,
  storeIds: readonly string[],
  delay = 0,
): Promise<void> {
  const at = sql`now() + make_interval(secs => ${delay})`;
  if (storeIds.length === 0) return;
  await sql`
    update jobs set orders = orders + 1,
      state = case when state = 'running' then state else ${delay > 0 ? 'scheduled' : 'ready'} end,
      due_at = case when state = 'running' then due_at else least(due_at, ${at}) end
    where queue = ${CERTIFICATES_AHEAD} and subject = any(${storeIds}::uuid[])
      and (state in ('running', 'idle') or (state = 'scheduled' and due_at > ${at}))`.execute(trx);
}
