-- Moments further ahead than any that is noted were noted before the clock was set back: they count no more, or callers would
-- wait until the clock is there again. The rest is as it was.
create or replace function count_hit(
  name text, allowed_hits integer, span interval,
  out allowed boolean, out remaining integer,
  -- seconds until the oldest counted hit leaves the window
  out reset double precision,
  out moment timestamptz
) language plpgsql as $$
declare
  kept timestamptz[];
begin
  insert into rate_windows as w (bucket) values (name)
    on conflict (bucket) do update set seen_at = clock_timestamp()
    returning w.hits into kept;
  moment := clock_timestamp();
  select coalesce(array_agg(hit order by hit), '{}') into kept from unnest(kept) hit
    where hit > moment - span and hit < moment + span;
  allowed := cardinality(kept) < allowed_hits;
  if allowed then
    kept := kept || moment;
    update rate_windows set hits = kept where bucket = name;
  end if;
  remaining := greatest(0, allowed_hits - cardinality(kept));
  reset := extract(epoch from coalesce(kept[1], moment) + span - moment);
end $$;

create or replace function spend_budgets(
  names text[], limits integer[], span interval,
  -- the budget that is spent, and seconds until there is something in it; null when all had something
  out refused text, out reset double precision
) language plpgsql as $$
declare
  full_again timestamptz[];
  known timestamptz;
  moment timestamptz;
begin
  for i in 1 .. cardinality(names) loop
    insert into rate_windows as w (bucket) values (names[i])
      on conflict (bucket) do update set seen_at = clock_timestamp()
      returning w.hits[1] into known;
    full_again[i] := known;
  end loop;
  moment := clock_timestamp();
  for i in 1 .. cardinality(names) loop
    if full_again[i] > moment + span then
      full_again[i] := moment;
    end if;
    full_again[i] := greatest(full_again[i], moment) + span / greatest(limits[i], 1);
    if limits[i] < 1 or full_again[i] > moment + span then
      refused := names[i];
      reset := extract(epoch from full_again[i] - span - moment);
      return;
    end if;
  end loop;
  for i in 1 .. cardinality(names) loop
    update rate_windows set hits = array[full_again[i]] where bucket = names[i];
  end loop;
end $$;

create or replace function spend_amount(
  names text[], limits integer[], amount integer, span interval,
  -- the budget that is spent, and seconds until there is as much in it; null when all had as much
  out refused text, out reset double precision
) language plpgsql as $$
declare
  full_again timestamptz[];
  known timestamptz;
  moment timestamptz;
begin
  for i in 1 .. cardinality(names) loop
    insert into rate_windows as w (bucket) values (names[i])
      on conflict (bucket) do update set seen_at = clock_timestamp()
      returning w.hits[1] into known;
    moment := clock_timestamp();
    if known > moment + span then
      known := moment;
    end if;
    full_again[i] := greatest(known, moment) + span * least(1, amount / greatest(limits[i], 1)::double precision);
    if full_again[i] > moment + span then
      refused := names[i];
      reset := extract(epoch from full_again[i] - span - moment);
      return;
    end if;
  end loop;
  for i in 1 .. cardinality(names) loop
    update rate_windows set hits = array[full_again[i]] where bucket = names[i];
  end loop;
end $$;
