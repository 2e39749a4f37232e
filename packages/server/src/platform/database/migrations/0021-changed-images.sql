-- The same as before, found in time that grows with the rows: a join of what changed with what was before compared each
-- row with each, a second for the 2,000 images of one batch of an import.
create or replace function images_order_certificates() returns trigger language plpgsql as $$
begin
  perform order_certificates(array_agg(p.id order by p.id), array_agg(p.store_id order by p.id),
      now() + case when c.by_merchant then interval '0' else interval '60 seconds' end)
    from (
      select product_id, bool_or(by_merchant) as by_merchant from (
        select product_id, true as by_merchant from (
          select id, product_id, position, removed_at is null from changed
          except select id, product_id, position, removed_at is null from former) moved
        union all
        select product_id, false from (
          select id, product_id, url, position, removed_at, media_type, width, height, upload_date, external_id, credentials,
            blob_key, source_uhash, given_up from changed
          except select id, product_id, url, position, removed_at, media_type, width, height, upload_date, external_id,
            credentials, blob_key, source_uhash, given_up from former) altered
      ) each_change group by product_id
    ) c join products p on p.id = c.product_id
    group by c.by_merchant;
  return null;
end $$;
