-- What happened to what a merchant has is recorded in the transaction in which it happened, for those who asked to be told, and
-- delivered by jobs.

create table webhooks (
  merchant_id   uuid not null references merchants (id),
  id            uuid not null,
  -- encrypted: it may contain a token
  url           bytea not null,
  -- keyed hash of the host of `url`, by which deliveries are limited; null: it is written with the next delivery
  host_key      text,
  description   text not null default '',
  -- types of events that it asks for
  events        text[] not null,
  -- why nothing is delivered: asked for by the merchant; failing for days; gone, as the endpoint says; null: it is delivered
  paused        text check (paused in ('asked', 'failing', 'gone')),
  paused_at     timestamptz,
  -- AES-256-GCM under the master key; the former one signs, too, until `former_until`
  secret        bytea not null,
  former_secret bytea,
  former_until  timestamptz,
  -- no attempt has succeeded since
  failing_since timestamptz,
  delivered_at  timestamptz,
  created_at    timestamptz not null,
  primary key (merchant_id, id),
  check ((paused is null) = (paused_at is null)),
  check ((former_secret is null) = (former_until is null))
);

create table events (
  merchant_id uuid not null references merchants (id),
  id          uuid not null default gen_random_uuid(),
  type        text not null,
  -- null: of no single store
  store_id    uuid,
  -- what of the same store and type are reported together: a state, a hostname
  subject     text not null default '',
  detail      jsonb not null default '{}',
  -- things that it is about; null: all that the store has
  count       integer,
  -- the first 100 of them
  items       jsonb not null default '[]',
  occurred_at timestamptz not null,
  -- more of the same is added to it until it is delivered for the first time
  gathering   boolean not null default true,
  opened_at   timestamptz not null default now(),
  added_at    timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, store_id) references stores (merchant_id, id)
);
create unique index events_gathering on events (merchant_id, store_id, type, subject) where gathering;
-- activity of a merchant, newest first
create index events_by_merchant on events (merchant_id, occurred_at);

-- One for each event and webhook that asks for it. A pending one has a job in the queue webhooks, whose subject it is
-- and whose owner the merchant.
create table webhook_deliveries (
  merchant_id     uuid not null,
  id              uuid not null default gen_random_uuid(),
  nth             bigint generated always as identity,
  webhook_id      uuid not null,
  event_id        uuid not null,
  state           text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts        integer not null default 0,
  -- of the last attempt
  attempted_at    timestamptz,
  milliseconds    integer,
  response_status integer,
  code            text,
  detail          text not null default '',
  created_at      timestamptz not null default now(),
  primary key (merchant_id, id),
  foreign key (merchant_id, webhook_id) references webhooks (merchant_id, id),
  foreign key (merchant_id, event_id) references events (merchant_id, id)
);
create unique index webhook_deliveries_in_order on webhook_deliveries (merchant_id, webhook_id, nth);
create index webhook_deliveries_pending on webhook_deliveries (merchant_id, webhook_id) where state = 'pending';
create index webhook_deliveries_by_event on webhook_deliveries (merchant_id, event_id);
-- old ones are deleted
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
