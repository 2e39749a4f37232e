import { hostOf } from '@touchstone/certificate/binding';
import { fitsProof, type ProductPatch, type ProductView } from '@touchstone/contract';
import { sql } from 'kysely';
import { type DatabaseTransaction, inTransaction } from '../../../platform/database/database.ts';
import { ServiceError } from '../../../platform/errors.ts';
import { requireOperator, type Scope } from '../../../platform/http/access.ts';
import { CHANGED, changedBy, changedColumns, type Followed, followProducts } from '../changed-products.ts';
import { differs, productChanges, type Registry } from '../context.ts';
import type { ChangedProduct } from '../events.ts';
import { lockMerchantIn } from '../find-store.ts';
import { type LockedMerchant, settleSeats } from '../plan-seats.ts';
import { storedPageKey } from './page-key.ts';
import { pricedAt } from './product-table.ts';
import { getProduct, productUnknown } from './read-products.ts';

/** Changes single members of a product; hiding or disabling it releases its seat to the next one at once. */
export async function patchProduct(
  registry: Registry,
  scope: Scope,
  id: string,
  patch: ProductPatch,
  keyId?: string,
): Promise<ProductView> {
  const change = async (trx: DatabaseTransaction, product: Held) => {
    if (patch.disabled !== undefined) requireOperator(scope, 'disable a product');
    const url = patch.url ?? product.url;
    const host = patch.url === undefined ? undefined : await ownHost(trx, product, patch.url);
    const name = patch.name ?? product.name;
    const isRenamed = name !== product.name || url !== product.url;
    if (isRenamed)
      await assertFits(trx, { ...product, url, name, externalProductId: product.external_product_id });
    const values = {
      name,
      url,
      ...(host === undefined ? {} : { host, host_known: true, page_key: storedPageKey(url) }),
      ...(patch.sku === undefined ? {} : { sku: patch.sku || null }),
      ...(patch.gtin === undefined ? {} : { gtin: patch.gtin || null }),
      ...(patch.brand === undefined ? {} : { brand: patch.brand || null }),
      ...(patch.attributes === undefined ? {} : { attributes: JSON.stringify(patch.attributes) }),
      ...(patch.price === undefined ? {} : { price: jsonOf(patch.price) }),
      ...(patch.availability === undefined ? {} : { availability: patch.availability }),
      ...(patch.visible === undefined ? {} : { visible: patch.visible }),
      ...(patch.visible === true ? { kept_hidden_since: null } : {}),
      ...(patch.disabled === undefined ? {} : { disabled: patch.disabled }),
    };
    const now = registry.clock();
    const priced =
      patch.price === undefined ? {} : { priced_at: pricedAt(sql`${jsonOf(patch.price)}::jsonb`, now) };
    const changed = { ...values, ...priced, updated_at: now };
    return changedBy(
      trx,
      sql`update products p set ${assignments(changed)}
        where merchant_id = ${product.merchant_id} and id = ${id} and ${differs(values)}
        returning ${changedColumns(sql`${isRenamed}::boolean`)}`,
    );
  };
  await withProduct(registry, scope, id, change, { keyId });
  return getProduct(registry, scope, id);
}

/** Deletes a product, which is then a 404 for the public. Idempotent; an upsert of its external id restores it. */
export async function deleteProduct(
  registry: Registry,
  scope: Scope,
  id: string,
  keyId?: string,
): Promise<void> {
  await withProduct(
    registry,
    scope,
    id,
    (trx, product) => {
      const now = registry.clock();
      return changedBy(
        trx,
        sql`update products p set deleted_at = ${now}, updated_at = ${now}
          where merchant_id = ${product.merchant_id} and id = ${id} and deleted_at is null returning ${CHANGED}`,
      );
    },
    { deletedToo: true, keyId },
  );
}

const jsonOf = (price: object | null) => (price === null ? null : JSON.stringify(price));

const assignments = (values: Readonly<Record<string, unknown>>) =>
  sql.join(Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`));

/** A product, by what its row is found by. */
export interface ProductKey {
  readonly merchant_id: string;
  readonly id: string;
}

interface Held extends ProductKey {
  readonly store_id: string;
  readonly external_product_id: string;
  readonly name: string;
  readonly url: string;
}

/**
 * Runs `work` on a product under its merchant's lock, brings the seats in order, and has everything follow what changed. Throws
 * `product_unknown` for one that is deleted or out of scope.
 *
 * @param work - returns what it changed of the product
 */
export async function withProduct(
  registry: Registry,
  scope: Scope,
  id: string,
  work: (trx: DatabaseTransaction, product: Held) => Promise<readonly ChangedProduct[]>,
  {
    deletedToo = false,
    ...followed
  }: { readonly deletedToo?: boolean } & Pick<Followed, 'keyId' | 'withdrawn'> = {},
): Promise<void> {
  const changed = await inTransaction(registry.db, async (trx) => {
    const { product, merchant } = await lockProduct(trx, scope, id);
    if (product.deleted_at !== null && !deletedToo) throw productUnknown();
    const written = await work(trx, product);
    const all = [...written, ...(await settleSeats(trx, merchant, written))];
    await followProducts(registry, trx, { merchantId: merchant.id, changed: all, ...followed });
    return all;
  });
  registry.onChange(productChanges(changed.map((product) => product.id)));
}

async function lockProduct(
  trx: DatabaseTransaction,
  scope: Scope,
  id: string,
): Promise<{ product: Held & { deleted_at: Date | null }; merchant: LockedMerchant }> {
  const merchant = await lockMerchantIn(trx, scope, id);
  if (merchant === undefined) throw productUnknown();
  const product = await trx
    .selectFrom('products')
    .innerJoin('stores', (join) =>
      join
        .onRef('stores.merchant_id', '=', 'products.merchant_id')
        .onRef('stores.id', '=', 'products.store_id'),
    )
    .select(['products.merchant_id', 'products.id', 'store_id', 'external_product_id'])
    .select(['products.name', 'products.url'])
    // the store may be deleted before the product's own row is updated
    .select((eb) => eb.fn.coalesce('products.deleted_at', 'stores.deleted_at').as('deleted_at'))
    .where('products.merchant_id', '=', merchant.id)
    .where('products.id', '=', id)
    .executeTakeFirst();
  if (product === undefined) throw productUnknown();
  return { product, merchant };
}

async function ownHost(trx: DatabaseTransaction, product: Held, url: string): Promise<string> {
  const host = hostOf(url) ?? '';
  const domain = await trx
    .selectFrom('domains')
    .select('hostname')
    .where('merchant_id', '=', product.merchant_id)
    .where('store_id', '=', product.store_id)
    .where('hostname', '=', host)
    .where('lost_at', 'is', null)
    .executeTakeFirst();
  if (domain !== undefined) return host;
  throw new ServiceError('conflict', {
    message: `The host ${host} is not a domain of this store; add it as one first.`,
  });
}

/** Checks that a proof of the product with its longest image has at most 8 KB; a larger one would not be valid. */
export async function assertFits(
  trx: DatabaseTransaction,
  product: ProductKey & { url: string; name: string; externalProductId: string },
): Promise<void> {
  const images = await trx
    .selectFrom('images')
    .select('url')
    .where('merchant_id', '=', product.merchant_id)
    .where('product_id', '=', product.id)
    .where('removed_at', 'is', null)
    .execute();
  if (!fitsProof({ ...product, images })) {
    throw new ServiceError('conflict', {
      message: 'The addresses, name and identifier of the product together exceed what a proof can hold.',
    });
  }
}
