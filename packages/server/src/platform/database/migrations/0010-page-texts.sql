-- What pages say is kept once, however many observations and reports say it; and what callers have kept is counted in bytes.

create table page_texts (
  -- SHA-256 of the text
  digest     bytea primary key,
  -- UTF-8, deflated (RFC 1951)
  body       bytea not null,
  keep_until timestamptz not null
);
-- compressed already
alter table page_texts alter column body set storage external;
create index page_texts_by_age on page_texts (keep_until);

-- the text of the reading; null: none, or it stands in the observation, as it did before
alter table observations add column reading bytea;
-- the text of the facts; null: they stand in the report
alter table page_checks add column facts bytea;
-- that a report takes up, its text included where no other had it
alter table page_checks add column bytes integer not null default 0;
update page_checks set bytes = octet_length(report);
create index page_checks_bytes_by_age on page_checks (created_at) include (bytes);
drop index page_checks_by_age;

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
