import { type RawBuilder, sql } from 'kysely';
import { announce } from '../../platform/cache/announce.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import { productChanges, type Registry } from './context.ts';
import type { ChangedProduct } from './events.ts';
import { type ChangedBy, type WithdrawalByHand, withdrawnBy, withdrawProducts } from './withdraw-products.ts';

const standing = (row: 'former' | 'p') => {
  const columns = ['deleted_at', 'disabled', 'visible', 'host_known', 'slot_order'];
  return sql`product_standing(${sql.join(columns.map((column) => sql.ref(`${row}.${column}`)))})`;
};

/**
 * For `returning`, of every statement that updates `products p`: each of its rows as a `ChangedProduct`. A query there finds the row
 * as it was before the statement, which nobody else has changed since: the lock of the merchant is held. (`old` and `new` are
 * not known before PostgreSQL 18.)
 *
 * @param isRenamed - whether name or address are others, which the writer knows
 */
export const changedColumns = (isRenamed: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`p.id, p.store_id as "storeId", (select ${standing('former')} from products former
    where former.merchant_id = p.merchant_id and former.id = p.id) as was, ${standing('p')} as "is", ${isRenamed} as "isRenamed"`;

/** The same of a statement that changes neither name nor address. */
export const CHANGED: RawBuilder<unknown> = changedColumns(sql`false`);

/** Runs a statement that returns these columns. */
export async function changedBy(
  trx: DatabaseTransaction,
  statement: RawBuilder<unknown>,
): Promise<readonly ChangedProduct[]> {
  const { rows } = await (statement as RawBuilder<ChangedProduct>).execute(trx);
  return rows;
}

export interface Followed extends ChangedBy {
  readonly merchantId: string;
  /** As the statements returned them, in order. */
  readonly changed: readonly ChangedProduct[];
  /** Other nodes know: the change of the store or domain that these products follow was announced, which covers them. */
  readonly isAnnounced?: boolean;
  /** That change was the deletion of their store. */
  readonly ofDeletedStore?: boolean;
  /** Products among these whose certificates are withdrawn whatever their state is. */
  readonly withdrawn?: WithdrawalByHand | undefined;
}

/**
 * Announces the products that a transaction has changed, and has everything follow that depends on them: certificates are withdrawn
 * and ordered, images rescanned, pages swept, events recorded. To be called once, after all writes, under the lock of the merchant.
 */
export async function followProducts(
  registry: Pick<Registry, 'emit' | 'clock'>,
  trx: DatabaseTransaction,
  { merchantId, changed, isAnnounced = false, ofDeletedStore = false, withdrawn: byHand, ...by }: Followed,
): Promise<void> {
  if (changed.length === 0) return;
  const products = inAll(changed);
  const now = registry.clock();
  const withdrawn = withdrawnBy(products, byHand);
  if (withdrawn.size > 0)
    await withdrawProducts(trx, merchantId, withdrawn, { ...by, now, reason: byHand?.reason });
  if (!isAnnounced) await announce(trx, productChanges(products.map(({ id }) => id)));
  await registry.emit(trx, 'productsChanged', {
    merchantId,
    products,
    ofDeletedStore,
    now,
  });
  const productIds = [...withdrawn.keys()];
  if (productIds.length > 0)
    await registry.emit(trx, 'certificatesWithdrawn', { merchantId, productIds, now });
}

/** What several statements together changed of each product, by id: rows are locked in this order. */
function inAll(changed: readonly ChangedProduct[]): ChangedProduct[] {
  const products = new Map<string, ChangedProduct>();
  for (const one of changed) {
    const before = products.get(one.id);
    const { was, isRenamed } = before ?? one;
    products.set(one.id, { ...one, was, isRenamed: isRenamed || one.isRenamed });
  }
  return [...products.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
