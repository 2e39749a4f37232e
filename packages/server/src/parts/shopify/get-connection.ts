import { SHOPIFY_PROBLEMS, type ShopifyConnection, type ShopifyProblemCode } from '@touchstone/contract';
import { findStore } from '../../core/registry/find-store.ts';
import type { ConnectionProblem } from '../../platform/database/column-types.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/access.ts';
import { type ConnectionRow, countPublished, readConnection } from './connection-store.ts';
import { SHOPIFY, type ShopifyContext } from './context.ts';

/** Products with failures that a connection lists at most. */
const MAX_LISTED = 50;

/**
 * The connection of a store as its merchant sees it.
 *
 * @throws ServiceError `store_unknown`, `shopify_not_connected`
 */
export async function getShopify(
  { registry: { db } }: ShopifyContext,
  scope: Scope,
  storeId: string,
): Promise<ShopifyConnection> {
  const store = await findStore(db, scope, storeId);
  // first: what a run has published must be counted before that run is seen to have ended
  const job = await db
    .selectFrom('jobs')
    .select('state')
    .where('queue', '=', SHOPIFY)
    .where('subject', '=', store.id)
    .executeTakeFirst();
  const row = await requireConnection(db, store);
  const counts = await countPublished(db, store.merchantId, store.id);
  const failed = await db
    .selectFrom('shopify_products')
    .select(['shopify_id', 'failure'])
    .where('merchant_id', '=', store.merchantId)
    .where('store_id', '=', store.id)
    .where('failure', 'is not', null)
    .orderBy('shopify_id')
    .limit(MAX_LISTED)
    .execute();
  return {
    shop: row.shop,
    state: stateOf(row, job?.state === 'scheduled'),
    storefront: row.storefront,
    webhooks: row.client_secret !== null,
    ...(row.client_id === null ? {} : { clientId: row.client_id }),
    ...counts,
    ...readingProgress(row),
    connectedAt: row.connected_at.toISOString(),
    ...(row.read_at === null ? {} : { readAt: row.read_at.toISOString() }),
    ...(row.told_at === null ? {} : { toldAt: row.told_at.toISOString() }),
    ...(row.problem === null ? {} : { problem: explained(row.problem) }),
    problems: failed.flatMap(({ shopify_id, failure }) =>
      failure === null ? [] : [{ externalProductId: shopify_id, ...explained(failure) }],
    ),
  };
}

function stateOf(row: ConnectionRow, isWaiting: boolean): ShopifyConnection['state'] {
  if (row.problem !== null) return 'failing';
  if (row.read_at === null || row.reading_since !== null) return 'reading';
  return isWaiting ? 'current' : 'publishing';
}

/** Present while all products are being read. */
function readingProgress(row: ConnectionRow): Pick<ShopifyConnection, 'reading'> {
  if (row.reading_since === null) return {};
  const { reading_way: way, products_read: read, bulk_collected: collected, products_counted: of } = row;
  const isCollecting = way === 'bulk' && read === 0;
  return {
    reading: {
      by: way ?? 'pages',
      step: isCollecting ? 'collecting' : 'reading',
      products: isCollecting ? collected : read,
      ...(of === null ? {} : { of }),
    },
  };
}

function explained(problem: ConnectionProblem) {
  const code = problem.code as ShopifyProblemCode;
  return { code, detail: problem.detail, nextStep: SHOPIFY_PROBLEMS[code], since: problem.since };
}

/** @throws ServiceError `shopify_not_connected` */
export async function requireConnection(
  db: ShopifyContext['registry']['db'],
  store: { readonly id: string; readonly merchantId: string },
): Promise<ConnectionRow> {
  const row = await readConnection(db, store.id, store.merchantId);
  if (row === undefined) throw new ServiceError('shopify_not_connected');
  return row;
}
