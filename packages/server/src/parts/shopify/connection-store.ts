import { type RawBuilder, type Selectable, sql } from 'kysely';
import { merchantOf } from '../../core/registry/find-store.ts';
import type { Seal } from '../../platform/crypto/seal.ts';
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts';
import type { ShopifyConnectionsTable } from '../../platform/database/tables.ts';

export type ConnectionRow = Selectable<ShopifyConnectionsTable>;

/** Milliseconds for which webhooks may be signed with a secret after it was replaced. */
export const FORMER_SECRET = 3_600_000;

/** A connection: whose it is, and where its secrets are sent. */
export type ConnectionName = Pick<ConnectionRow, 'store_id' | 'merchant_id' | 'shop'>;

/** Binds sealed data to its purpose, store, merchant and shop: it opens in no other row, and goes to no other host. */
const nameOf = ({ store_id, merchant_id, shop }: ConnectionName, what: 'token' | 'secret') =>
  `shopify:${what}:${store_id}:${merchant_id}:${shop}`;

export function sealToken(seal: Seal, name: ConnectionName, token: string): Buffer {
  return seal.seal(nameOf(name, 'token'), Buffer.from(token));
}

export function sealSecret(seal: Seal, name: ConnectionName, secret: string): Buffer {
  return seal.seal(nameOf(name, 'secret'), Buffer.from(secret));
}

export function openToken(seal: Seal, row: ConnectionRow): string {
  return seal.open(nameOf(row, 'token'), row.access_token).toString();
}

/** The current client secret; empty if there is none. */
export function openSecret(seal: Seal, row: ConnectionRow): string {
  const { client_secret: sealed } = row;
  return sealed === null ? '' : seal.open(nameOf(row, 'secret'), sealed).toString();
}

/** Stores a token that was granted to this connection, unless the store has been connected again since. */
export async function storeToken(
  db: Database,
  seal: Seal,
  row: ConnectionRow,
  { token, until }: { readonly token: string; readonly until: Date },
): Promise<void> {
  await db
    .updateTable('shopify_connections')
    .set({ access_token: sealToken(seal, row, token), token_until: until })
    .where('merchant_id', '=', row.merchant_id)
    .where('store_id', '=', row.store_id)
    .where('connected_at', '=', row.connected_at)
    .execute();
}

/** The secrets with which a webhook may be signed now, the current one first. */
export function secretsOf(seal: Seal, row: ConnectionRow, now: Date): Buffer[] {
  const open = (sealed: Buffer) => seal.open(nameOf(row, 'secret'), sealed);
  const isFormerGood = row.former_secret_until !== null && row.former_secret_until > now;
  return [
    ...(row.client_secret === null ? [] : [open(row.client_secret)]),
    ...(row.former_secret !== null && isFormerGood ? [open(row.former_secret)] : []),
  ];
}

/** The connection of a store; whose the store is, is looked up where the caller does not know it. */
export async function readConnection(
  db: Database | DatabaseTransaction,
  storeId: string,
  merchantId: string | RawBuilder<string> = merchantOf(storeId),
): Promise<ConnectionRow | undefined> {
  return db
    .selectFrom('shopify_connections')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('store_id', '=', storeId)
    .executeTakeFirst();
}

export interface PublishedCounts {
  readonly products: number;
  readonly published: number;
  readonly failed: number;
}

export async function countPublished(
  db: Database,
  merchantId: string,
  storeId: string,
): Promise<PublishedCounts> {
  const { rows } = await sql<PublishedCounts>`
    select count(*)::integer as products, count(digest)::integer as published, count(failure)::integer as failed
    from shopify_products where merchant_id = ${merchantId} and store_id = ${storeId}`.execute(db);
  return rows[0] ?? { products: 0, published: 0, failed: 0 };
}
