import { createHmac, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { inTransaction } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { assertSize } from '../../platform/http/request-body.ts';
import { orderJob } from '../../platform/jobs/order-jobs.ts';
import { readConnection, secretsOf } from './connection-store.ts';
import { SHOPIFY, type ShopifyContext } from './context.ts';
import { readWebhook } from './shop-threads.ts';

/** Bytes; a product with all its variants has fewer. */
const MAX_BODY = 5_000_000;

export interface Webhook {
  readonly storeId: string;
  /** The unparsed body, over which the signature is computed. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Treats a webhook as a hint: it names a product, which is then read from the shop, so repeated and reordered webhooks do no
 * harm. A webhook with the same data of a product as the one before, such as after writing its certificate, is ignored.
 *
 * @throws ServiceError `shopify_not_connected`; `shopify_signature_wrong`; `body_too_large`
 */
export async function receiveWebhook(
  { registry, seal, threads }: ShopifyContext,
  { storeId, body, headers }: Webhook,
): Promise<void> {
  const connection = await readConnection(registry.db, storeId);
  if (connection === undefined) throw new ServiceError('shopify_not_connected');
  const bytes = await readBytes(body);
  const now = registry.clock();
  if (!isSigned(bytes, headers['x-shopify-hmac-sha256'], secretsOf(seal, connection, now)))
    throw new ServiceError('shopify_signature_wrong');
  const topic = headers['x-shopify-topic'] ?? '';
  const isOfProduct = topic.startsWith('products/');
  const product = isOfProduct ? await readWebhook(threads, bytes) : null;
  await inTransaction(registry.db, async (trx) => {
    // reading the shop fails with a refused token, unless the app has been installed again meanwhile
    const isToRead = topic === 'app/uninstalled' ? { read_at: null } : {};
    await trx
      .updateTable('shopify_connections')
      .set({ told_at: now, ...isToRead })
      .where('merchant_id', '=', connection.merchant_id)
      .where('store_id', '=', storeId)
      .execute();
    if (isOfProduct) {
      if (product === null) return;
      const { rows } = await sql`
        insert into shopify_products as p (merchant_id, store_id, shopify_id, due_at, said)
        values (${connection.merchant_id}, ${storeId}, ${product.id}, ${now}, decode(${product.digest}, 'hex'))
        on conflict (merchant_id, store_id, shopify_id) do update set due_at = excluded.due_at, said = excluded.said
          where p.said is distinct from excluded.said
        returning shopify_id`.execute(trx);
      if (rows.length === 0) return;
    }
    await orderJob(trx, SHOPIFY, { subject: storeId, owner: connection.merchant_id });
  });
}

async function readBytes(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.byteLength;
    assertSize(size, MAX_BODY);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function isSigned(bytes: Buffer, signature: string | undefined, secrets: readonly Buffer[]): boolean {
  const given = Buffer.from(signature ?? '', 'base64');
  return secrets.some((secret) => {
    const wanted = createHmac('sha256', secret).update(bytes).digest();
    return given.byteLength === wanted.byteLength && timingSafeEqual(given, wanted);
  });
}
