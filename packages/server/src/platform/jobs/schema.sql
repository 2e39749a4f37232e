-- All background work that must not be lost. Global: nodes take the next job of all owners in turn. A job is there for as long as its subject, and is made in the transaction that makes
-- the subject.
create table jobs (
  queue        text not null,
  -- what the job is about; there is one job for it, however often it is done
  subject      uuid not null,
  -- owners are served in turn, so that one with a million jobs keeps no other waiting
  owner        uuid not null,
  -- of jobs that share a resource a few are run at a time, over all nodes
  resource     text not null default '',
  -- ready: may be claimed; scheduled: not before due_at; running: leased by a node; idle: not until it is ordered
  state        text not null default 'ready' check (state in ('ready', 'scheduled', 'running', 'idle')),
  due_at       timestamptz default now() check (due_at is not null or state in ('running', 'idle')),
  -- grows with each order, so that one given while the job is running is not taken for done with it
  orders       integer not null default 1,
  -- made of the present order, the one under way included
  attempts     integer not null default 0,
  -- how often in a row a node ended in the middle of it
  interrupted  integer not null default 0,
  -- it made room for others while it was running: its owner is served after those that have not been served at all, and among such
  -- owners in the order in which they made room
  displaced    boolean not null default false,
  -- who runs it; what another node records of it later does not count
  lease        uuid,
  leased_until timestamptz,
  -- of the last run that came to an end; null: none has since it was ordered
  result       text check (result in ('done', 'failed')),
  -- {code, detail, at, attempts, since?}: why the last attempt came to nothing
  failure      jsonb,
  finished_at  timestamptz,
  -- of the span in which it was ordered (W3C Trace Context), if the service makes traces
  traceparent  text default nullif(current_setting('touchstone.traceparent', true), ''),
  primary key (queue, subject),
  check ((state = 'running') = (lease is not null)),
  check ((state = 'running') = (leased_until is not null))
  -- each job is updated several times a day, and the claims read what vacuum leaves
) with (autovacuum_vacuum_scale_factor = 0.05);
-- claims: the next job of each owner
create index jobs_ready on jobs (queue, owner, due_at) where state = 'ready';
create index jobs_displaced on jobs (queue, owner, due_at) where displaced;
-- those whose time has come become ready
create index jobs_scheduled on jobs (queue, due_at) where state = 'scheduled';
-- how many run per resource, and leases that have expired
create index jobs_running on jobs (queue, resource) where state = 'running';
