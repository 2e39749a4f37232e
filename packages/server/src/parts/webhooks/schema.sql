-- What happened to what a merchant has is recorded in the transaction in which it happened, for those who asked to be told, and
-- delivered by jobs.

create table webhooks (
  merchant_id   uuid not null references merchants (id),
  id            uuid not null,
  -- encrypted: it may contain a token
  url           bytea not null,
  -- keyed hash of the host of `url`, by which deliveries are limited; null: it is written with the next delivery
  host_key      text,
  description   text not null default '',
  -- types of events that it asks for
  events        text[] not null,
  -- why nothing is delivered: asked for by the merchant; failing for days; gone, as the endpoint says; null: it is delivered
  paused        text check (paused in ('asked', 'failing', 'gone')),
  paused_at     timestamptz,
  -- AES-256-GCM under the master key; the former one signs, too, until `former_until`
  secret        bytea not null,
  former_secret bytea,
  former_until  timestamptz,
  -- no attempt has succeeded since
  failing_since timestamptz,
  delivered_at  timestamptz,
  created_at    timestamptz not null,
  primary key (merchant_id, id),
  check ((paused is null) = (paused_at is null)),
  check ((former_secret is null) = (former_until is null))
);

create table events (
  merchant_id uuid not null references merchants (id),
  id          uuid not null default gen_random_uuid(),
  type        text not null,
  -- null: of no single store
  store_id    uuid,
  -- what of the same store and type are reported together: a state, a hostname
  subject     text not null default '',
  detail      jsonb not null default '{}',
  -- things that it is about; null: all that the store has
  count       integer,
  -- the first 100 of them
  items       jsonb not null default '[]',
  occurred_at timestamptz not null,
  -- more of the same is added to it until it is delivered for the first time
  gathering   boolean not null default true,
  opened_at   timestamptz not null default now(),
  added_at    timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
create unique index events_gathering on events (merchant_id, store_id, type, subject) where gathering;
-- activity of a merchant, newest first
create index events_by_merchant on events (merchant_id, occurred_at);

-- One for each event and webhook that asks for it. A pending one has a job in the queue webhooks, whose subject it is
-- and whose owner the merchant.
create table webhook_deliveries (
  merchant_id     uuid not null,
  id              uuid not null default gen_random_uuid(),
  nth             bigint generated always as identity,
  webhook_id      uuid not null,
  event_id        uuid not null,
  state           text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts        integer not null default 0,
  -- of the last attempt
  attempted_at    timestamptz,
  milliseconds    integer,
  response_status integer,
  code            text,
  detail          text not null default '',
  created_at      timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, webhook_id) references webhooks (merchant_id, id),
  foreign key (merchant_id, event_id) references events (merchant_id, id)
);
create unique index webhook_deliveries_in_order on webhook_deliveries (merchant_id, webhook_id, nth);
create index webhook_deliveries_pending on webhook_deliveries (merchant_id, webhook_id) where state = 'pending';
create index webhook_deliveries_by_event on webhook_deliveries (merchant_id, event_id);
-- old ones are deleted
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

-- Records that something happened, where a webhook of the merchant asks for it: else nothing is written. While an event has not been
-- delivered, more of the same store, type and subject is added to it, so that a change of a million products is a few events. A
-- webhook has at most 10,000 pending deliveries, so that no endpoint that fails fills the disk, or is flooded once it works.
-- Webhooks are locked, so that one that is deleted meanwhile is waited for and passed over.
create function record_event(
  of_type text, of_merchant uuid, of_store uuid, about text, in_detail jsonb, how_many integer, things jsonb, at timestamptz
) returns void language plpgsql as $$
declare
  merchant uuid := coalesce(of_merchant, (select merchant_id from directory where id = of_store));
  event uuid;
  is_new boolean;
begin
  if not exists (select from webhooks where merchant_id = merchant and paused is null and of_type = any(events)) then
    return;
  end if;
  insert into events as e (type, merchant_id, store_id, subject, detail, count, items, occurred_at, gathering)
    values (of_type, merchant, of_store, about, in_detail, how_many, jsonb_path_query_array(things, '$[0 to 99]'), at,
      of_store is not null)
  on conflict (merchant_id, store_id, type, subject) where gathering do update set
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
        select from webhook_deliveries where merchant_id = merchant and webhook_id = told.id and state = 'pending' offset 9999) as is_full
      from told
    ), made as (
      insert into webhook_deliveries (merchant_id, webhook_id, event_id, state, code, attempted_at)
        select merchant, id, event, case when is_full then 'failed' else 'pending' end,
          case when is_full then 'delivery_queue_full' end, case when is_full then now() end
        from counted order by id
      returning id, webhook_id, state)
    insert into jobs (queue, subject, owner, resource, state, due_at)
      select 'webhooks', made.id, merchant, coalesce(host_key, webhook_id::text), 'scheduled', now() + interval '2 seconds'
      from made join told on told.id = made.webhook_id where made.state = 'pending';
    -- nothing will be delivered that would end it
    if not found then update events set gathering = false where merchant_id = merchant and id = event; end if;
  end if;
end $$;

-- The same of products, which are named by both their ids.
create function record_product_event(
  of_type text, of_store uuid, about text, in_detail jsonb, products uuid[], at timestamptz
) returns void language plpgsql as $$
begin
  if not exists (
    select from directory d join webhooks w on w.merchant_id = d.merchant_id
    where d.id = of_store and w.paused is null and of_type = any(w.events)
  ) then
    return;
  end if;
  perform record_event(of_type, null, of_store, about, in_detail, cardinality(products), coalesce((
    select jsonb_agg(jsonb_build_object('productId', p.id, 'externalProductId', p.external_product_id) order by named.nth)
    from unnest(products[1:100]) with ordinality as named (id, nth)
      join directory d on d.id = named.id join products p on p.merchant_id = d.merchant_id and p.id = d.id), '[]'), at);
end $$;

-- The state as the registry states it: a pause comes before a missing seat.
create function product_told_state(standing text, paused boolean) returns text language sql immutable as $$
  select case when paused and standing in ('no_slot', 'active') then 'paused' else standing end
$$;

-- Whatever changes the state of products, one or thousands, is recorded. By `except`, in time that grows with the rows: a join of what
-- changed with what was before would compare each row with each.
create function products_tell_state() returns trigger language plpgsql as $$
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
create trigger products_tell_state after update on products
  referencing new table as changed old table as former for each statement execute function products_tell_state();

-- A pause is of all that the merchant's stores have: one event for each of them.
create function merchant_tells_state() returns trigger language plpgsql as $$
begin
  perform record_event('product.state_changed', new.id, id, 'all',
    jsonb_build_object('state', case when new.paused then 'paused' else 'active' end), null, '[]', now())
  from stores where merchant_id = new.id and deleted_at is null order by id;
  return null;
end $$;
create trigger merchants_tell_state after update on merchants
  for each row when (old.paused <> new.paused) execute function merchant_tells_state();
