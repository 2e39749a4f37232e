import { createHash } from 'node:crypto';
import type { ProductSnapshot } from '@touchstone/certificate';
import { type BoundMembers, canonicalJson, type ProofIntent } from '@touchstone/certificate/issue';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { ProofsTable } from '../platform/database/tables.ts';
import type { ProofSubject } from './signed-document.ts';

/** Milliseconds after its end for which an expired proof is kept. */
const PURGED_AFTER = 86_400_000;
/** Rows deleted by one statement, so that none holds its locks for long. */
const PURGE_BATCH = 5_000;

/** One row: the intent to sign, and the signature once there is one. */
export interface ProofRecord {
  readonly rowId: string;
  readonly generation: number;
  readonly intent: ProofIntent;
  /** As recorded; documents are rendered from it, so that all nodes answer the same bytes. */
  readonly snapshot: ProductSnapshot;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  /** base64url. */
  readonly signature: string | null;
  readonly keyRevoked: boolean;
}

/**
 * SHA-256 over issuer and snapshot, and over the members that documents of it have now: where a release or a setting has
 * made other documents of the same snapshot, they need proofs of their own.
 */
export function snapshotHash(issuer: string, snapshot: ProductSnapshot, form: BoundMembers): Buffer {
  return hashOf({ v: 2, issuer, snapshot, form });
}

/** The same for proofs that bind no members: those of before the claim. */
export function unboundHash(issuer: string, snapshot: ProductSnapshot): Buffer {
  return hashOf({ v: 1, issuer, snapshot: { ...snapshot, domains: undefined } });
}

function hashOf(value: object): Buffer {
  const text = canonicalJson(value);
  if (text === null) throw new TypeError('the snapshot has no canonical JSON');
  return createHash('sha256').update(text).digest();
}

/** The newest generation of a subject's state, signed or not; where there is none, a proof of before that is signed. */
export async function latestProof(
  db: Database,
  subject: ProofSubject,
  hash: Buffer,
  unbound: Buffer,
): Promise<ProofRecord | null> {
  const row = await db
    .selectFrom('proofs')
    .innerJoin('signing_keys', 'signing_keys.kid', 'proofs.kid')
    .selectAll('proofs')
    .select('signing_keys.revoked_at')
    .where('kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where((is) =>
      is.or([
        is('snapshot_hash', '=', hash),
        is.and([is('snapshot_hash', '=', unbound), is('signature', 'is not', null)]),
      ]),
    )
    .orderBy((is) => is('snapshot_hash', '=', hash), 'desc')
    .orderBy('generation', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : recordOf(row, row.revoked_at !== null);
}

export interface NewIntent {
  readonly subject: ProofSubject;
  readonly hash: Buffer;
  readonly generation: number;
  readonly intent: ProofIntent;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

/**
 * Records what will be signed, before anyone signs. The key must be the active one at that very moment: its row
 * is held in share, so that it cannot retire or be revoked in between.
 *
 * @returns null when another node recorded this generation first, or the key may begin nothing any more
 */
export async function recordIntent(db: Database, made: NewIntent): Promise<ProofRecord | null> {
  const { subject, intent } = made;
  const { rows } = await sql<Selectable<ProofsTable>>`
    insert into proofs
      (kind, subject_id, snapshot_hash, generation, kid, header, payload, snapshot, issued_at, expires_at)
    select ${subject.kind}, ${subject.id}::uuid, ${made.hash}::bytea, ${made.generation}::integer, kid,
      ${intent.header}, ${intent.payload}, ${JSON.stringify(subject.snapshot)}::jsonb,
      ${made.issuedAt}::timestamptz, ${made.expiresAt}::timestamptz
    from signing_keys
    where kid = ${intent.kid} and active_from is not null and retired_at is null and revoked_at is null
    for share
    on conflict (kind, subject_id, snapshot_hash, generation) do nothing
    returning *`.execute(db);
  const row = rows[0];
  return row === undefined ? null : recordOf(row, false);
}

/**
 * Records the signature. Whoever comes second changes nothing: RS256 is deterministic, so both made the same.
 *
 * @returns the signature that stands; null when the row is gone or its key was revoked meanwhile
 */
export async function recordSignature(
  db: Database,
  record: ProofRecord,
  signature: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await sql<{ signature: string }>`
    with late_use as (
      update signing_keys set last_used_at = greatest(coalesce(last_used_at, ${now}), ${now})
      where kid = ${record.intent.kid} and retired_at is not null and revoked_at is null
    )
    update proofs set signature = coalesce(proofs.signature, ${signature})
    from signing_keys
    where proofs.id = ${record.rowId} and signing_keys.kid = proofs.kid and signing_keys.revoked_at is null
    returning proofs.signature`.execute(db);
  return rows[0]?.signature ?? null;
}

/**
 * Deletes what expired more than a day before `now`, so that the table does not grow with time; nothing asks for it.
 *
 * @returns how many proofs went
 */
export async function purgeProofs(db: Database, now: Date): Promise<number> {
  const until = new Date(now.getTime() - PURGED_AFTER);
  let purged = 0;
  for (let batch = PURGE_BATCH; batch === PURGE_BATCH; purged += batch) {
    const { numAffectedRows } = await sql`
      delete from proofs where id in (select id from proofs where expires_at < ${until} limit ${PURGE_BATCH})
    `.execute(db);
    batch = Number(numAffectedRows ?? 0n);
  }
  return purged;
}

function recordOf(row: Selectable<ProofsTable>, keyRevoked: boolean): ProofRecord {
  return {
    rowId: row.id,
    generation: row.generation,
    intent: { kind: row.kind, kid: row.kid, header: row.header, payload: row.payload },
    snapshot: row.snapshot,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    signature: row.signature,
    keyRevoked,
  };
}
