-- expand

-- Merchants that do not want their hosts to be named to others.
create table site_opt_outs (
  merchant_id  uuid not null references merchants (id),
  opted_out_at timestamptz not null,
  primary key (merchant_id)
);
