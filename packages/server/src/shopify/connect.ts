import type { ShopifyConnect, ShopifyConnection, ShopifyProblemCode } from '@touchstone/contract';
import { SHOPIFY_PROBLEMS } from '@touchstone/contract';
import { sql } from 'kysely';
import { inTransaction } from '../platform/database/database.ts';
import type { ConnectionProblem } from '../platform/database/tables.ts';
import { ServiceError } from '../platform/errors.ts';
import type { Scope } from '../platform/http/access.ts';
import { orderJob } from '../platform/jobs/order-jobs.ts';
import { findStore, lockStore } from '../registry/find-store.ts';
import { type GrantedToken, grantToken } from './access.ts';
import { createAdminClient } from './admin-client.ts';
import {
  type ConnectionRow,
  countPublished,
  FORMER_SECRET,
  readConnection,
  sealSecret,
  sealToken,
} from './connection-store.ts';
import { SHOPIFY, type ShopifyContext } from './context.ts';
import { ShopifyProblem } from './problem.ts';
import { SCOPES, SHOP, type ShopAnswer } from './queries.ts';
import { NO_READING } from './reading-store.ts';

/** Products whose failures a connection lists. */
const LISTED = 50;

/**
 * Connects a store to a shop, once the shop has let us in, and orders a reading of its products.
 *
 * @throws ServiceError `store_unknown`; `shopify_refused` where the shop does not let us in; `conflict` where another store
 *   is connected to the shop
 */
export async function connectShopify(
  context: ShopifyContext,
  scope: Scope,
  storeId: string,
  input: ShopifyConnect,
): Promise<ShopifyConnection> {
  const { registry, seal } = context;
  const { merchantId, id } = await findStore(registry.db, scope, storeId);
  const { storefront, token, until } = await askShop(context, input);
  const now = registry.clock();
  await inTransaction(registry.db, async (trx) => {
    await lockStore(trx, merchantId, id);
    // of two stores that connect one shop at once, the second sees the first
    await sql`select pg_advisory_xact_lock(hashtextextended(${`shopify ${input.shop}`}, 0))`.execute(trx);
    const other = await trx
      .selectFrom('shopify_connections')
      .select('store_id')
      .where('shop', '=', input.shop)
      .where('store_id', '<>', id)
      .executeTakeFirst();
    if (other !== undefined)
      throw new ServiceError('conflict', {
        message: `Another store is connected to ${input.shop}: disconnect that one first.`,
      });
    const before = await readConnection(trx, id);
    // another shop has other products: what is known of the former one is forgotten
    if (before !== undefined && before.shop !== input.shop) await forget(trx, id);
    const { clientSecret } = input;
    const secret = clientSecret === undefined ? {} : { client_secret: sealSecret(seal, id, clientSecret) };
    const values = {
      shop: input.shop,
      access_token: sealToken(seal, id, token),
      token_until: until,
      client_id: input.clientId ?? null,
      storefront,
      connected_at: now,
      problem: null,
    };
    await trx
      .insertInto('shopify_connections')
      .values({ store_id: id, merchant_id: merchantId, ...values, ...secret })
      .onConflict((on) =>
        on.column('store_id').doUpdateSet({
          ...values,
          ...secret,
          ...(clientSecret === undefined
            ? {}
            : {
                former_secret: sql<Buffer>`shopify_connections.client_secret`,
                former_secret_until: new Date(now.getTime() + FORMER_SECRET),
              }),
        }),
      )
      .execute();
    await orderReading(trx, id, merchantId);
  });
  return getShopify(context, scope, id);
}

type Trx = Parameters<typeof orderJob>[0];

/** Has all products read again, from the first one on. */
async function orderReading(trx: Trx, storeId: string, merchantId: string): Promise<void> {
  await trx
    .updateTable('shopify_connections')
    .set({ ...NO_READING, read_at: null, problem: null })
    .where('store_id', '=', storeId)
    .execute();
  await sql`update shopify_products set failure = null where store_id = ${storeId} and failure is not null`.execute(
    trx,
  );
  await orderJob(trx, SHOPIFY, { subject: storeId, owner: merchantId });
}

async function forget(trx: Trx, storeId: string): Promise<void> {
  await trx.deleteFrom('shopify_products').where('store_id', '=', storeId).execute();
  await trx.deleteFrom('shopify_connections').where('store_id', '=', storeId).execute();
}

/** Milliseconds that a shop may take to let us in. */
const PATIENCE = 20_000;

/** Where the shop's product pages are, and by which token it was asked. */
async function askShop(
  context: ShopifyContext,
  input: ShopifyConnect,
): Promise<{ storefront: string; token: string; until: Date | null }> {
  const { api } = context;
  const { shop } = input;
  const signal = AbortSignal.timeout(PATIENCE);
  try {
    const { token, until } = await tokenOf(context, input, signal);
    const client = createAdminClient(api, { shop, token: async () => token }, { tries: 2 });
    const answer = await client.query<ShopAnswer>(SHOP, {}, signal);
    const granted = new Set(answer.currentAppInstallation.accessScopes.map(({ handle }) => handle));
    // a scope to write contains that to read
    const missing = SCOPES.filter(
      (wanted) => !granted.has(wanted) && !granted.has(wanted.replace('read_', 'write_')),
    );
    if (missing.length > 0)
      throw new ShopifyProblem('shopify_scope_missing', `Missing: ${missing.join(', ')}.`);
    return { storefront: new URL(answer.shop.primaryDomain.url).origin, token, until };
  } catch (error) {
    if (!(error instanceof ShopifyProblem)) throw error;
    throw new ServiceError('shopify_refused', {
      message: `${SHOPIFY_PROBLEMS[error.code]} ${error.detail}`.trim(),
    });
  }
}

async function tokenOf(
  { api, registry }: ShopifyContext,
  { shop, accessToken, clientId, clientSecret = '' }: ShopifyConnect,
  signal: AbortSignal,
): Promise<GrantedToken | { readonly token: string; readonly until: null }> {
  if (clientId === undefined) return { token: accessToken ?? '', until: null };
  return grantToken(api, { shop, clientId, clientSecret }, { now: registry.clock(), signal });
}

/** @throws ServiceError `store_unknown`, `shopify_not_connected` */
export async function getShopify(
  { registry: { db } }: ShopifyContext,
  scope: Scope,
  storeId: string,
): Promise<ShopifyConnection> {
  const store = await findStore(db, scope, storeId);
  const row = await connectionOf(db, store.id);
  const counts = await countPublished(db, store.id);
  const failed = await db
    .selectFrom('shopify_products')
    .select(['shopify_id', 'failure'])
    .where('store_id', '=', store.id)
    .where('failure', 'is not', null)
    .orderBy('shopify_id')
    .limit(LISTED)
    .execute();
  const job = await db
    .selectFrom('jobs')
    .select('state')
    .where('queue', '=', SHOPIFY)
    .where('subject', '=', store.id)
    .executeTakeFirst();
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

/** While all products are read. */
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

async function connectionOf(db: ShopifyContext['registry']['db'], storeId: string): Promise<ConnectionRow> {
  const row = await readConnection(db, storeId);
  if (row === undefined) throw new ServiceError('shopify_not_connected');
  return row;
}

export async function readShopify(
  context: ShopifyContext,
  scope: Scope,
  storeId: string,
): Promise<ShopifyConnection> {
  const { registry } = context;
  const store = await findStore(registry.db, scope, storeId);
  await connectionOf(registry.db, store.id);
  await inTransaction(registry.db, (trx) => orderReading(trx, store.id, store.merchantId));
  return getShopify(context, scope, store.id);
}

/** Doing it twice is fine. */
export async function disconnectShopify(
  { registry }: ShopifyContext,
  scope: Scope,
  storeId: string,
): Promise<void> {
  const store = await findStore(registry.db, scope, storeId);
  await inTransaction(registry.db, (trx) => forget(trx, store.id));
}
