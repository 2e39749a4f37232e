-- Rows of products by store, deleted ones included, since they are never removed: counted when they are inserted, under the lock
-- of the merchant.
create table product_counts (
  store_id    uuid primary key references stores (id),
  merchant_id uuid not null references merchants (id),
  products    integer not null
);
create index product_counts_of_merchant on product_counts (merchant_id);
insert into product_counts select store_id, merchant_id, count(*) from products group by store_id, merchant_id;

-- How many rows the merchant may have; null: the default of the service.
alter table merchants add column product_limit integer check (product_limit >= 0);
