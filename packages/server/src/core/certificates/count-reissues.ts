import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

/**
 * The products whose certificate, issued in advance, is signed with each key: if the key is revoked, these are issued again. The
 * time that this takes is estimated from the highest rate at which a store's certificates were issued in its latest run.
 */
export async function countReissues(
  db: Database,
): Promise<Map<string, { readonly certificates: number; readonly reissueSeconds?: number }>> {
  const { rows } = await sql<{ kid: string; certificates: number; per_second: number | null }>`
    select kid, count(*)::integer as certificates,
      (select nullif(max(per_second), 0) from certificate_stores) as per_second
    from certificate_lines where kid is not null group by kid`.execute(db);
  return new Map(
    rows.map(({ kid, certificates, per_second: rate }) => [
      kid,
      { certificates, ...(rate === null ? {} : { reissueSeconds: Math.ceil(certificates / rate) }) },
    ]),
  );
}
