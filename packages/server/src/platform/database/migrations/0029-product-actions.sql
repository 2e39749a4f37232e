-- Many products are hidden, shown or deleted at once, and that is undone: a change as others, which remembers what it changed.
alter table registry_changes drop constraint registry_changes_kind_check;
alter table registry_changes
  add constraint registry_changes_kind_check check (kind in
    ('capacity', 'store_deletion', 'domain', 'image_signing', 'hide', 'show', 'delete', 'restore')),
  -- which products of the store it is about; null: those that the change changed which it undoes, or that were named
  add column filter    jsonb,
  -- the last product there was when it was asked for, in the order of creation
  add column up_to     bigint,
  -- products that were not so before
  add column changed   integer not null default 0,
  add column undoes    uuid,
  add column undone_by uuid,
  -- it has rows in registry_change_products
  add column remembers boolean not null default false;

create table registry_change_products (
  change_id     uuid not null,
  -- of the product: changes follow products in the order of their creation
  created_order bigint not null,
  product_id    uuid not null,
  primary key (change_id, created_order)
);
create index registry_changes_remembering on registry_changes (finished_at) where remembers;
