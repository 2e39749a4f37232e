import type {
  FailedImage,
  FailedImageList,
  ImageProblem,
  ImageReport,
  ImageReportList,
  ImageReportQuery,
  ImageState,
} from '@touchstone/contract';
import { getBlob, IMAGE_STATES, pathOf } from '@touchstone/contract';
import { type RawBuilder, sql } from 'kysely';
import type { JobFailure } from '../../platform/database/column-types.ts';
import type { Scope } from '../../platform/http/access.ts';
import { pageOf, type Registry } from '../registry/context.ts';
import { findStore, merchantIn } from '../registry/find-store.ts';
import { parseBlobKey } from './blobs/blob-store.ts';
import { failureOf } from './scan-error.ts';
import { NEVER } from './signer.ts';

/** When our signature of an image `i` expires. */
const SIGNED_UNTIL = sql`(select max(signed_until) from image_certifications c
  where c.merchant_id = i.merchant_id and c.image_id = i.id and c.blob_key = i.blob_key)`;

/** The nil UUID (RFC 9562), which sorts before every image. */
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

type Query = Pick<ImageReportQuery, 'cursor' | 'limit'>;

/** The images of a store with their states, ordered by id. Throws `store_unknown`. */
export async function listImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  { state, productId, baseUrl, ...query }: ImageReportQuery & { readonly baseUrl: string },
): Promise<ImageReportList> {
  const merchant = merchantIn(scope, storeId);
  const states = conditionsFor(state, merchant);
  const parts = productId === undefined ? states : [ofProduct(merchant, productId, states)];
  const { rows, next } = await pageOfImages(registry, scope, storeId, parts, query);
  return { images: rows.map((row) => toReport(row, baseUrl)), ...next };
}

/** Images that were given up for now, with reasons and next steps, ordered by id. Throws `store_unknown`. */
export async function failedImages(
  registry: Registry,
  scope: Scope,
  storeId: string,
  query: Query,
): Promise<FailedImageList> {
  const { rows, next } = await pageOfImages(registry, scope, storeId, [sql`result = 'failed'`], query);
  const unknown = { code: 'image_fault', detail: '', at: '', attempts: 0 };
  const images = rows.map(
    (row): FailedImage => ({ ...identityOf(row), ...problemOf(row.failure ?? unknown, row.due_at) }),
  );
  return { images, ...next };
}

/** Alternative conditions on the jobs of the images to list. Each is covered by an index in the order of the list. */
function conditionsFor(
  state: ImageReportQuery['state'],
  merchant: string | RawBuilder<string>,
): RawBuilder<unknown>[] {
  if (state === 'retrying') return [sql`failure is not null and result is distinct from 'failed'`];
  if (state === 'signed') return [SIGNED];
  if (state === 'unstamped') return [sql`${SIGNED} and ${unstamped(merchant)}`];
  return (state === undefined ? IMAGE_STATES : [state]).map((one) => sql`image_state = ${one}`);
}

/** A product has few images, each found by its key: no index in the order of the pages is needed. */
function ofProduct(
  merchant: string | RawBuilder<string>,
  productId: string,
  parts: readonly RawBuilder<unknown>[],
): RawBuilder<unknown> {
  const ids = sql`array(
    select id from images where merchant_id = ${merchant} and product_id = ${productId} and removed_at is null)`;
  return sql`subject = any(${ids}) and (${sql.join(
    parts.map((part) => sql`(${part})`),
    sql` or `,
  )})`;
}

const SIGNED = sql`image_marks & 2 <> 0`;

const unstamped = (merchant: string | RawBuilder<string>) => sql`exists (select from images i
  where i.merchant_id = ${merchant} and i.id = subject and coalesce(${SIGNED_UNTIL} < ${NEVER.toISOString()}::timestamptz, true))`;

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
  conditions: readonly RawBuilder<unknown>[],
  { cursor, limit }: { readonly cursor?: string | null | undefined; readonly limit: number },
): Promise<{ rows: readonly Row[]; next: { nextCursor?: string } }> {
  const store = await findStore(registry.db, scope, storeId);
  const jobsWith = (condition: RawBuilder<unknown>) => sql`(
    select subject, image_state, failure, due_at from jobs
    -- a literal, not a parameter: the indexes are partial, for this queue only
    where queue = 'image-scans' and owner = ${store.id} and live and ${condition} and subject > ${cursor ?? NIL_UUID}::uuid
    order by subject limit ${limit + 1})`;
  const { rows } = await sql<Row>`
    with j as materialized (
      select * from (${sql.join(conditions.map(jobsWith), sql` union all `)}) parts order by subject limit ${limit + 1}
    )
    select i.id, i.url, i.product_id, p.external_product_id, j.image_state as state, j.failure, j.due_at,
      i.manifest_failures, i.source_uhash, i.blob_key, i.signed_by_us,
      ${SIGNED_UNTIL} as signed_until
    from j join images i on i.merchant_id = ${store.merchantId} and i.id = j.subject
      join products p on p.merchant_id = i.merchant_id and p.id = i.product_id
    order by j.subject`.execute(registry.db);
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
            ...validityOf(row.signed_until),
          },
        }),
  };
}

function validityOf(until: Date | null) {
  if (until !== null && until >= NEVER) return { timeStamp: 'trusted' } as const;
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
