-- Products are found by the address of their page, and by what merchants know them by.

-- The first 8 bytes of the SHA-256 of what `pageKey` (certificate/binding) makes of url; null: not made yet. It only
-- narrows a search: which addresses are equal is asked of `comparePageUrls`.
alter table products add column page_key bigint;
create index products_by_page on products (page_key) where deleted_at is null;
create index products_without_page_key on products (id) where page_key is null;

-- A node of a release before knows no key: the key of the former address must not stay.
create function forget_page_key() returns trigger language plpgsql as $$
begin
  new.page_key := null;
  return new;
end $$;
create trigger products_forget_page_key before update of url on products
  for each row when (new.url <> old.url and new.page_key is not distinct from old.page_key)
  execute function forget_page_key();

-- What is written while touchstone.unseen is on shows nowhere: there is nothing to announce, and no certificate to make.
drop trigger products_announce_update on products;
create trigger products_announce_update after update on products
  referencing new table as changed for each statement
  when (current_setting('touchstone.quiet', true) is distinct from 'on'
    and current_setting('touchstone.unseen', true) is distinct from 'on')
  execute function announce_product();
drop trigger products_certificates_changed on products;
create trigger products_certificates_changed after update on products
  referencing new table as changed for each statement
  when (current_setting('touchstone.unseen', true) is distinct from 'on')
  execute function products_order_certificates();

create index products_by_sku on products (store_id, sku, created_order) where sku is not null;
create index products_by_gtin on products (store_id, gtin, created_order) where gtin is not null;
create index products_by_update on products (store_id, updated_at, created_order);

-- The words of a text, in lower case: between punctuation and blanks. (`return` binds names now: an index is made with no
-- schema of ours in the search path.)
create function words_of(name text) returns text[] language sql immutable parallel safe
  return array_remove(regexp_split_to_array(lower(name), '[[:punct:][:space:]]+'), '');
-- What a product is found by: its store, and the words of its name.
create function product_terms(store_id uuid, name text) returns tsvector language sql immutable parallel safe
  return array_to_tsvector(words_of(name) || store_id::text);
-- Products of a store whose names have, for each word of the text, one that begins with it.
create function product_query(store_id uuid, words text) returns tsquery language sql immutable parallel safe
  return (select string_agg(term, ' & ') from (
    select '''' || store_id::text || '''' as term
    union all select '''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*'
      from unnest(words_of(words)) word) as terms)::tsquery;
create index products_by_name on products using gin (product_terms(store_id, name)) where deleted_at is null;
