import { type Selectable, sql } from 'kysely';
import type { StoreKey } from '../../core/registry/find-store.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ProductsTable } from '../../platform/database/tables.ts';
import type { CataloguedProduct } from './compare-page.ts';

/** A page to be checked. */
export interface DuePage {
  readonly productId: string;
  readonly externalProductId: string;
  readonly url: string;
  readonly name: string;
  readonly host: string;
  readonly isActive: boolean;
  readonly carried: boolean;
  /** As the store sent it. */
  readonly product: CataloguedProduct;
  /**
   * Only a fetch that began at this time or later shows the present page (database time, microseconds since 1970): the product
   * is new or has changed, or a person began a sweep. `null`: any recent observation does.
   */
  readonly since: number | null;
}

/** The share of each batch that is reserved for pages due for a recheck, so that changed and new ones cannot displace them for good. */
const RECHECK_SHARE = 1 / 4;

export interface DueOptions {
  readonly limit: number;
  /** Pages that were checked before this are checked again. */
  readonly dueBefore: Date;
  /** Pages that could not be fetched since then or earlier are checked again, unless that was reported. */
  readonly unreachableSince: Date;
}

/**
 * The pages of a store that are checked next: those of products that changed, then new ones, then those that may have to be
 * reported as unreachable, then those that were checked longest ago, if that was before `dueBefore`. Each kind is found by an
 * index.
 *
 * `sweep_pages.turn` holds the order: when the page was last checked, or -infinity for a page to be checked first.
 */
export async function nextPages(
  db: Database,
  store: StoreKey,
  { limit, dueBefore, unreachableSince }: DueOptions,
): Promise<DuePage[]> {
  const unreachable = sql`${UNREACHABLE} and since <= ${unreachableSince} and turn > '-infinity'`;
  const due = [
    ...(await findPages(db, store, unreachable, limit)),
    ...(await findPages(db, store, sql`turn > '-infinity' and turn < ${dueBefore}`, limit)),
  ];
  const rechecks = [...new Set(due)];
  const maxFirst = limit - Math.min(rechecks.length, Math.ceil(limit * RECHECK_SHARE));
  const first = await findPages(db, store, sql`turn = '-infinity'`, maxFirst);
  if (first.length < maxFirst) first.push(...(await addNewPages(db, store, maxFirst - first.length)));
  return loadPages(db, store, [...first, ...rechecks.slice(0, limit - first.length)]);
}

const ofStore = ({ id, merchantId }: StoreKey) => sql`merchant_id = ${merchantId} and store_id = ${id}`;

/** Not reported so far; a literal, since the index is partial. */
const UNREACHABLE = sql`result = 'unreachable' and not unreachable_reported`;

/** When the next check of a page that was checked before is due; `null`: none was checked so far. */
export async function nextRecheck(
  db: Database,
  store: StoreKey,
  { every, unreachableFor }: { readonly every: number; readonly unreachableFor: number },
): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select least(
      (select min(turn) from sweep_pages where ${ofStore(store)} and turn > '-infinity')
        + make_interval(secs => ${every / 1_000}),
      (select min(since) from sweep_pages where ${ofStore(store)} and ${UNREACHABLE})
        + make_interval(secs => ${unreachableFor / 1_000})) as due`.execute(db);
  return rows[0]?.due ?? null;
}

/** @returns ids of the products of these pages, in the order in which the pages are checked */
async function findPages(
  db: Database,
  store: StoreKey,
  condition: ReturnType<typeof sql>,
  limit: number,
): Promise<string[]> {
  if (limit <= 0) return [];
  const { rows } = await sql<{ product_id: string }>`
    select product_id from sweep_pages where ${ofStore(store)} and ${condition} order by turn limit ${limit}`.execute(
    db,
  );
  return rows.map(({ product_id }) => product_id);
}

/** Adds the pages of the next products that have none recorded yet, to be checked first. */
async function addNewPages(db: Database, store: StoreKey, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with store as (select visited_to from sweep_stores where ${ofStore(store)} for update),
      next as (
        select id, created_order from products where ${ofStore(store)} and deleted_at is null
          and created_order > (select visited_to from store) order by created_order limit ${limit}),
      visited as (
        update sweep_stores set visited_to = greatest(visited_to, (select max(created_order) from next))
        where ${ofStore(store)}),
      admitted as (
        insert into sweep_pages (merchant_id, product_id, store_id, turn)
          select ${store.merchantId}, id, ${store.id}, '-infinity' from next
        on conflict (merchant_id, product_id) do nothing)
    select id from next order by created_order`.execute(db);
  return rows.map(({ id }) => id);
}

async function loadPages(
  db: Database,
  { id, merchantId }: StoreKey,
  ids: readonly string[],
): Promise<DuePage[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<Omit<DuePage, 'product'> & ProductRow>`
    select p.id as "productId", p.external_product_id as "externalProductId", p.url, p.name, p.host,
      product_standing(p.deleted_at, p.disabled, p.visible, p.host_known, p.slot_order) = 'active' as "isActive",
      coalesce(page.carried, false) as carried, p.sku, p.gtin, p.brand, p.price, p.availability, s.name as store_name,
      array(select i.url from images i where i.merchant_id = p.merchant_id and i.product_id = p.id and i.removed_at is null
        order by i.position, i.id) as pictures,
      floor(extract(epoch from case
        when coalesce(page.turn, '-infinity') = '-infinity' then clock_timestamp()
        when page.turn < store.due_before then store.begun_at end) * 1000000)::float8 as since
    from unnest(${ids}::uuid[]) with ordinality as due (id, nth)
      join products p on p.merchant_id = ${merchantId} and p.id = due.id
      left join sweep_pages page on page.merchant_id = p.merchant_id and page.product_id = p.id
      join stores s on s.merchant_id = p.merchant_id and s.id = p.store_id
      join sweep_stores store on store.merchant_id = ${merchantId} and store.store_id = ${id}
    order by due.nth`.execute(db);
  return rows.map(({ sku, gtin, brand, price, availability, store_name: storeName, pictures, ...page }) => ({
    ...page,
    product: {
      productName: page.name,
      storeName,
      domain: page.host,
      ...(sku !== null && { sku }),
      ...(gtin !== null && { gtin }),
      ...(brand !== null && { brand }),
      ...(price !== null && { price }),
      ...(availability !== null && { availability }),
      ...(pictures.length > 0 && { pictures }),
    },
  }));
}

type ProductRow = Pick<Selectable<ProductsTable>, 'sku' | 'gtin' | 'brand' | 'price' | 'availability'> & {
  readonly store_name: string;
  readonly pictures: readonly string[];
};
