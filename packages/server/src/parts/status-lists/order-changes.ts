import { type RawBuilder, sql } from 'kysely';
import type { CoreListener, Standing } from '../../core/registry/events.ts';
import type { DatabaseTransaction } from '../../platform/database/database.ts';

/** Products that one transaction may change before they have to let others go first. */
const FEW = 50;
/** Products of a row. */
const TOGETHER = 1_000;

/** What a standing means for the proofs of a product. */
function meaning(standing: Standing): 'valid' | 'suspended' | 'invalid' {
  if (standing === 'active') return 'valid';
  return standing === 'hidden' || standing === 'no_slot' ? 'suspended' : 'invalid';
}

/** Has the entries of proofs looked at again, in the transaction that changes what they depend on. */
export const statusOrders: CoreListener = {
  async productsChanged(trx, { merchantId, products }) {
    const changed = products.filter(({ was, is }) => was !== null && meaning(is) !== meaning(was));
    await orderProducts(
      trx,
      merchantId,
      changed.map(({ id }) => id),
    );
  },
  certificatesWithdrawn: (trx, { merchantId, productIds }) => orderProducts(trx, merchantId, productIds),
  merchantPaused: (trx, { merchantId }) => orderMerchants(trx, sql`select ${merchantId}::uuid as id`),
  // lists name revoked keys: their proofs need no entries
  async signingKeyRevoked(trx) {
    await sql`insert into status_changes (is_bulk) values (false)`.execute(trx);
  },
};

async function orderProducts(
  trx: DatabaseTransaction,
  merchantId: string,
  productIds: readonly string[],
): Promise<void> {
  for (let from = 0; from < productIds.length; from += TOGETHER)
    await sql`
      insert into status_changes (merchant_id, product_ids, is_bulk)
      values (${merchantId}, ${productIds.slice(from, from + TOGETHER)}::uuid[], ${productIds.length > FEW})`.execute(
      trx,
    );
}

/** All products of these merchants. @param merchants - a query of their ids */
export async function orderMerchants(
  trx: DatabaseTransaction,
  merchants: RawBuilder<unknown>,
): Promise<void> {
  await sql`
    insert into status_changes (merchant_id, is_bulk) select id, true from (${merchants}) m`.execute(trx);
}
