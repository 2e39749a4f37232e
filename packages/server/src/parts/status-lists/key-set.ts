import type { StatusListKeys } from '@touchstone/contract';
import { sql } from 'kysely';
import type { SigningKeys } from '../../core/keys/open-proof-keys.ts';
import { announce } from '../../platform/cache/announce.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, inTransaction } from '../../platform/database/database.ts';

export interface KeySetOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly keys: Pick<SigningKeys, 'published'>;
}

/** The public keys of status lists, and since when proofs name an entry of one. */
export async function readKeySet({ db, clock, keys }: KeySetOptions): Promise<StatusListKeys> {
  const { keys: published } = await keys.published();
  const from = await claimRequiredFrom({ db, clock });
  return { keys: [...published], claim_required_from: Math.floor(from.getTime() / 1000) };
}

/** Milliseconds of notice: for nodes of the release before, which are being replaced, and for copies of the key set. */
const NOTICE = 3_600_000;
/** Milliseconds; as every proof. */
const PROOF_LIFE = 7 * 86_400_000;

/**
 * From when on every proof names an entry. It moves ahead while proofs are issued that name none: by nodes of an earlier release, or while
 * the service ran without this part.
 */
export async function claimRequiredFrom({ db, clock }: Pick<KeySetOptions, 'db' | 'clock'>): Promise<Date> {
  const { rows } = await sql<{ claim_required_from: Date | null }>`
    select claim_required_from from status_publisher`.execute(db);
  const known = rows[0]?.claim_required_from ?? null;
  if (known !== null && !(await isViolated(db, known))) return known;
  return inTransaction(db, async (trx) => {
    const next = new Date(Math.ceil((clock().getTime() + NOTICE) / 1000) * 1000);
    const { rows: written } = await sql<{ claim_required_from: Date }>`
      update status_publisher set claim_required_from = greatest(claim_required_from, ${next})
      returning claim_required_from`.execute(trx);
    await announce(trx, ['l:keys']);
    return written[0]?.claim_required_from ?? next;
  });
}

async function isViolated(db: Database, from: Date): Promise<boolean> {
  const { rows } = await sql`
    select from proofs where expires_at >= ${new Date(from.getTime() + PROOF_LIFE)} and status_list is null limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
