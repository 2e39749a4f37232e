-- Proofs state how control of their host was proven: products on a host get new ones when its proof begins or ends. A later check
-- that succeeds again changes no certificate.
create function owner_visits_certificates() returns trigger language plpgsql as $$
begin
  perform visit_certificates(array(
    select s.id from stores s
    where s.merchant_id in (old.merchant_id, new.merchant_id) and s.deleted_at is null
      and exists (select from domains d where d.store_id = s.id and d.hostname = coalesce(new.hostname, old.hostname))
    order by s.id));
  return null;
end $$;
create trigger hostname_owners_certificates_begun_or_ended after insert or delete on hostname_owners
  for each row execute function owner_visits_certificates();
-- a row without a MAC proves nothing
create trigger hostname_owners_certificates_changed after update on hostname_owners
  for each row when ((old.merchant_id, old.method, old.proven_at, old.mac is null)
    is distinct from (new.merchant_id, new.method, new.proven_at, new.mac is null))
  execute function owner_visits_certificates();
