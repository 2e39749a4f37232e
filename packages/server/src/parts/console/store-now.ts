import { type RawBuilder, sql } from 'kysely';

/**
 * How stores are now, as `store_days` records it: rows for a FROM clause. What lies with merchants and what does not (the counts
 * of images) are read apart and joined by the store, so that tables may be distributed; the view `store_now` calls a function
 * for each store, and is no longer used.
 *
 * @param store - the one store to read; absent: all
 */
export function storeNow(store?: { readonly id: string; readonly merchantId: string }): RawBuilder<unknown> {
  const ofStore =
    store === undefined ? sql`true` : sql`merchant_id = ${store.merchantId} and store_id = ${store.id}`;
  const ofImages = store === undefined ? sql`true` : sql`store_id = ${store.id}`;
  return sql`(
    select c.merchant_id, c.store_id, c.certificates, c.issued, c.renewed, c.withdrawn,
      coalesce(images.total, 0) as images_total, coalesce(images.certified, 0) as images_certified,
      coalesce(images.failed, 0) as images_failed, coalesce(images.waiting, 0) as images_waiting,
      coalesce(pages.counts, '{}') as pages
    from (select * from certificate_stores where ${ofStore}) c
      join stores s on s.merchant_id = c.merchant_id and s.id = c.store_id
      left join (
        select store_id, sum(total)::int as total, sum(certified - not_served)::int as certified, sum(failed)::int as failed,
          sum(waiting)::int as waiting
        from image_counts where ${ofImages} group by store_id) images on images.store_id = c.store_id
      left join (
        select merchant_id, store_id, jsonb_object_agg(result, pages) as counts
        from sweep_counts where ${ofStore} group by merchant_id, store_id) pages
        on pages.merchant_id = c.merchant_id and pages.store_id = c.store_id
    where s.deleted_at is null)`;
}
