-- expand

-- The entry of a status list that the proof names; null: it names none.
alter table proofs add column status_list integer;
alter table proofs add column status_index integer;
