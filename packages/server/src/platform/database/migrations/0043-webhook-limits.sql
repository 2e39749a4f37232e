-- Deliveries are limited by host, whatever the number of webhooks; and a webhook has at most 10,000 pending ones, so that
-- no endpoint that fails fills the disk, or is flooded once it works.

-- keyed hash of the host of `url`; null: it is written with the next delivery
alter table webhooks add column host_key text;

create or replace function record_event(
  of_type text, of_merchant uuid, of_store uuid, about text, in_detail jsonb, how_many integer, things jsonb, at timestamptz
) returns void language plpgsql as $$
declare
  merchant uuid := coalesce(of_merchant, (select merchant_id from stores where id = of_store));
  event uuid;
  is_new boolean;
begin
  if not exists (select from webhooks where merchant_id = merchant and paused is null and of_type = any(events)) then
    return;
  end if;
  insert into events as e (type, merchant_id, store_id, subject, detail, count, items, occurred_at, gathering)
    values (of_type, merchant, of_store, about, in_detail, how_many, jsonb_path_query_array(things, '$[0 to 99]'), at,
      of_store is not null)
  on conflict (store_id, type, subject) where gathering do update set
    count = e.count + excluded.count,
    items = jsonb_path_query_array(e.items || excluded.items, '$[0 to 99]'),
    added_at = now()
  returning id, xmax = 0 into event, is_new;
  if is_new then
    with told as (
      select id, host_key from webhooks where merchant_id = merchant and paused is null and of_type = any(events)
      order by id for key share
    ), counted as (
      select id, host_key, exists (
        select from webhook_deliveries where webhook_id = told.id and state = 'pending' offset 9999) as is_full
      from told
    ), made as (
      insert into webhook_deliveries (webhook_id, event_id, state, code, attempted_at)
        select id, event, case when is_full then 'failed' else 'pending' end,
          case when is_full then 'delivery_queue_full' end, case when is_full then now() end
        from counted order by id
      returning id, webhook_id, state)
    insert into jobs (queue, subject, owner, resource, state, due_at)
      select 'webhooks', made.id, merchant, coalesce(host_key, webhook_id::text), 'scheduled', now() + interval '2 seconds'
      from made join told on told.id = made.webhook_id where made.state = 'pending';
    -- nothing will be delivered that would end it
    if not found then update events set gathering = false where id = event; end if;
  end if;
end $$;
