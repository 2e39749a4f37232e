-- The setup and the history of a store count as certified what its shop serves, as certificates and the overview do. Days
-- recorded before this migration keep their counts, which include signed images that the shop did not serve.
create or replace view store_now as
  select s.id as store_id, c.certificates, c.issued, c.renewed, c.withdrawn,
    images.total as images_total, images.certified as images_certified, images.failed as images_failed,
    images.waiting as images_waiting, pages.counts as pages
  from stores s join certificate_stores c on c.store_id = s.id
    cross join lateral (
      select coalesce(sum(total), 0)::int as total, coalesce(sum(certified - not_served), 0)::int as certified,
        coalesce(sum(failed), 0)::int as failed, coalesce(sum(waiting), 0)::int as waiting
      from image_counts where store_id = s.id) images
    cross join lateral (
      select coalesce(jsonb_object_agg(result, pages), '{}') as counts from sweep_counts where store_id = s.id) pages
  where s.deleted_at is null;
