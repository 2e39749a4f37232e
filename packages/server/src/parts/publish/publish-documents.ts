import { sql } from 'kysely';
import type { PublicDocument } from '../../core/public-documents.ts';
import type { Database } from '../../platform/database/database.ts';
import { pathOf } from './copy-paths.ts';
import type { Destination } from './destination.ts';
import type { CopySources } from './publish-batch.ts';

export interface DocumentsOptions extends Pick<CopySources, 'onCopy'> {
  readonly db: Database;
  readonly readDocuments: () => Promise<readonly PublicDocument[]>;
}

/**
 * Writes copies of the documents of parts, and removes those of documents that have ended, whichever process wrote them. All of them each
 * time: there are few, and the place may have been emptied. One that changes meanwhile has ordered the job again.
 */
export async function publishDocuments(
  { db, readDocuments, onCopy }: DocumentsOptions,
  destination: Destination,
): Promise<void> {
  const present = await readDocuments();
  const paths = present.map(({ path }) => path);
  // before they are written, so that none is left behind by a process that ends
  await record(db, paths);
  for (const { path, body, etag, headers } of present) {
    await destination.put(pathOf(path), { bytes: body.bytes, etag, headers });
    onCopy('written');
  }
  // again: of one that ended meanwhile, another process may have removed copy and record before this one wrote it
  await record(db, paths);
  const { rows: ended } = await sql<{ path: string }>`
    select path from published_documents where path <> all(${paths}::text[])`.execute(db);
  for (const { path } of ended) {
    await destination.remove(pathOf(path));
    onCopy('removed');
    await sql`delete from published_documents where path = ${path}`.execute(db);
  }
}

async function record(db: Database, paths: readonly string[]): Promise<void> {
  await sql`
    insert into published_documents (path) select path from unnest(${paths}::text[]) path order by path
    on conflict (path) do nothing`.execute(db);
}
