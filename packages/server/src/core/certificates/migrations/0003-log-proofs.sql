-- expand

-- The proof's inclusion in the transparency log, as its documents carry it; written with the signature and never again. null: they carry
-- none.
alter table proofs add column log_proof text;
