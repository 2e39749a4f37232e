import type {
  FailedImage,
  FailedImageList,
  ImageProblem,
  ImageReport,
  ImageReportList,
  ImageReportQuery,
  ImageState,
} from '@touchstone/contract';
import { getBlob, pathOf } from '@touchstone/contract';
import { type RawBuilder, sql } from 'kysely';
import type { JobFailure } from '../platform/database/tables.ts';
import type { Scope } from '../platform/http/access.ts';
import { pageOf, type Registry } from '../registry/context.ts';
import { findStore } from '../registry/find-store.ts';
import { IMAGE_SCANS } from '../registry/products/product-images.ts';
import { parseBlobKey } from './blobs/blob-store.ts';
import { failureOf } from './scan-error.ts';
import { LIVE } from './scan-progress.ts';
import { NO_END } from './signer.ts';

/** When our signature of an image `i` ends. */
const SIGNED_UNTIL = sql`(select max(signed_until) from image_certifications c
  where c.image_id = i.id and c.blob_key = i.blob_key)`;

type Query = Pick<ImageReportQuery, 'cursor' | 'limit'>;

/** The state of an image: docs/interpretation.md has what each endpoint answers in it. */
const STATE = sql<ImageState>`case
  when i.given_up then 'failed'
  when i.media_type is null then 'waiting'
  when i.media_type not like 'image/%' then 'no_image'
  when i.credentials->>'finding' = 'image_issued_to_another_store' then 'issued_to_another_store'
  when i.credentials->>'finding' = 'image_manifest_remote' then 'manifest_remote'
  when left(i.blob_key, 64) = i.source_uhash then 'certified'
  when i.blob_key is not null then 'not_served'
  when i.credentials->'hashes' is null then 'damaged'
  when i.credentials->>'hasManifest' = 'true' then 'manifest_invalid'
  else 'no_manifest' end`;

/** The images of a store with what is known of them; by id. Throws `store_unknown`. */
export async function listImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { state, baseUrl, ...query }: ImageReportQuery & { readonly baseUrl: string },
): Promise<ImageReportList> {
  const { rows, next } = await pageOfImages(registry, scope, storeId, whichOf(state), query);
  return { images: rows.map((row) => toReport(row, baseUrl)), ...next };
}

/** Images that were given up for now, with why and what to do; by id. Throws `store_unknown`. */
export async function failedImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  query: Query,
): Promise<FailedImageList> {
  const { rows, next } = await pageOfImages(registry, scope, storeId, sql`j.result = 'failed'`, query);
  const unknown = { code: 'image_fault', detail: '', at: '', attempts: 0 };
  const images = rows.map(
    (row): FailedImage => ({ ...identityOf(row), ...problemOf(row.failure ?? unknown, row.due_at) }),
  );
  return { images, ...next };
}

function whichOf(state: ImageReportQuery['state']): RawBuilder<unknown> {
  if (state === undefined) return sql`true`;
  if (state === 'retrying') return sql`j.failure is not null and j.result is distinct from 'failed'`;
  if (state === 'unstamped')
    return sql`i.signed_by_us and coalesce(${SIGNED_UNTIL} < ${NO_END.toISOString()}::timestamptz, true)`;
  return state === 'signed' ? sql`i.signed_by_us` : sql`${STATE} = ${state}`;
}

interface Row {
  id: string;
  url: string;
  product_id: string;
  external_product_id: string;
  state: ImageState;
  failure: JobFailure | null;
  due_at: Date | null;
  manifest_failures: string[] | null;
  source_uhash: string | null;
  blob_key: string | null;
  signed_by_us: boolean;
  signed_until: Date | null;
}

async function pageOfImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  which: RawBuilder<unknown>,
  { cursor = null, limit }: { readonly cursor?: string | null | undefined; readonly limit: number },
): Promise<{ rows: readonly Row[]; next: { nextCursor?: string } }> {
  const store = await findStore(registry.db, scope, storeId);
  const { rows } = await sql<Row>`
    select i.id, i.url, i.product_id, p.external_product_id, ${STATE} as state, j.failure, j.due_at,
      i.manifest_failures, i.source_uhash, i.blob_key, i.signed_by_us,
      ${SIGNED_UNTIL} as signed_until
    from jobs j
    join images i on i.id = j.subject
    join products p on p.id = i.product_id
    where j.queue = ${IMAGE_SCANS} and j.owner = ${store.id} and ${which} and ${LIVE}
      and (${cursor}::uuid is null or i.id > ${cursor}::uuid)
    order by i.id limit ${limit + 1}`.execute(registry.db);
  const { page, next } = pageOf(rows, limit, ({ id }) => id);
  return { rows: page, next };
}

function toReport(row: Row, baseUrl: string): ImageReport {
  const { state, failure, due_at, manifest_failures, source_uhash, blob_key, signed_by_us } = row;
  const file = signed_by_us && blob_key !== null ? parseBlobKey(blob_key) : null;
  return {
    ...identityOf(row),
    state,
    ...(failure === null ? {} : { problem: problemOf(failure, due_at) }),
    ...(manifest_failures === null ? {} : { manifestFailures: manifest_failures }),
    ...(source_uhash === null ? {} : { sourceUhash: source_uhash }),
    ...(file === null || blob_key === null
      ? {}
      : {
          signedFile: {
            url: baseUrl + pathOf(getBlob, { blob: blob_key }),
            uhash: file.uhash,
            mediaType: file.mediaType,
            ...lastingOf(row.signed_until),
          },
        }),
  };
}

function lastingOf(until: Date | null) {
  if (until !== null && until >= NO_END) return { timeStamp: 'trusted' } as const;
  return { timeStamp: 'none', ...(until === null ? {} : { validUntil: until.toISOString() }) } as const;
}

function identityOf({ id, url, product_id, external_product_id }: Row) {
  return { id, url, productId: product_id, externalProductId: external_product_id };
}

function problemOf({ code, detail, at, attempts }: JobFailure, dueAt: Date | null): ImageProblem {
  const { sentence, nextStep } = failureOf(code);
  return {
    code,
    message: detail === '' ? sentence : `${sentence} ${detail}`,
    nextStep,
    attempts,
    failedAt: at,
    ...(dueAt === null ? {} : { nextAttemptAt: dueAt.toISOString() }),
  };
}
