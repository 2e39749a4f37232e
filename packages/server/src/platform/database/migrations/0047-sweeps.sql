-- A sweep that a person began needs pages that are fetched after that, by the clock by which fetches are timed; and pages that
-- cannot be reached for a day are reported by an event.

-- when `due_before` was set, by the database's clock
alter table sweep_stores add column begun_at timestamptz;

-- an event has reported that the page cannot be reached; false again once it is back
alter table sweep_pages add column unreachable_reported boolean not null default false;
create index sweep_pages_unreachable on sweep_pages (store_id, since)
  where result = 'unreachable' and not unreachable_reported;
