import { sql } from 'kysely';
import { createBatcher } from '../../platform/batcher.ts';
import type { Database } from '../../platform/database/database.ts';
import { type OwnerRow, ownerOf, ownerRow } from '../../platform/database/hostname-owners.ts';
import type { TrustedRows } from '../../platform/database/trusted-rows.ts';
import type { LoadedProduct } from '../certificates/load-snapshot.ts';

/** A hostname for which a certificate of a product was or may be issued. */
export interface ClaimedHost {
  readonly hostname: string;
  /** Another merchant has proven that it controls the host. */
  readonly lost: boolean;
}

/**
 * The hosts that a product's certificates name: those of its store, including lost ones, its own, and those of proofs that were
 * issued while it had another address or its store another domain. Concurrent calls
 * share one statement.
 */
export type ClaimedHosts = (product: LoadedProduct) => Promise<readonly ClaimedHost[]>;

/** The same limits as for loading products, so that a batch of products stays one batch here. */
const BATCH = { maxItems: 64, maxRunning: 3 };

export function createClaimedHosts(db: Database, trusted: TrustedRows): ClaimedHosts {
  const run = (products: readonly LoadedProduct[]) => claimedHosts(db, trusted, products);
  return createBatcher({ run, ...BATCH });
}

interface Row {
  readonly hostname: string;
  /** If another merchant has proven the host. */
  readonly owner: OwnerRow;
  /** Position of the product in the batch, from 1. */
  readonly place: number;
}

async function claimedHosts(
  db: Database,
  trusted: TrustedRows,
  products: readonly LoadedProduct[],
): Promise<ClaimedHost[][]> {
  const ids = products.map(({ snapshot }) => snapshot.productId);
  const merchants = products.map(({ merchantId }) => merchantId);
  const { rows } = await sql<Row>`
    with batch as materialized (
      select * from unnest(
        ${ids}::uuid[], ${products.map(({ storeId }) => storeId)}::uuid[], ${merchants}::uuid[],
        ${products.map(({ snapshot }) => snapshot.domain)}::text[]
      ) with ordinality as batch (product_id, store_id, merchant_id, domain, place)),
    claimed as materialized (
      select b.place, b.merchant_id, d.hostname from batch b
        join domains d on d.merchant_id = b.merchant_id and d.store_id = b.store_id
        where d.merchant_id = any(${merchants}::uuid[])
      union select place, merchant_id, domain from batch
      union select b.place, b.merchant_id, p.snapshot->>'domain' from batch b
        join proofs p on p.merchant_id = b.merchant_id and p.kind = 'product' and p.subject_id = b.product_id
        where p.merchant_id = any(${merchants}::uuid[]))
    select claimed.place::int, claimed.hostname, ${ownerRow('owner')} as owner
    from claimed left join hostname_owners owner
      on owner.hostname = claimed.hostname and owner.merchant_id <> claimed.merchant_id`.execute(db);
  const hosts = products.map((): ClaimedHost[] => []);
  for (const { place, hostname, owner } of rows)
    hosts[place - 1]?.push({ hostname, lost: ownerOf(trusted, owner) !== null });
  return hosts;
}
