-- A row that grants trust carries a MAC under the master key (platform/database/trusted-rows.ts) over all columns that trust
-- depends on, and is not used without one. Null: written before this, or not by the service.
alter table signing_keys add column mac bytea;
alter table hostname_owners add column mac bytea;
alter table api_keys add column mac bytea;
alter table console_sessions add column mac bytea;

-- Sessions last for a day: those begun before this end now.
delete from console_sessions;
