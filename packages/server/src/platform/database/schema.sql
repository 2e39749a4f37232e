-- What is done by one transaction at a time, until it ends: by advisory locks, or by rows for engines without them. The row 'rows' says so,
-- to all nodes at once. Names with a colon, of which there is no end, share 1,024 rows for what is before it. The table may be there already, for
-- the lock of the schemas (locks.ts).
create table if not exists locks (
  name text primary key
);

-- All at once, in one order for all callers: they cannot wait for each other in a circle.
create function lock_for(wanted text[]) returns void language plpgsql as $$
declare
  own text;
begin
  if not exists (select from locks where name = 'rows') then
    perform pg_advisory_xact_lock(key)
      from (select distinct hashtextextended(name, 0) as key from unnest(wanted) name order by key) keys;
    return;
  end if;
  for own in
    select distinct case when name like '%:%'
        then split_part(name, ':', 1) || ' ' || (hashtextextended(name, 0) & 1023) else name end as row
      from unnest(wanted) name order by row
  loop
    perform from locks where name = own for update;
    if not found then
      insert into locks (name) values (own) on conflict (name) do nothing;
      perform from locks where name = own for update;
    end if;
  end loop;
end $$;

-- False: another transaction holds it. Its row has to be there.
create function try_lock_for(wanted text) returns boolean language plpgsql as $$
begin
  if not exists (select from locks where name = 'rows') then
    return pg_try_advisory_xact_lock(hashtextextended(wanted, 0));
  end if;
  perform from locks where name = wanted for update skip locked;
  return found;
end $$;

-- Rate limits and budgets that all nodes share: global.

-- One row per limit and caller, host or whole service.
create table rate_windows (
  -- keyed hash of what is limited, another one every day where it identifies a caller
  bucket  text primary key,
  -- count_hit: the moments of the counted hits; spend_budgets and spend_amount: the one moment at which the budget is full
  -- again; take_turn: the one moment of the next free turn
  hits    timestamptz[] not null default '{}',
  -- last use, by which old rows are deleted
  seen_at timestamptz not null default now()
);

-- Counts a hit, unless there are `allowed_hits` in the last `span` already. Moments are taken under the row's lock, by the
-- database's clock, so that no two nodes can let one hit too many through. A refused hit is not counted. Hits further ahead
-- than `span` were counted before the clock was set back: they are dropped, or callers would wait until the clock is there again.
create function count_hit(
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

-- Spends one from each of several budgets, or, when one of them is spent, from none. A budget is `limits[i]` at once, refilled
-- evenly over `span` (the generic cell rate algorithm: `hits` holds the one moment at which it is full again), so it costs the
-- same whatever its size. A moment further ahead than `span` was noted before the clock was set back, and counts as now. Rows are
-- locked in the order of `names`, which all callers must share.
create function spend_budgets(
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

-- Spends an amount from each of several budgets, or, when one of them has not as much left, from none. As spend_budgets, but
-- an amount that is more than a whole budget is spent from a full one, and a refusal touches no budget behind it.
create function spend_amount(
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

-- Books the next free turn of `name`, `gap` behind the one before, and returns the seconds until it comes. Requests to one host
-- are spaced by it over all nodes, without polling, first come, first served.
create function take_turn(name text, gap interval, out wait double precision) language plpgsql as $$
declare
  next_turn timestamptz;
  moment timestamptz;
begin
  insert into rate_windows as w (bucket) values (name)
    on conflict (bucket) do update set seen_at = clock_timestamp()
    returning w.hits[1] into next_turn;
  moment := clock_timestamp();
  next_turn := greatest(next_turn, moment);
  update rate_windows set hits = array[next_turn + gap] where bucket = name;
  wait := extract(epoch from next_turn - moment);
end $$;

-- The stored name of a counter, which is a keyed hash and another one every day. Counts of the day before are carried over under a
-- lock of the counter, so that limits are exact at midnight, and after the clock was set back. The three names are those of
-- `since` and the two days after.
create function bucket_of_day(names text[], since date, lock text) returns text language plpgsql as $$
declare
  name text;
begin
  perform lock_for(array[lock]);
  name := names[1 + least(greatest((clock_timestamp() at time zone 'UTC')::date - since, 0), 2)];
  -- one row at the most: nodes whose clocks are days apart could have made several
  update rate_windows set bucket = name
    where not exists (select from rate_windows where bucket = name)
      and bucket = (select bucket from rate_windows where bucket = any(names) order by seen_at desc limit 1);
  return name;
end $$;
