import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { BrokenFile, productsIn } from './bulk-lines.ts';
import { type BulkBegun, type BulkOperation, isOver, mustWait, readOperation } from './bulk-operation.ts';
import { ShopifyProblem } from './problem.ts';
import type { ProductNode } from './queries.ts';
import { noteBulkFailure, noteReading, type ReadingEnd, type ReadingState } from './reading-store.ts';
import { type Reading, registerProducts } from './register-products.ts';

/** What `PRODUCTS` asks for, as bulk operations want it: edges, no numbers, and the id of whatever has others below it. */
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

/** Milliseconds before each question whether the operation is over, in one run; the next run asks again. */
const PAUSES = [250, 1_000];
/** Products that are registered at a time. */
const BATCH = 50;

/**
 * Has Shopify collect all products in a file, and registers them as the file comes. Ended at any moment, it goes on with the same
 * operation: the file is read again, and what was registered since the reading began is passed over.
 *
 * @throws ShopifyProblem
 */
export async function readInBulk(reading: Reading, state: ReadingState): Promise<ReadingEnd> {
  const id = state.operation ?? (await begin(reading, state));
  if (id === 'later') return id;
  const operation = id === null ? null : await ended(reading, state, id);
  if (operation === 'running') return 'later';
  if (operation?.errorCode === 'ACCESS_DENIED') {
    await noteReading(reading, state, { bulk_operation: null });
    throw new ShopifyProblem('shopify_scope_missing', 'The bulk operation ended as ACCESS_DENIED.');
  }
  // what a failed operation has collected may lack images and variants: it does not count
  const file = operation?.status === 'COMPLETED' ? operation.url : null;
  const came =
    file === null || operation === null ? 'nothing' : await readFile(reading, state, file, operation);
  return came === 'nothing' ? noteBulkFailure(reading, state) : came;
}

/** @returns id of the operation; `later`: others must end first; `null`: the shop refuses it */
async function begin(reading: Reading, state: ReadingState): Promise<string | 'later' | null> {
  // in groups it takes longer, and fails more often
  const variables = { query: ALL_PRODUCTS, groupObjects: state.failures === 0 };
  const { bulkOperationRunQuery: begun } = await reading.client.query<{
    readonly bulkOperationRunQuery: BulkBegun;
  }>(RUN_BULK_QUERY, variables, reading.signal);
  const id = begun.bulkOperation?.id ?? null;
  if (id !== null) await noteReading(reading, state, { bulk_operation: id });
  return id === null && mustWait(begun) ? 'later' : id;
}

async function ended(
  reading: Reading,
  state: ReadingState,
  id: string,
): Promise<BulkOperation | null | 'running'> {
  const { client, signal } = reading;
  for (const pause of PAUSES) {
    await delay(pause, undefined, { signal });
    const operation = await readOperation(client, id, signal);
    if (operation === null || isOver(operation)) return operation;
    await noteReading(reading, state, { bulk_collected: Number(operation.rootObjectCount) });
    await reading.progressed();
  }
  return 'running';
}

/** What came of a file; of an empty one nothing, for the shop has counted thousands. */
type Came = 'all' | 'nothing' | 'later';

async function readFile(
  reading: Reading,
  state: ReadingState,
  url: string,
  { rootObjectCount }: BulkOperation,
): Promise<Came> {
  const { context, signal } = reading;
  const result = await context.exports
    .fetch(url, (bytes) => registerAll(reading, state, bytes), { signal })
    .catch((error: unknown) => {
      if (error instanceof BrokenFile) return null;
      throw error;
    });
  if (result === null) return 'nothing';
  if (result.kind === 'read') {
    const { value: count } = result;
    // another reading was ordered
    if (count === 'later') return count;
    return count > 0 && count >= Number(rootObjectCount) ? 'all' : 'nothing';
  }
  // the address has ended, as it does after seven days
  if (result.status !== undefined && result.status < 500) return 'nothing';
  throw new ShopifyProblem(
    'shopify_unreachable',
    `The file of a bulk operation: ${result.code} ${result.detail}`.trim(),
  );
}

/** @returns how many there were; `later`: another reading was ordered */
async function registerAll(
  reading: Reading,
  state: ReadingState,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number | 'later'> {
  let count = 0;
  let whole: ProductNode[] = [];
  let parts: string[] = [];
  const write = async (): Promise<boolean> => {
    reading.signal.throwIfAborted();
    await registerProducts(reading, await notRead(reading, whole, state.since), state.since);
    await readLater(reading, parts);
    count += whole.length;
    whole = [];
    parts = [];
    await reading.progressed();
    return noteReading(reading, state, { products_read: count });
  };
  for await (const product of productsIn(bytes)) {
    if (product.kind === 'whole') whole.push(product.node);
    else parts.push(product.id);
    if (whole.length + parts.length >= BATCH && !(await write())) return 'later';
  }
  return (await write()) ? count : 'later';
}

/** Those that were not read since: by the run before, or by themselves, later than the file was made. */
async function notRead(
  { context, connection }: Reading,
  nodes: readonly ProductNode[],
  since: Date,
): Promise<ProductNode[]> {
  const { rows } = await sql<{ id: string }>`
    select shopify_id as id from shopify_products where store_id = ${connection.store_id} and seen_at >= ${since}
      and shopify_id = any(${nodes.map(({ legacyResourceId }) => legacyResourceId)}::bigint[])`.execute(
    context.registry.db,
  );
  const read = new Set(rows.map(({ id }) => id));
  return nodes.filter(({ legacyResourceId }) => !read.has(legacyResourceId));
}

async function readLater({ context, connection }: Reading, ids: readonly string[]): Promise<void> {
  await sql`
    insert into shopify_products (store_id, shopify_id, due_at)
    select distinct ${connection.store_id}::uuid, id, date_trunc('milliseconds', clock_timestamp())
    from unnest(${ids}::bigint[]) as part (id)
    on conflict (store_id, shopify_id) do update set due_at = excluded.due_at`.execute(context.registry.db);
}
