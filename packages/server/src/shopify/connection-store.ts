import { type Selectable, sql } from 'kysely';
import type { Seal } from '../platform/crypto/seal.ts';
import type { Database, DatabaseTransaction } from '../platform/database/database.ts';
import type { ShopifyConnectionsTable } from '../platform/database/tables.ts';

export type ConnectionRow = Selectable<ShopifyConnectionsTable>;

/** Milliseconds for which webhooks may be signed with a secret after it was replaced. */
export const FORMER_SECRET = 3_600_000;

/** Binds sealed data to its store and purpose, so that it cannot be moved to another row. */
const nameOf = (storeId: string, what: 'token' | 'secret') => `shopify:${what}:${storeId}`;

export function sealToken(seal: Seal, storeId: string, token: string): Buffer {
  return seal.seal(nameOf(storeId, 'token'), Buffer.from(token));
}

export function sealSecret(seal: Seal, storeId: string, secret: string): Buffer {
  return seal.seal(nameOf(storeId, 'secret'), Buffer.from(secret));
}

export function openToken(seal: Seal, row: ConnectionRow): string {
  return seal.open(nameOf(row.store_id, 'token'), row.access_token).toString();
}

/** The current client secret; empty if there is none. */
export function openSecret(seal: Seal, { store_id: storeId, client_secret: sealed }: ConnectionRow): string {
  return sealed === null ? '' : seal.open(nameOf(storeId, 'secret'), sealed).toString();
}

/** Stores a token that was granted to this connection, unless the store has been connected again since. */
export async function storeToken(
  db: Database,
  seal: Seal,
  { store_id: storeId, connected_at: connectedAt }: ConnectionRow,
  { token, until }: { readonly token: string; readonly until: Date },
): Promise<void> {
  await db
    .updateTable('shopify_connections')
    .set({ access_token: sealToken(seal, storeId, token), token_until: until })
    .where('store_id', '=', storeId)
    .where('connected_at', '=', connectedAt)
    .execute();
}

/** The secrets with which a webhook may be signed now, the current one first. */
export function secretsOf(seal: Seal, row: ConnectionRow, now: Date): Buffer[] {
  const open = (sealed: Buffer) => seal.open(nameOf(row.store_id, 'secret'), sealed);
  const isFormerGood = row.former_secret_until !== null && row.former_secret_until > now;
  return [
    ...(row.client_secret === null ? [] : [open(row.client_secret)]),
    ...(row.former_secret !== null && isFormerGood ? [open(row.former_secret)] : []),
  ];
}

export async function readConnection(
  db: Database | DatabaseTransaction,
  storeId: string,
): Promise<ConnectionRow | undefined> {
  return db.selectFrom('shopify_connections').selectAll().where('store_id', '=', storeId).executeTakeFirst();
}

export interface PublishedCounts {
  readonly products: number;
  readonly published: number;
  readonly failed: number;
}

export async function countPublished(db: Database, storeId: string): Promise<PublishedCounts> {
  const { rows } = await sql<PublishedCounts>`
    select count(*)::integer as products, count(digest)::integer as published, count(failure)::integer as failed
    from shopify_products where store_id = ${storeId}`.execute(db);
  return rows[0] ?? { products: 0, published: 0, failed: 0 };
}
