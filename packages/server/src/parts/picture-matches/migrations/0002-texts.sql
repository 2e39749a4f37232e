-- expand

-- What the texts of products on their own pages are recognised by, as sweeps read them. Global, as picture_codes: a text that other
-- merchants have, too, proves nothing.
create table text_sketches (
  merchant_id uuid not null,
  product_id  uuid not null,
  -- 128 bytes, from which the text cannot be read (text-sketch.ts)
  sketch      bytea not null check (octet_length(sketch) = 128),
  primary key (merchant_id, product_id)
);
-- texts that are alike have one of these parts in common
create index text_sketches_1 on text_sketches (substring(sketch from 1 for 4), merchant_id);
create index text_sketches_2 on text_sketches (substring(sketch from 5 for 4), merchant_id);
create index text_sketches_3 on text_sketches (substring(sketch from 9 for 4), merchant_id);
create index text_sketches_4 on text_sketches (substring(sketch from 13 for 4), merchant_id);
create index text_sketches_5 on text_sketches (substring(sketch from 17 for 4), merchant_id);
create index text_sketches_6 on text_sketches (substring(sketch from 21 for 4), merchant_id);
