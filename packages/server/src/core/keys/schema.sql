-- Global: the service's keys, those that sign proofs, and those that sign its own requests (RFC 9421).
create table signing_keys (
  kid          text primary key,
  purpose      text not null default 'proofs' check (purpose in ('proofs', 'requests')),
  -- RSA of proofs, Ed25519 of requests
  public_jwk   jsonb not null,
  -- PKCS#8, AES-256-GCM under the master key; null once forgotten or kept elsewhere (KMS)
  private_key  bytea,
  created_at   timestamptz not null default now(),
  -- in the JWKS from here on
  published_at timestamptz not null default now(),
  -- first moment it may sign; null while it stands by
  active_from  timestamptz,
  -- it begins no proof after this
  retired_at   timestamptz,
  -- set where a retired key still completed a proof that it had begun; 400 days are counted from the later
  last_used_at timestamptz,
  revoked_at   timestamptz,
  -- under the master key, over the columns that trust depends on (platform/database/trusted-rows.ts): a row without a valid one is
  -- not used
  mac          bytea
);
-- One active key of a purpose at the most, however many nodes decide at once. (How many stand by is decided under a lock.)
create unique index signing_keys_active on signing_keys (purpose)
  where active_from is not null and retired_at is null and revoked_at is null;
