import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { PICTURES_KEPT } from '@touchstone/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';

/** What one picture of a page looks like. */
export interface ReadPicture {
  readonly uhash: string;
  readonly frameCode: string;
  readonly appearance: string;
}

/** What the pictures of a page look like. */
export interface PictureReading {
  /** `null`: it could not be fetched or decoded. */
  readonly pictures: readonly { readonly url: string; readonly read: ReadPicture | null }[];
  /** The page has more. */
  readonly leftOut: boolean;
}

export interface StoredReading {
  readonly readAt: Date;
  readonly reading: PictureReading;
}

export interface ReadingStorage {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Pick<DatabaseSecrets, 'seal'>;
}

/** Seconds after which a reading that has not ended is begun again: longer than any may take. */
const GIVEN_UP = 60;
/** Seconds for which pictures that could not be read are not fetched again. */
const UNREAD_KEPT = 60;
/** Readings that are stored: at most some 30 kB each. */
const MAX_STORED = 5_000;
const MAX_BYTES = 1_000_000;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);
const sealedAs = (id: string) => `pictures of page check ${id}`;

/** What was read of the pictures of a report; `null`: nothing, or too long ago. */
export async function storedReading(
  { db, clock, secrets }: ReadingStorage,
  id: string,
): Promise<StoredReading | null> {
  const row = await db
    .selectFrom('picture_readings')
    .select(['read_at', 'pictures'])
    .where('report_id', '=', id)
    .executeTakeFirst();
  if (row?.read_at == null || row.pictures === null) return null;
  const age = (clock().getTime() - row.read_at.getTime()) / 1_000;
  if (age > PICTURES_KEPT) return null;
  const text = await inflate(secrets.seal.open(sealedAs(id), row.pictures), { maxOutputLength: MAX_BYTES });
  const reading = JSON.parse(text.toString('utf8')) as PictureReading;
  const isIncomplete = reading.pictures.some(({ read }) => read === null);
  return isIncomplete && age > UNREAD_KEPT ? null : { readAt: row.read_at, reading };
}

/** Begins a reading, unless one of any node is under way. @returns whether the caller is to read */
export async function beginReading({ db, clock }: ReadingStorage, id: string): Promise<boolean> {
  const now = clock();
  const givenUp = new Date(now.getTime() - GIVEN_UP * 1_000);
  const { rows } = await sql<{ begun: boolean }>`
    insert into picture_readings as r (report_id, begun_at) values (${id}, ${now})
    on conflict (report_id) do update set begun_at = excluded.begun_at, read_at = null, pictures = null
      where r.read_at is not null or r.begun_at < ${givenUp}
    returning true as begun`.execute(db);
  return rows.length > 0;
}

export async function keepReading(
  { db, clock, secrets }: ReadingStorage,
  id: string,
  reading: PictureReading,
): Promise<StoredReading> {
  const readAt = clock();
  const pictures = secrets.seal.seal(sealedAs(id), await deflate(JSON.stringify(reading)));
  await db
    .updateTable('picture_readings')
    .set({ read_at: readAt, pictures })
    .where('report_id', '=', id)
    .execute();
  return { readAt, reading };
}

/** A reading that failed on our side may begin again at once. */
export async function dropReading({ db }: Pick<ReadingStorage, 'db'>, id: string): Promise<void> {
  await db.deleteFrom('picture_readings').where('report_id', '=', id).where('read_at', 'is', null).execute();
}

/** Deletes readings that are no longer used, and the oldest beyond those that may be stored. @returns how many */
export async function purgeReadings({ db, clock }: Pick<ReadingStorage, 'db' | 'clock'>): Promise<number> {
  const until = new Date(clock().getTime() - PICTURES_KEPT * 1_000);
  const { numAffectedRows } = await sql`
    delete from picture_readings where begun_at < greatest(${until}::timestamptz, (
      select begun_at from picture_readings order by begun_at desc offset ${MAX_STORED} limit 1))`.execute(
    db,
  );
  return Number(numAffectedRows ?? 0n);
}
