-- What changes while a sweep of its store runs is not overlooked.

-- Also of a job that runs or is about to: its row stays locked until the change is committed, so that the run either ends
-- after that, and sees that it was ordered again, or begins after it. In the order of their keys, as others lock them.
create or replace function wake_sweeps(stores uuid[]) returns void language sql as $$
  with locked as (
    select subject from jobs where queue = 'sweeps' and subject = any(stores) order by subject for update)
  update jobs set orders = orders + 1,
    state = case when state = 'idle' then 'scheduled' else state end,
    due_at = case
      when state = 'idle' or (state = 'scheduled' and due_at > now() + interval '60 seconds')
      then now() + interval '60 seconds' else due_at end
  where queue = 'sweeps' and subject in (select subject from locked)
$$;

-- A store whose products were visited was swept, though none of them may have been active.
create or replace function changed_products_order_sweeps() returns trigger language plpgsql as $$
declare
  swept uuid[] := array(
    select store_id from sweep_stores s where (checked_at is not null or visited_to > 0)
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

-- Visited while nothing was active, and not noted when that changed.
with again as (
  update sweep_stores set visited_to = 0 where checked_at is null and visited_to > 0 returning store_id)
select wake_sweeps(array(select store_id from again));
