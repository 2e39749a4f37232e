-- Global: nodes of the service that are running, each a machine or a container, with its processes. A row is deleted when its node is
-- closed.
create table nodes (
  id         uuid primary key,
  version    text not null,
  processes  integer not null,
  started_at timestamptz not null,
  -- last heartbeat
  seen_at    timestamptz not null,
  -- sentences: what keeps it from serving
  problems   jsonb not null,
  -- sentences: what the operator must look at though the node is ready
  findings   jsonb not null default '[]'
);
