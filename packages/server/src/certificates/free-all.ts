import { sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/** Frees whatever was taken. For whoever knows that nobody is looking at any product. */
export async function freeAll(db: Database): Promise<void> {
  await sql`
    update certificate_due set taken = null, taken_at = null, taken_by = null where taken is not null`.execute(
    db,
  );
}
