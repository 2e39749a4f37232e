import { setTimeout as delay } from 'node:timers/promises';
import { Credential } from '@touchstone/fetch/credential';
import { sql } from 'kysely';
import { BrokenFile } from './bulk-lines.ts';
import { type BulkOperation, type BulkStart, hasEnded, mustWait, readOperation } from './bulk-operation.ts';
import type { ListedProduct } from './listed-rows.ts';
import { ShopifyProblem } from './problem.ts';
import { type ReadingEnd, type ReadingState, recordBulkFailure, recordReading } from './reading-store.ts';
import { type Reading, registerProducts } from './register-products.ts';
import { readBulk } from './shop-threads.ts';

/** The fields of `PRODUCTS` in the form that bulk operations require: edges, no page sizes, and ids of nested objects. */
const ALL_PRODUCTS = `{
  products {
    edges { node {
      id legacyResourceId handle title vendor productType status onlineStoreUrl
      media(query: "media_type:IMAGE") { edges { node { id ... on MediaImage { image { url } } } } }
      variants { edges { node { id sku barcode } } }
    } }
  }
}`;

const RUN_BULK_QUERY = `mutation TouchstoneCollect($query: String!, $groupObjects: Boolean!) {
  bulkOperationRunQuery(query: $query, groupObjects: $groupObjects) {
    bulkOperation { id }
    userErrors { code message }
  }
}`;

/** Milliseconds before each poll of the operation in one run; the next run polls again. */
const POLL_DELAYS = [250, 1_000];

/**
 * Lets Shopify collect all products in a file, and registers them while it is downloaded. After an interruption it resumes with
 * the same operation: the file is read again, and products that were registered since the reading began are skipped.
 *
 * @throws ShopifyProblem
 */
export async function readInBulk(reading: Reading, state: ReadingState): Promise<ReadingEnd> {
  const id = state.operation ?? (await begin(reading, state));
  if (id === 'later') return id;
  const operation = id === null ? null : await pollOperation(reading, state, id);
  if (operation === 'running') return 'later';
  if (operation?.errorCode === 'ACCESS_DENIED') {
    await recordReading(reading, state, { bulk_operation: null });
    throw new ShopifyProblem('shopify_scope_missing', 'The bulk operation ended as ACCESS_DENIED.');
  }
  // the partial result of a failed operation may lack images and variants
  const file = operation?.status === 'COMPLETED' ? operation.url : null;
  const result =
    file === null || operation === null ? 'failed' : await readFile(reading, state, file, operation);
  return result === 'failed' ? recordBulkFailure(reading, state) : result;
}

/** @returns id of the operation; `later`: others must end first; `null`: the shop refuses it */
async function begin(reading: Reading, state: ReadingState): Promise<string | 'later' | null> {
  // grouping takes longer and fails more often, so only the first attempt uses it
  const variables = { query: ALL_PRODUCTS, groupObjects: state.failures === 0 };
  const { bulkOperationRunQuery: start } = await reading.client.query<{
    readonly bulkOperationRunQuery: BulkStart;
  }>(RUN_BULK_QUERY, variables, reading.signal);
  const id = start.bulkOperation?.id ?? null;
  if (id !== null) await recordReading(reading, state, { bulk_operation: id });
  return id === null && mustWait(start) ? 'later' : id;
}

async function pollOperation(
  reading: Reading,
  state: ReadingState,
  id: string,
): Promise<BulkOperation | null | 'running'> {
  const { client, signal } = reading;
  for (const pause of POLL_DELAYS) {
    await delay(pause, undefined, { signal });
    const operation = await readOperation(client, id, signal);
    if (operation === null || hasEnded(operation)) return operation;
    await recordReading(reading, state, { bulk_collected: Number(operation.rootObjectCount) });
    await reading.progressed();
  }
  return 'running';
}

/** The result of reading a file. An empty file counts as failed, since the shop has counted thousands of products. */
type FileResult = 'all' | 'failed' | 'later';

async function readFile(
  reading: Reading,
  state: ReadingState,
  url: string,
  { rootObjectCount }: BulkOperation,
): Promise<FileResult> {
  const { context, signal } = reading;
  const result = await context.exports
    // the address permits the download
    .fetch(url, (bytes) => registerAll(reading, state, bytes), { signal, credential: new Credential(url) })
    .catch((error: unknown) => {
      if (error instanceof BrokenFile) return null;
      throw error;
    });
  if (result === null) return 'failed';
  if (result.kind === 'read') {
    const { value: count } = result;
    // another reading was ordered
    if (count === 'later') return count;
    return count > 0 && count >= Number(rootObjectCount) ? 'all' : 'failed';
  }
  // the address expires after seven days
  if (result.status !== undefined && result.status < 500) return 'failed';
  throw new ShopifyProblem(
    'shopify_unreachable',
    `The result of a bulk operation: ${result.code} ${result.detail}`.trim(),
  );
}

/** @returns how many products the file contains; `later`: another reading was ordered */
async function registerAll(
  reading: Reading,
  state: ReadingState,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number | 'later'> {
  const { context, connection, signal } = reading;
  let count = 0;
  for await (const { whole, parts } of readBulk(
    context.threads,
    { storefront: connection.storefront },
    bytes,
    signal,
  )) {
    signal.throwIfAborted();
    await registerProducts(reading, await withoutRead(reading, whole, state.since), state.since);
    await orderProducts(reading, parts);
    count += whole.length;
    await reading.progressed();
    if (!(await recordReading(reading, state, { products_read: count }))) return 'later';
  }
  return count;
}

/** Leaves out products that were read since: by an interrupted run, or singly after the file was created. */
async function withoutRead(
  { context, connection }: Reading,
  products: readonly ListedProduct[],
  since: Date,
): Promise<ListedProduct[]> {
  const { rows } = await sql<{ id: string }>`
    select shopify_id as id from shopify_products
    where merchant_id = ${connection.merchant_id} and store_id = ${connection.store_id} and seen_at >= ${since}
      and shopify_id = any(${products.map(({ id }) => id)}::bigint[])`.execute(context.registry.db);
  const read = new Set(rows.map(({ id }) => id));
  return products.filter(({ id }) => !read.has(id));
}

/** Orders that these products are read singly. */
async function orderProducts({ context, connection }: Reading, ids: readonly string[]): Promise<void> {
  await sql`
    insert into shopify_products (merchant_id, store_id, shopify_id, due_at)
    select distinct ${connection.merchant_id}::uuid, ${connection.store_id}::uuid, id, ${context.registry.clock()}::timestamptz
    from unnest(${ids}::bigint[]) as part (id)
    on conflict (merchant_id, store_id, shopify_id) do update set due_at = excluded.due_at`.execute(
    context.registry.db,
  );
}
