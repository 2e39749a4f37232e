import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { ShardId } from './shards.ts';

/** Leaves with neighbouring places that are indexed together: most are of one shop, and take one row. */
export const RUN = 64;

/** Who sees leaves, besides the merchant of those whose domain is hashed. An owner has proven the host itself, not one above it. */
export type SeenBy = 'everybody' | 'operator' | 'owner';

/** Has published leaves found by their domain, and by all domains above it. */
export async function indexDomains(
  trx: DatabaseTransaction,
  { year, number }: ShardId,
  from: number,
  to: number,
): Promise<void> {
  await sql`
    insert into log_domain_runs (suffix, seen_by, year, number, run)
    select distinct array_to_string(labels[1:length], '.') || '.', seen_by, ${year}::integer, ${number}::integer, run
    from (
      select distinct string_to_array(rtrim(domain_key, '.'), '.') as labels, index / ${RUN}::bigint as run,
        case when leaf like '{"domain":%' then array['everybody'] else array['operator', 'owner', merchant_id::text] end as seers
      from log_leaves where year = ${year}::integer and number = ${number}::integer
        and index >= ${from}::bigint and index < ${to}::bigint) leaves,
      generate_series(1, cardinality(labels)) as length, unnest(seers) as seen_by
    where seen_by is not null and (seen_by <> 'owner' or length = cardinality(labels))
    on conflict do nothing`.execute(trx);
}
