-- What recording a proof costs, twice for each certificate.

-- An intent is recorded under the row of its key, held in share, and no key is ever deleted: looking the key up again for
-- each row found nothing else.
alter table proofs drop constraint proofs_kid_fkey;

-- With its signature a row is a little over the 2 kB from which PostgreSQL compresses it, which costs more than the row
-- itself and saves little: most of it is base64 of digests.
alter table proofs set (toast_tuple_target = 8160);
