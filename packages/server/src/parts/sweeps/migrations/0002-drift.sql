-- expand

-- What the page states that differs from the catalogue or the certificate on it: a list of `RecordedDrift` (drift.ts).
alter table sweep_pages add column drift jsonb not null default '[]';
-- one of these was seen again a day later or more, and told
alter table sweep_pages add column drifted boolean not null default false;
