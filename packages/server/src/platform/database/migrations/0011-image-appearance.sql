-- Colours of an image part by part, by which a copy is told from a picture that was altered; null: scanned before this was
-- recorded, or not decoded.
alter table images add column appearance text check (length(appearance) <= 3200);
