-- How the images of a store are counted, in one place: certified are those whose file at the shop is, as in the coverage of
-- certificates. Signed files that the shop does not serve are counted apart.

create function image_totals(store uuid) returns table (
  total integer, done integer, failed integer, waiting integer, retrying integer, certified integer, signed_by_us integer,
  not_served integer, no_image integer
) language sql stable parallel safe as $$
  select coalesce(sum(total), 0)::int, coalesce(sum(done), 0)::int, coalesce(sum(failed), 0)::int,
    coalesce(sum(waiting), 0)::int, coalesce(sum(retrying), 0)::int, coalesce(sum(certified - not_served), 0)::int,
    coalesce(sum(signed_by_us), 0)::int, coalesce(sum(not_served), 0)::int, coalesce(sum(no_image), 0)::int
  from image_counts where store_id = store
$$;

create or replace view store_now as
  select s.id as store_id, c.certificates, c.issued, c.renewed, c.withdrawn,
    images.total as images_total, images.certified as images_certified, images.failed as images_failed,
    images.waiting as images_waiting, pages.counts as pages
  from stores s join certificate_stores c on c.store_id = s.id
    cross join lateral image_totals(s.id) images
    cross join lateral (
      select coalesce(jsonb_object_agg(result, pages), '{}') as counts from sweep_counts where store_id = s.id) pages
  where s.deleted_at is null;
