import { hash as digest } from 'node:crypto';
import type { ProductSnapshot } from '@touchstone/certificate';
import { type BoundMembers, canonicalJson, type ProofIntent } from '@touchstone/certificate/issue';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { ProofKind, ProofsTable } from '../../platform/database/tables.ts';
import type { ProofSubject } from './signed-document.ts';
import type { StatusEntry } from './status-entries.ts';

/** Milliseconds after its end for which an expired proof is kept. */
export const PURGED_AFTER = 86_400_000;
/**
 * Milliseconds that a proof may be dated ahead of a node's clock: more than the clock skew between nodes, and less than
 * `timestampValid` allows. A proof further ahead was issued before a clock was set back.
 */
export const MOST_AHEAD = 120_000;
/** Rows deleted by one statement, so that none holds its locks for long. */
const PURGE_BATCH = 5_000;

/** What is recorded when a proof is signed. */
export interface RecordedSignature {
  /** base64url. */
  readonly signature: string;
  /** Its inclusion in the transparency log; absent: its documents carry none. */
  readonly logProof?: string;
}

/** A row of the table: the intent to sign, and its signature once recorded. */
export interface ProofRecord {
  readonly merchantId: string;
  readonly rowId: string;
  readonly generation: number;
  readonly intent: ProofIntent;
  /** As recorded. Documents are rendered from it, so that all nodes return the same bytes. */
  readonly snapshot: ProductSnapshot;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly signed: RecordedSignature | null;
  readonly keyRevoked: boolean;
  /** The entry of a status list that it names. */
  readonly status?: StatusEntry;
}

/**
 * Identifies a state of a subject: SHA-256 over issuer, snapshot and the members that documents of it have. If a release or a
 * setting changes the documents of a snapshot, they need new proofs. A later check of control alone makes no other state: its
 * time is signed with the next proof.
 */
export function stateHash(issuer: string, snapshot: ProductSnapshot, form: BoundMembers): Buffer {
  const { control, ...others } = snapshot;
  const { checkedAt: _, ...proven } = control ?? {};
  const state = control === undefined ? others : { ...others, control: proven };
  const text = canonicalJson({ form, issuer, snapshot: state, v: 2 });
  if (text === null) throw new TypeError('the snapshot has no canonical JSON');
  return digest('sha256', text, 'buffer');
}

/** A state of a subject. */
export interface ProofState {
  readonly subject: ProofSubject;
  readonly hash: Buffer;
}

export interface NewIntent extends ProofState {
  readonly generation: number;
  readonly intent: ProofIntent;
  readonly status?: StatusEntry | undefined;
}

/** Key and times shared by intents that are recorded together. */
export interface NewIssuance {
  readonly kid: string;
  readonly issuedAt: Date;
  readonly expiresAt: Date;
}

type Placed<Row> = Row & { readonly place: number };

/** The newest generation of each state, signed or not, in the order of `states`; null without one. */
export async function latestProofs(
  db: Database,
  states: readonly ProofState[],
): Promise<(ProofRecord | null)[]> {
  const { rows } = await sql<Placed<Selectable<ProofsTable> & { revoked_at: Date | null }>>`
    select distinct on (wanted.place) wanted.place::integer as place, proof.*, signing_keys.revoked_at
    from unnest(${states.map(({ subject }) => subject.merchantId)}::uuid[],
                ${states.map(({ subject }) => subject.kind)}::text[],
                ${states.map(({ subject }) => subject.id)}::uuid[],
                ${states.map(({ hash }) => hash)}::bytea[])
      with ordinality as wanted (merchant_id, kind, id, hash, place)
    join proofs proof on proof.merchant_id = wanted.merchant_id and proof.kind = wanted.kind
      and proof.subject_id = wanted.id and proof.snapshot_hash = wanted.hash
    join signing_keys on signing_keys.kid = proof.kid
    order by wanted.place, proof.generation desc`.execute(db);
  return inPlace(states.length, rows, (row) => recordOf(row, row.revoked_at !== null));
}

/**
 * Records intents before they are signed. The key must be active: its row is locked (`for share`), so that it cannot
 * retire or be revoked meanwhile.
 *
 * @param rendered - whether documents will be rendered from the records: then their snapshots are read back from the database
 * @returns records in the order of `made`; null where another node recorded the generation first, or the key is not active
 */
export async function recordIntents(
  db: Database,
  made: readonly NewIntent[],
  { kid, issuedAt, expiresAt }: NewIssuance,
  rendered: boolean,
): Promise<(ProofRecord | null)[]> {
  // inserted in the same order on every node, so that two nodes with the same states cannot deadlock
  const { rows } = await sql<RecordedIntent>`
    with active as materialized (
      select kid from signing_keys
      where kid = ${kid} and active_from is not null and retired_at is null and revoked_at is null
      for share
    )
    insert into proofs
      (merchant_id, kind, subject_id, snapshot_hash, generation, kid, header, payload, snapshot, status_list, status_index,
        issued_at, expires_at)
    select made.merchant_id, made.kind, made.id, made.hash, made.generation, active.kid, made.header, made.payload, made.snapshot,
      made.list, made.index, ${issuedAt}::timestamptz, ${expiresAt}::timestamptz
    from rows from (
      unnest(${made.map(({ subject }) => subject.merchantId)}::uuid[]),
      unnest(${made.map(({ subject }) => subject.kind)}::text[]),
      unnest(${made.map(({ subject }) => subject.id)}::uuid[]),
      unnest(${made.map(({ hash }) => hash)}::bytea[]),
      unnest(${made.map(({ generation }) => generation)}::integer[]),
      unnest(${made.map(({ intent }) => intent.header)}::text[]),
      unnest(${made.map(({ intent }) => intent.payload)}::text[]),
      jsonb_array_elements(${JSON.stringify(made.map(({ subject }) => subject.snapshot))}::jsonb),
      unnest(${made.map(({ status }) => status?.list ?? null)}::integer[]),
      unnest(${made.map(({ status }) => status?.index ?? null)}::integer[])
    ) as made (merchant_id, kind, id, hash, generation, header, payload, snapshot, list, index)
    cross join active
    order by made.merchant_id, made.kind, made.id, made.hash
    on conflict (merchant_id, kind, subject_id, snapshot_hash, generation) do nothing
    returning id, kind, subject_id, snapshot_hash${rendered ? sql`, snapshot` : sql``}`.execute(db);
  const recorded = new Map(rows.map((row) => [keyOf(row.kind, row.subject_id, row.snapshot_hash), row]));
  return made.map(({ subject, hash, generation, intent, status }) => {
    const row = recorded.get(keyOf(subject.kind, subject.id, hash));
    if (row === undefined) return null;
    const { snapshot = subject.snapshot } = row;
    const times = { issuedAt, expiresAt };
    return {
      merchantId: subject.merchantId,
      rowId: row.id,
      generation,
      intent,
      snapshot,
      ...times,
      signed: null,
      keyRevoked: false,
      ...(status === undefined ? {} : { status }),
    };
  });
}

interface RecordedIntent
  extends Pick<Selectable<ProofsTable>, 'id' | 'kind' | 'subject_id' | 'snapshot_hash'> {
  readonly snapshot?: ProductSnapshot;
}

/** A record with the signature that its key made over it. */
export interface SignedRecord extends RecordedSignature {
  readonly record: ProofRecord;
}

/**
 * Records signatures. A signature that is already recorded is kept: RS256 is deterministic, so both are the same; with it the inclusion in
 * the log, so that every node renders the same bytes. For the
 * same reason the commit is asynchronous: after a crash the intent is signed again, with the same result. Only a late use of
 * a retired key, which keeps it in the JWKS for longer, is committed synchronously. While nobody knows whether there was one, no answer is
 * in doubt: what is announced extends a period of days, and concerns no copy of a minute ago.
 *
 * @returns the recorded signatures in the order of `signed`; null where the row is gone or its key was revoked
 */
export async function recordSignatures(
  db: Database,
  signed: readonly SignedRecord[],
  now: Date,
): Promise<(RecordedSignature | null)[]> {
  const statement = sql<Placed<Pick<Selectable<ProofsTable>, 'log_proof'> & { signature: string }>>`
    with late_use as (
      update signing_keys set last_used_at = greatest(coalesce(last_used_at, ${now}), ${now})
      where kid = any(${[...new Set(signed.map(({ record }) => record.intent.kid))]}::text[])
        and retired_at is not null and revoked_at is null
      returning kid
    ), commit_mode as (
      select set_config('synchronous_commit', case when exists (select from late_use) then 'on' else 'off' end, true),
        (select count(announce_changes(array['k:' || kid])) from late_use)
    )
    update proofs set signature = coalesce(proofs.signature, made.signature),
      log_proof = case when proofs.signature is null then made.log_proof else proofs.log_proof end
    from unnest(${signed.map(({ record }) => record.merchantId)}::uuid[],
                ${signed.map(({ record }) => record.rowId)}::bigint[],
                ${signed.map(({ signature }) => signature)}::text[],
                ${signed.map(({ logProof }) => logProof ?? null)}::text[]) with ordinality as made (merchant_id, id, signature, log_proof, place),
      signing_keys, commit_mode
    where proofs.merchant_id = made.merchant_id and proofs.id = made.id and signing_keys.kid = proofs.kid and signing_keys.revoked_at is null
    returning made.place::integer as place, proofs.signature, proofs.log_proof`;
  const { rows } = await statement.execute(db);
  return inPlace(signed.length, rows, signatureOf);
}

/** Rows in the order of the request; `place` counts from 1 (`with ordinality`). */
function inPlace<Row extends { readonly place: number }, T>(
  length: number,
  rows: readonly Row[],
  read: (row: Row) => T,
): (T | null)[] {
  const placed = new Map(rows.map((row) => [row.place, row]));
  return Array.from({ length }, (_, index) => {
    const row = placed.get(index + 1);
    return row === undefined ? null : read(row);
  });
}

/** A unique key of a state. */
export function stateKey({ subject: { kind, id }, hash }: ProofState): string {
  return keyOf(kind, id, hash);
}

function keyOf(kind: ProofKind, id: string, hash: Buffer): string {
  return `${kind} ${id} ${hash.toString('base64url')}`;
}

/**
 * Deletes proofs that expired more than a day before `now`.
 *
 * @returns the number of deleted proofs
 */
export async function purgeProofs(db: Database, now: Date): Promise<number> {
  const until = new Date(now.getTime() - PURGED_AFTER);
  let purged = 0;
  for (let batch = PURGE_BATCH; batch === PURGE_BATCH; purged += batch) {
    const { numAffectedRows } = await sql`
      delete from proofs where (merchant_id, id) in (
        select merchant_id, id from proofs where expires_at < ${until} limit ${PURGE_BATCH})`.execute(db);
    batch = Number(numAffectedRows ?? 0n);
  }
  return purged;
}

function recordOf(row: Selectable<ProofsTable>, keyRevoked: boolean): ProofRecord {
  return {
    merchantId: row.merchant_id,
    rowId: row.id,
    generation: row.generation,
    intent: { kind: row.kind, kid: row.kid, header: row.header, payload: row.payload },
    snapshot: row.snapshot,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    signed: signatureOf(row),
    keyRevoked,
    ...statusOf(row),
  };
}

function signatureOf({ signature, log_proof }: Pick<Selectable<ProofsTable>, 'signature' | 'log_proof'>) {
  return signature === null ? null : { signature, ...(log_proof === null ? {} : { logProof: log_proof }) };
}

function statusOf({
  status_list: list,
  status_index: index,
}: Selectable<ProofsTable>): Pick<ProofRecord, 'status'> {
  return list === null || index === null ? {} : { status: { list, index } };
}
