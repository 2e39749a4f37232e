import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

/** Hosts of one statement. */
const BATCH = 500;

/**
 * Adds the hosts of certificates that a release without them has found, or a node of it.
 *
 * @returns how many
 */
export async function addMissingHosts(db: Database): Promise<number> {
  for (let added = 0; ; ) {
    const { numAffectedRows } = await sql`
      insert into copy_hosts (merchant_id, store_id, host, domain, url, found, state, first_at, last_at, check_at)
      select c.merchant_id, c.store_id, c.host, min(c.domain), (array_agg(c.url order by c.last_at desc))[1],
        jsonb_build_object('certificate', jsonb_build_object('lastAt',
          to_char(max(c.last_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
        'new', min(c.first_at), max(c.last_at), max(c.last_at) + interval '1 day'
      from copies c where not exists (
        select from copy_hosts h where h.merchant_id = c.merchant_id and h.store_id = c.store_id and h.host = c.host)
      group by c.merchant_id, c.store_id, c.host limit ${BATCH}
      on conflict (merchant_id, store_id, host) do nothing`.execute(db);
    if (numAffectedRows === undefined || numAffectedRows === 0n) return added;
    added += Number(numAffectedRows);
  }
}
