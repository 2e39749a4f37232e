-- The same as before, found in time that grows with the rows: a join of what changed with what was before compared each row
-- with each once its plan was made for few, seconds for the 4,000 products of one statement.
create or replace function products_tell_state() returns trigger language plpgsql as $$
begin
  if not exists (select from webhooks where paused is null and 'product.state_changed' = any(events)) then
    return null;
  end if;
  perform record_product_event('product.state_changed', store_id, state, jsonb_build_object('state', state),
    array_agg(id order by id), now())
  from (
    select c.id, c.store_id, product_told_state(
        product_standing(c.deleted_at, c.disabled, c.visible, c.host_known, c.slot_order), m.paused) as state
      from changed c join merchants m on m.id = c.merchant_id
      where c.merchant_id = any(array(
        select merchant_id from webhooks where paused is null and 'product.state_changed' = any(events)))
    except
    select f.id, f.store_id, product_told_state(
        product_standing(f.deleted_at, f.disabled, f.visible, f.host_known, f.slot_order), m.paused)
      from former f join merchants m on m.id = f.merchant_id
  ) as standing
  group by store_id, state order by store_id, state;
  return null;
end $$;

create or replace function changed_products_order_sweeps() returns trigger language plpgsql as $$
declare
  swept uuid[] := array(
    select store_id from sweep_stores s where checked_at is not null
      and store_id in (select store_id from changed) order by store_id);
begin
  if cardinality(swept) = 0 then return null; end if;
  insert into sweep_pages as page (product_id, store_id, turn)
    select id, store_id, '-infinity' from (
      select id, store_id, url, name, product_standing(deleted_at, disabled, visible, host_known, slot_order)
        from changed where store_id = any(swept)
      except
      select id, store_id, url, name, product_standing(deleted_at, disabled, visible, host_known, slot_order)
        from former) as altered
    order by id
  on conflict (product_id) do update set turn = '-infinity' where page.turn <> '-infinity';
  if found then perform wake_sweeps(swept); end if;
  return null;
end $$;
