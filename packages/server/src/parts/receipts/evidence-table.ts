import type { Evidence } from '@touchstone/contract';
import { sql } from 'kysely';
import type { BlobStore } from '../../core/images/blobs/blob-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Database, type DatabaseTransaction, inTransaction } from '../../platform/database/database.ts';
import { lockFor } from '../../platform/database/locks.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';

export interface EvidenceContext {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal'>;
  readonly blobs: Pick<BlobStore, 'put' | 'size' | 'read' | 'remove'>;
  /** Bytes that a merchant may keep; 0: none. */
  readonly quota: number;
}

/** Milliseconds for which evidence is kept. */
const KEPT_FOR = 90 * 86_400_000;
/** Files that a merchant may keep, however small. */
const MOST_FILES = 1_000;
/** Files deleted by one statement. */
const BATCH = 100;

/** What of the evidence is only shown to its merchant. */
type About = Pick<Evidence, 'url' | 'verdict'>;

/** Blobs are sealed under this name: one cannot be passed off as another. */
const nameOf = (merchantId: string, id: string): string => `evidence ${merchantId} ${id}`;
const keyOf = (id: string): string => `${id}.evidence`;

export interface UsedEvidence {
  readonly files: number;
  readonly bytes: number;
}

async function usedBy(db: Database | DatabaseTransaction, merchantId: string): Promise<UsedEvidence> {
  const { rows } = await sql<UsedEvidence>`
    select count(*)::integer as files, coalesce(sum(bytes), 0)::float8 as bytes
    from evidence where merchant_id = ${merchantId}`.execute(db);
  return rows[0] ?? { files: 0, bytes: 0 };
}

/** @throws ServiceError `evidence_quota_reached` if a merchant may keep no more than it does */
export async function assertEvidenceRoom(
  { db, quota }: EvidenceContext,
  merchantId: string,
  more = 1,
  trx: Database | DatabaseTransaction = db,
): Promise<void> {
  const used = await usedBy(trx, merchantId);
  if (used.files >= MOST_FILES || used.bytes + more > quota) throw new ServiceError('evidence_quota_reached');
}

/**
 * Keeps a file: the row first, so that no blob is left without one, whatever is killed.
 *
 * @throws ServiceError `evidence_quota_reached`
 */
export async function keepEvidence(
  context: EvidenceContext,
  { merchantId, id, about, file }: { merchantId: string; id: string; about: About; file: Uint8Array },
): Promise<Evidence> {
  const { db, clock, secrets, blobs } = context;
  const name = nameOf(merchantId, id);
  const createdAt = clock();
  const expiresAt = new Date(createdAt.getTime() + KEPT_FOR);
  const bytes = file.byteLength;
  await inTransaction(db, async (trx) => {
    await lockFor(trx, `evidence: ${merchantId}`);
    await assertEvidenceRoom(context, merchantId, bytes, trx);
    const sealed = secrets.seal.seal(name, Buffer.from(JSON.stringify(about)));
    const row = {
      merchant_id: merchantId,
      id,
      about: sealed,
      bytes,
      created_at: createdAt,
      expires_at: expiresAt,
    };
    await trx.insertInto('evidence').values(row).execute();
  });
  try {
    await blobs.put(keyOf(id), secrets.seal.seal(name, file));
  } catch (error) {
    // what is not kept does not count towards the quota
    await deleteEvidence(context, merchantId, id).catch(() => {});
    throw error;
  }
  return { id, ...about, bytes, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
}

/** What a merchant keeps, the newest first. */
export async function listEvidence({ db, clock, secrets, quota }: EvidenceContext, merchantId: string) {
  const rows = await db
    .selectFrom('evidence')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('expires_at', '>', clock())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
  const evidence = rows.map((row): Evidence => {
    const about = JSON.parse(secrets.seal.open(nameOf(merchantId, row.id), row.about).toString()) as About;
    const [createdAt, expiresAt] = [row.created_at.toISOString(), row.expires_at.toISOString()];
    return { id: row.id, ...about, bytes: row.bytes, createdAt, expiresAt };
  });
  const { bytes } = await usedBy(db, merchantId);
  return { evidence, bytes, quotaBytes: quota };
}

/** @throws ServiceError `evidence_unknown`, also for that of another merchant */
export async function readEvidence(
  { db, clock, secrets, blobs }: EvidenceContext,
  merchantId: string,
  id: string,
): Promise<Uint8Array> {
  const row = await db
    .selectFrom('evidence')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .where('expires_at', '>', clock())
    .executeTakeFirst();
  // a row without its blob is of a node that was killed
  if (row === undefined || (await blobs.size(keyOf(row.id))) === null)
    throw new ServiceError('evidence_unknown');
  const pieces: Uint8Array[] = [];
  for await (const piece of blobs.read(keyOf(row.id))) pieces.push(piece);
  return secrets.seal.open(nameOf(merchantId, row.id), Buffer.concat(pieces));
}

/** The blob first, so that one that could not be deleted still has its row. @throws ServiceError `evidence_unknown` */
export async function deleteEvidence(
  { db, blobs }: EvidenceContext,
  merchantId: string,
  id: string,
): Promise<void> {
  const found = db
    .selectFrom('evidence')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id);
  if ((await found.executeTakeFirst()) === undefined) throw new ServiceError('evidence_unknown');
  await blobs.remove(keyOf(id));
  await db.deleteFrom('evidence').where('merchant_id', '=', merchantId).where('id', '=', id).execute();
}

/** Deletes what has expired. @returns how many files */
export async function deleteExpiredEvidence(context: EvidenceContext): Promise<number> {
  let deleted = 0;
  for (let found = BATCH; found === BATCH; ) {
    const { rows } = await sql<{ merchant_id: string; id: string }>`
      select merchant_id, id from evidence where expires_at <= ${context.clock()} limit ${BATCH}`.execute(
      context.db,
    );
    found = rows.length;
    for (const { merchant_id: merchantId, id } of rows) await deleteEvidence(context, merchantId, id);
    deleted += found;
  }
  return deleted;
}
