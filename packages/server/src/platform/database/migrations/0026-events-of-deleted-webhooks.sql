-- A webhook that is deleted while an event is recorded for it: the event waits for the deletion and passes it over, where a
-- delivery of a webhook that is no more ended the transaction that the event belongs to.
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
      select id from webhooks where merchant_id = merchant and paused is null and of_type = any(events)
      order by id for key share
    ), made as (
      insert into webhook_deliveries (webhook_id, event_id) select id, event from told order by id
      returning id, webhook_id)
    insert into jobs (queue, subject, owner, resource, state, due_at)
      select 'webhooks', id, merchant, webhook_id, 'scheduled', now() + interval '2 seconds' from made;
  end if;
end $$;
