-- whose a hostname is concerns products of whoever had claimed it, too
create or replace function announce_owner() returns trigger language plpgsql as $$
begin
  perform pg_notify('touchstone_changed', 'm:' || coalesce(new.merchant_id, old.merchant_id));
  perform pg_notify('touchstone_changed', 'h:' || coalesce(new.hostname, old.hostname));
  return null;
end $$;
