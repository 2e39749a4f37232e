-- Merchants that do not want their hosts named to the public.
create table site_opt_outs (
  merchant_id  uuid not null references merchants (id),
  opted_out_at timestamptz not null,
  primary key (merchant_id)
);
