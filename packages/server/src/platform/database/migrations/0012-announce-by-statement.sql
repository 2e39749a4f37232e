-- Products are announced once for a statement and not once for each row of it, up to 200 ids in a notification (which may
-- have 8,000 bytes): `ps:` and the ids. What does not know that form takes it for "anything may have changed".
create function announce_products(ids uuid[]) returns void language sql as $$
  select pg_notify('touchstone_changed', case count(*) when 1 then 'p:' else 'ps:' end || string_agg(id::text, ','))
  from (select id, row_number() over (order by id) - 1 as nth from (select distinct unnest(ids) as id) as known) as numbered
  group by nth / 200
$$;

drop trigger products_announce on products;
create or replace function announce_product() returns trigger language plpgsql as $$
begin
  perform announce_products(array(select id from changed));
  return null;
end $$;
create trigger products_announce_insert after insert on products
  referencing new table as changed for each statement execute function announce_product();
create trigger products_announce_update after update on products
  referencing new table as changed for each statement execute function announce_product();
create trigger products_announce_delete after delete on products
  referencing old table as changed for each statement execute function announce_product();

drop trigger images_announce on images;
create or replace function announce_image() returns trigger language plpgsql as $$
begin
  perform announce_products(array(select product_id from changed));
  return null;
end $$;
create trigger images_announce_insert after insert on images
  referencing new table as changed for each statement execute function announce_image();
create trigger images_announce_update after update on images
  referencing new table as changed for each statement execute function announce_image();
create trigger images_announce_delete after delete on images
  referencing old table as changed for each statement execute function announce_image();
