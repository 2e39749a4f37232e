import { PROOF_LIFETIME } from '@touchstone/certificate';
import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { WithdrawalsTable } from '../../platform/database/tables.ts';
import type { ChangedProduct, Standing } from './events.ts';

type WithdrawalCause = WithdrawalsTable['cause'];

/** Why certificates are withdrawn by hand, and by whom. */
export interface WithdrawalByHand {
  readonly productIds: readonly string[];
  /** As whoever withdraws them states it. */
  readonly reason?: string | undefined;
}

/** On whose behalf products were changed. */
export interface ChangedBy {
  /** The API key of the caller. */
  readonly keyId?: string | undefined;
  /** The change of many products. */
  readonly changeId?: string | undefined;
}

/** Products whose certificates are withdrawn, each with the cause. */
export type Withdrawn = ReadonlyMap<string, WithdrawalCause>;

/** States in which the certificates of a product are withdrawn for good. All others that are not active only suspend them. */
const FOR_GOOD = ['deleted', 'disabled', 'host_lost'] as const;

const forGood = (standing: Standing) => FOR_GOOD.find((one) => one === standing);

/** The products whose certificates are withdrawn by a change of their state, or by hand. */
export function withdrawnBy(changed: readonly ChangedProduct[], byHand?: WithdrawalByHand): Withdrawn {
  const withdrawn = new Map<string, WithdrawalCause>();
  for (const { id, was, is } of changed) {
    const cause = forGood(is);
    if (cause !== undefined && was !== null && forGood(was) === undefined) withdrawn.set(id, cause);
  }
  for (const id of byHand?.productIds ?? []) if (!withdrawn.has(id)) withdrawn.set(id, 'by_hand');
  return withdrawn;
}

/** Seconds: a proof dated further ahead is from before a clock was set back, and no verifier accepts it yet. */
const MOST_AHEAD = 3_600;

/**
 * Withdraws every proof of the products and of their images that was issued until now, and lists it for the merchant. Under
 * the lock of the merchant, which all that sets `withdrawn_at` hold. Proofs of a node whose clock is ahead count as issued until now. A
 * product that nothing was issued for since its last withdrawal is not listed again.
 */
export async function withdrawProducts(
  trx: DatabaseTransaction,
  merchantId: string,
  withdrawn: Withdrawn,
  { now, reason, keyId, changeId }: ChangedBy & { readonly now: Date; readonly reason?: string | undefined },
): Promise<void> {
  const ids = [...withdrawn.keys()];
  const moment = Math.floor(now.getTime() / 1000);
  const latest = new Date((moment + MOST_AHEAD) * 1000);
  const living = new Date((moment - PROOF_LIFETIME) * 1000);
  // subqueries, not joins: without statistics, the planner would read all proofs of the merchant
  await sql`
    with wanted as materialized (
        select w.id, w.cause, p.withdrawn_at as former, greatest(
          (select max(f.issued_at) from proofs f
            where f.merchant_id = ${merchantId} and f.kind = 'product' and f.subject_id = w.id and f.issued_at <= ${latest}),
          (select max((select max(f.issued_at) from proofs f
              where f.merchant_id = ${merchantId} and f.kind in ('asset', 'image') and f.subject_id = i.id
                and f.issued_at <= ${latest}))
            from images i where i.merchant_id = ${merchantId} and i.product_id = w.id)) as newest
        from unnest(${ids}::uuid[], ${[...withdrawn.values()]}::text[]) as w (id, cause)
        join products p on p.merchant_id = ${merchantId} and p.id = w.id),
      marked as (
        update products p set withdrawn_at = greatest(w.former, w.newest, ${new Date(moment * 1000)}::timestamptz)
        from wanted w where p.merchant_id = ${merchantId} and p.id = w.id
        returning p.id, p.store_id)
    insert into withdrawals (merchant_id, store_id, product_id, cause, reason, by_key, change_id, at)
      select ${merchantId}, m.store_id, m.id, w.cause, ${reason ?? null}, ${keyId ?? null}::uuid, ${changeId ?? null}::uuid,
        ${now}::timestamptz
      from marked m join wanted w on w.id = m.id
      where w.newest > ${living}::timestamptz and (w.former is null or w.newest > w.former)
      order by m.id`.execute(trx);
}
