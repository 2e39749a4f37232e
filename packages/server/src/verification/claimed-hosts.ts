import { sql } from 'kysely';
import type { LoadedProduct } from '../certificates/load-snapshot.ts';
import type { Database } from '../platform/database/database.ts';

/** A hostname for which a certificate of a product was or may be issued. */
export interface ClaimedHost {
  readonly hostname: string;
  /** Another merchant has proven that it controls the host. */
  readonly lost: boolean;
}

/**
 * The hosts that a product's certificates name: those of its store, including lost ones, its own, and those of proofs that were
 * issued while it had another address or its store another domain.
 */
export async function claimedHosts(db: Database, product: LoadedProduct): Promise<ClaimedHost[]> {
  const { snapshot, storeId, merchantId } = product;
  const { rows } = await sql<ClaimedHost>`
    select claimed.hostname, owner.hostname is not null as lost
    from (
      select hostname from domains where store_id = ${storeId}
      union select ${snapshot.domain}::text
      union select snapshot->>'domain' from proofs where kind = 'product' and subject_id = ${snapshot.productId}
    ) claimed
    left join hostname_owners owner
      on owner.hostname = claimed.hostname and owner.merchant_id <> ${merchantId}`.execute(db);
  return rows;
}
