-- A sweep that a person began needs pages that are fetched after that, by the clock by which fetches are timed.

-- when `due_before` was set, by the database's clock
alter table sweep_stores add column begun_at timestamptz;
