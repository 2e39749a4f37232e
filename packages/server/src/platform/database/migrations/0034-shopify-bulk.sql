-- Large shops are read by a bulk operation of Shopify's, which collects all products in a file.
alter table shopify_connections
  -- null: no reading is under way
  add column reading_way text check (reading_way in ('pages', 'bulk')),
  -- products of the shop when the reading began, as it counted them
  add column products_counted integer,
  add column bulk_operation text,
  -- products that the operation has collected
  add column bulk_collected integer not null default 0,
  -- operations of this reading of which nothing came
  add column bulk_failures integer not null default 0;
-- readings that are under way
update shopify_connections set reading_way = 'pages' where reading_since is not null;
