-- Which merchants have certified a file of these bytes, and since when: asked about the pictures of pages without a certificate.

alter table image_certifications
  -- of the image, so that the first of a merchant's certifications is found without reading the others
  add column merchant_id uuid references merchants (id),
  -- stays when a signature is renewed
  add column first_certified_at timestamptz;
update image_certifications c set first_certified_at = c.certified_at,
    merchant_id = (select p.merchant_id from images i join products p on p.id = i.product_id where i.id = c.image_id);
alter table image_certifications
  alter column merchant_id set not null,
  alter column first_certified_at set not null;

-- The certified file, and the file that it was made from.
create index certified_files on image_certifications (left(blob_key, 64), merchant_id, first_certified_at);
create index certified_sources on image_certifications (source_uhash, merchant_id, first_certified_at)
  where left(blob_key, 64) <> source_uhash;
