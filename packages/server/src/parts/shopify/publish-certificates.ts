import type { CertificateLine } from '@touchstone/contract';
import { sql } from 'kysely';
import type { AdminClient } from './admin-client.ts';
import { bulkSet } from './bulk-set.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { ShopifyContext } from './context.ts';
import {
  DELETE_METAFIELDS,
  type DeleteMetafieldsAnswer,
  gidOf,
  KEY,
  MAX_METAFIELDS,
  NAMESPACE,
} from './queries.ts';
import { readMetafields } from './read-metafields.ts';
import { type Certificate, inputOf, type MetafieldResult, setMetafields } from './set-metafields.ts';

interface Publishing {
  readonly context: ShopifyContext;
  readonly client: AdminClient;
  readonly connection: ConnectionRow;
  readonly signal: AbortSignal;
  readonly progressed: () => Promise<void>;
}

/** Bytes that a JSON metafield may hold. */
const MAX_VALUE = 128_000;
/** Limits of one call; the API accepts 10 MB. */
const CALL = { lines: MAX_METAFIELDS, bytes: 5_000_000 };
/** Limits of one bulk operation: its certificates are held in memory, and its file may have 100 MB. */
const BULK = { lines: 5_000, bytes: 20_000_000 };
/** Certificates of one run after which the others are written by bulk operations. */
const BULK_AFTER = 500;
/** Shopify's own identifiers; a product with any other was not read from the shop. */
const SHOPIFY_ID = /^[1-9]\d{0,17}$/;

/**
 * Writes the stream of the store's certificates into the metafields of the shop's products, from the last cursor on. After an
 * interruption it repeats at most the last batch.
 */
export async function publishCertificates(publishing: Publishing): Promise<void> {
  const { context, connection, signal } = publishing;
  const { store_id: storeId, merchant_id: merchantId } = connection;
  const since = connection.certificates_from ?? undefined;
  let batch: Batch = { lines: [], bytes: 0 };
  let count = 0;
  for await (const texts of await context.streamCertificates({ merchantId }, storeId, since)) {
    for (const text of texts) {
      signal.throwIfAborted();
      const line = JSON.parse(text) as CertificateLine;
      if (line.status === 'end' || line.status === 'aborted') {
        await write(publishing, batch.lines, line.cursor);
        // the run must not end as if all were published
        if (line.status === 'aborted') throw new Error(`No certificates can be read: ${line.code}`);
        return;
      }
      batch.lines.push(line);
      batch.bytes += text.length;
      count += 1;
      const limits = count > BULK_AFTER ? BULK : CALL;
      if (batch.lines.length < limits.lines && batch.bytes < limits.bytes) continue;
      await write(publishing, batch.lines, line.cursor);
      batch = { lines: [], bytes: 0 };
    }
  }
}

type ProductLine = Extract<CertificateLine, { status: 'current' | 'withdrawn' }>;

interface Batch {
  readonly lines: ProductLine[];
  bytes: number;
}

/** Brings the metafields of a batch in line with its lines, then records the results and the cursor. */
async function write(publishing: Publishing, lines: readonly ProductLine[], cursor: string): Promise<void> {
  const { connection, context } = publishing;
  // the later line of a product counts
  const last = new Map(lines.map((line) => [line.externalProductId, line]));
  const ours = Array.from(last.values()).filter(({ externalProductId }) =>
    SHOPIFY_ID.test(externalProductId),
  );
  const current = ours.filter((line) => line.status === 'current');
  const withdrawn = ours.filter((line) => line.status === 'withdrawn');
  const results = [
    ...(await setAll(publishing, current.map(certificateOf))),
    ...(await inCalls(withdrawn, (some) =>
      remove(
        publishing,
        some.map(({ externalProductId }) => externalProductId),
      ),
    )),
  ];
  await publishing.progressed();
  await record(publishing, results);
  await context.registry.db
    .updateTable('shopify_connections')
    .set({ certificates_from: cursor })
    .where('merchant_id', '=', connection.merchant_id)
    .where('store_id', '=', connection.store_id)
    // a connection that replaced this one starts from its own cursor
    .where('connected_at', '=', connection.connected_at)
    .execute();
}

function certificateOf(line: Extract<ProductLine, { status: 'current' }>): Certificate {
  return {
    shopifyId: line.externalProductId,
    issuedAt: line.issuedAt,
    value: JSON.stringify(line.certificate),
  };
}

async function setAll(
  publishing: Publishing,
  certificates: readonly Certificate[],
): Promise<MetafieldResult[]> {
  const fits = ({ value }: Certificate) => Buffer.byteLength(value) <= MAX_VALUE;
  const tooLarge = certificates
    .filter((certificate) => !fits(certificate))
    .map(
      ({ shopifyId }): MetafieldResult => ({
        shopifyId,
        digest: null,
        failure: 'shopify_certificate_too_large',
      }),
    );
  const known = await readDigests(publishing, certificates);
  const fitting = certificates.filter(fits);
  const set = fitting.length > MAX_METAFIELDS ? await setInBulk(publishing, fitting, known) : [];
  const isSet = new Set(set.map(({ shopifyId }) => shopifyId));
  const left = fitting.filter(({ shopifyId }) => !isSet.has(shopifyId));
  const each = await inCalls(left, (some) => setMetafields(publishing, some, known));
  return [...tooLarge, ...set, ...each];
}

async function setInBulk(
  { client, context, signal }: Publishing,
  certificates: readonly Certificate[],
  known: ReadonlyMap<string, string | null>,
): Promise<MetafieldResult[]> {
  const inputs = certificates.map((certificate) =>
    inputOf(certificate, known.get(certificate.shopifyId) ?? null),
  );
  const digests = await bulkSet({ client, api: context.api, signal }, inputs);
  return Array.from(digests, ([shopifyId, digest]) => ({ shopifyId, digest }));
}

/** Splits items into calls of the permitted size. */
async function inCalls<T, R>(all: readonly T[], call: (some: readonly T[]) => Promise<R[]>): Promise<R[]> {
  const results: R[] = [];
  for (let begun = 0; begun < all.length; begun += MAX_METAFIELDS)
    results.push(...(await call(all.slice(begun, begun + MAX_METAFIELDS))));
  return results;
}

async function readDigests(
  { context, connection }: Publishing,
  certificates: readonly Certificate[],
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ shopify_id: string; digest: string | null }>`
    select shopify_id, digest from shopify_products
    where merchant_id = ${connection.merchant_id} and store_id = ${connection.store_id}
      and shopify_id = any(${certificates.map(({ shopifyId }) => shopifyId)}::bigint[])`.execute(
    context.registry.db,
  );
  return new Map(rows.map(({ shopify_id, digest }) => [shopify_id, digest]));
}

/** Deletes metafields, which takes certificates off pages; that of a deleted product is gone already. */
async function remove(
  { client, signal }: Publishing,
  shopifyIds: readonly string[],
): Promise<MetafieldResult[]> {
  if (shopifyIds.length === 0) return [];
  const present = (await readMetafields(client, shopifyIds, signal)).filter(
    ({ metafield }) => metafield !== null,
  );
  if (present.length > 0) {
    const metafields = present.map(({ shopifyId }) => ({
      ownerId: gidOf(shopifyId),
      namespace: NAMESPACE,
      key: KEY,
    }));
    await client.query<DeleteMetafieldsAnswer>(DELETE_METAFIELDS, { metafields }, signal);
  }
  return shopifyIds.map((shopifyId) => ({ shopifyId, digest: null }));
}

async function record(
  { context, connection }: Publishing,
  results: readonly MetafieldResult[],
): Promise<void> {
  if (results.length === 0) return;
  const { db, clock } = context.registry;
  const now = clock();
  const failures = results.map(({ failure, detail = '' }) =>
    failure === undefined ? null : JSON.stringify({ code: failure, detail, since: now.toISOString() }),
  );
  await sql`
    insert into shopify_products as p (merchant_id, store_id, shopify_id, digest, published_at, failure)
    select ${connection.merchant_id}, ${connection.store_id}, id, digest, case when digest is null then null else ${now}::timestamptz end, failure
    from unnest(${results.map(({ shopifyId }) => shopifyId)}::bigint[], ${results.map(({ digest }) => digest)}::text[],
      ${failures}::jsonb[]) as s (id, digest, failure)
    -- deleting the metafield of a deleted product must not add that product again
    where digest is not null or failure is not null
      or exists (select from shopify_products o where o.merchant_id = ${connection.merchant_id}
        and o.store_id = ${connection.store_id} and o.shopify_id = id)
    on conflict (merchant_id, store_id, shopify_id) do update set digest = excluded.digest, published_at = excluded.published_at,
      failure = coalesce(excluded.failure,
        case when p.failure ->> 'code' = 'shopify_row_refused' then p.failure end)`.execute(db);
}
