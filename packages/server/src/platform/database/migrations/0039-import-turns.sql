-- A job that made room for others while it was running: its owner is served after those that have not been served at all, and
-- among such owners in the order in which they made room.
alter table jobs add column displaced boolean not null default false;
create index jobs_displaced on jobs (queue, owner, due_at) where displaced;

-- One import of a merchant at a time.
update jobs set resource = owner::text where queue = 'imports' and state <> 'idle';
