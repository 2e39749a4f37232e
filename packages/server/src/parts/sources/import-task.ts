import type { LiveCursor } from '@touchstone/catalogue';
import type { Registry } from '../../core/registry/context.ts';
import { openText } from '../../platform/database/sealed-texts.ts';
import type { Job } from '../../platform/jobs/job.ts';
import type { JobQueue } from '../../platform/jobs/job-queue.ts';
import type { ImportTurns } from './import-turns.ts';
import type { CatalogueReader } from './read-catalogue.ts';

export interface ImportRun {
  readonly registry: Registry;
  readonly queue: JobQueue;
  readonly reader: CatalogueReader;
  readonly turns: ImportTurns;
  /** Milliseconds between two requests to a shop. */
  readonly interval: number;
  /** Receives errors that neither the shop nor the network caused. */
  readonly onFault: (error: unknown) => void;
}

/** What an import is to do, and the cursor from which it resumes. */
export interface ImportTask {
  readonly id: string;
  readonly merchantId: string;
  readonly storeId: string;
  readonly storeUrl: string;
  readonly url: string;
  readonly kind: string;
  readonly prune: 'never' | 'cautious' | 'always';
  /** It was not ordered by a call. */
  readonly isScheduled: boolean;
  readonly cursor: LiveCursor | null;
}

/** The name under which the cursor of an import is sealed. */
export const cursorName = (importId: string): string => `cursor of import ${importId}`;

/** The task of a job; `null` if the import has ended or its store was deleted. */
export async function loadTask(
  { db, secrets }: Registry,
  { subject: id, owner }: Job,
): Promise<ImportTask | null> {
  const row = await db
    .selectFrom('imports as i')
    .innerJoin('stores as s', (join) =>
      join.onRef('s.merchant_id', '=', 'i.merchant_id').onRef('s.id', '=', 'i.store_id'),
    )
    .select([
      'i.id',
      'i.url',
      'i.kind',
      'i.prune',
      'i.scheduled as isScheduled',
      'i.cursor',
      's.id as storeId',
      's.merchant_id as merchantId',
      's.url as storeUrl',
    ])
    .where('i.merchant_id', '=', owner)
    .where('i.id', '=', id)
    .where('i.finished_at', 'is', null)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { seal } = secrets;
  const cursor = row.cursor === null ? null : seal.open(cursorName(row.id), row.cursor);
  return {
    ...row,
    url: openText(seal, 'imports', row, row.url),
    cursor: cursor === null ? null : (JSON.parse(cursor.toString()) as LiveCursor),
  };
}
