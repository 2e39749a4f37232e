import { createHash } from 'node:crypto';
import type { ProductSnapshot } from '@touchstone/certificate';
import type { ProofIntent } from '@touchstone/certificate/issue';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';
import type { ProofKind, ProofsTable } from '../platform/database/tables.ts';

/** Milliseconds after its end for which an expired proof is kept. */
const PURGED_AFTER = 86_400_000;
/** Rows deleted by one statement, so that none holds its locks for long. */
const PURGE_BATCH = 5_000;

/** What a proof is about: one state of one product or image, as one issuer signs it. */
export interface ProofSubject {
  readonly kind: ProofKind;
  /** Product or image id. */
  readonly id: string;
  readonly snapshot: ProductSnapshot;
}

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

/** SHA-256 over issuer and snapshot. Raise `v` when the same snapshot must lead to other claims. */
export function snapshotHash(issuer: string, snapshot: ProductSnapshot): Buffer {
  return createHash('sha256')
    .update(canonicalJson({ v: 1, issuer, snapshot }))
    .digest();
}

/**
 * One text for one value, whatever the order of its members (after RFC 8785: members sorted by UTF-16 code
 * units, no white space). For plain JSON data; absent and undefined members are the same.
 */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** The newest generation of a subject's state, signed or not. */
export async function latestProof(
  db: Database,
  subject: ProofSubject,
  hash: Buffer,
): Promise<ProofRecord | null> {
  const row = await db
    .selectFrom('proofs')
    .innerJoin('signing_keys', 'signing_keys.kid', 'proofs.kid')
    .selectAll('proofs')
    .select('signing_keys.revoked_at')
    .where('kind', '=', subject.kind)
    .where('subject_id', '=', subject.id)
    .where('snapshot_hash', '=', hash)
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
