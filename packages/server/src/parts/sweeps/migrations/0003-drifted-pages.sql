-- expand, outside a transaction

drop index concurrently if exists sweep_pages_drifted;
create index concurrently sweep_pages_drifted on sweep_pages (merchant_id, store_id, product_id) where drifted;
