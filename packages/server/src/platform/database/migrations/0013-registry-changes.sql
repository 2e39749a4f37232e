-- Changes that concern more products than one request may change: recorded with what is wanted, and followed by the products
-- batch by batch, by a job of the merchant.
create table registry_changes (
  id          uuid primary key,
  merchant_id uuid not null references merchants (id),
  -- one after another, as they were asked for
  nth         bigint generated always as identity,
  kind        text not null check (kind in ('capacity', 'store_deletion', 'domain', 'image_signing')),
  store_id    uuid references stores (id),
  hostname    text,
  -- products up to here, in the order of creation, are in line; null: all are
  read_to     bigint default 0,
  done        integer not null default 0,
  -- null: not counted yet
  total       integer,
  created_at  timestamptz not null,
  finished_at timestamptz
);
create index registry_changes_pending on registry_changes (merchant_id, nth) where finished_at is null;
create index registry_changes_done on registry_changes (merchant_id, finished_at) where finished_at is not null;

-- A change that products still follow settles the seats at its end: nobody else gives or takes them meanwhile.
alter table merchants add column seats_unsettled boolean not null default false;

-- A batch whose change was announced as a whole says touchstone.quiet: nothing about its rows is new to anyone.
drop trigger products_announce_update on products;
create trigger products_announce_update after update on products
  referencing new table as changed for each statement
  when (current_setting('touchstone.quiet', true) is distinct from 'on') execute function announce_product();
drop trigger products_reschedule on products;
create trigger products_reschedule after update on products
  for each row when ((old.deleted_at is null) <> (new.deleted_at is null)
    and current_setting('touchstone.quiet', true) is distinct from 'on')
  execute function reschedule_images_of_product();

-- Every walk through a store's products goes on from where it was: by the order of creation within store, host or state.
drop index products_by_store;
create index products_by_store on products (store_id, created_order) where deleted_at is null;
drop index products_by_host;
create index products_by_host on products (store_id, host, created_order);
drop index products_set_aside;

-- The state of a product but for the pause of its merchant, in the order of reasons that the registry tells.
create function product_standing(
  deleted_at timestamptz, disabled boolean, visible boolean, host_known boolean, slot_order bigint
) returns text language sql immutable parallel safe as $$
  select case
    when deleted_at is not null then 'deleted'
    when disabled then 'disabled'
    when not visible then 'hidden'
    when not host_known then 'host_lost'
    when slot_order is null then 'no_slot'
    else 'active' end
$$;
create index products_by_standing
  on products (store_id, product_standing(deleted_at, disabled, visible, host_known, slot_order), created_order);
