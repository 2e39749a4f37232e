import type { DomainView } from '@touchstone/contract';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

/** All domains of a store, in the order in which they were added; lost ones say since when. */
export async function listDomains(
  db: Kysely<Tables>,
  store: { readonly id: string; readonly merchantId: string },
): Promise<DomainView[]> {
  const rows = await db
    .selectFrom('domains')
    .leftJoin('hostname_owners', (join) =>
      join
        .onRef('hostname_owners.hostname', '=', 'domains.hostname')
        .on('hostname_owners.merchant_id', '=', store.merchantId),
    )
    .select(['domains.hostname', 'challenge', 'lost_at', 'hostname_owners.merchant_id as owner'])
    .where('store_id', '=', store.id)
    .orderBy('created_at')
    .orderBy('domains.hostname')
    .execute();
  return rows.map((row) => ({
    hostname: row.hostname,
    verified: row.owner !== null && row.lost_at === null,
    challenge: row.challenge,
    ...(row.lost_at === null ? {} : { lostAt: row.lost_at.toISOString() }),
  }));
}
