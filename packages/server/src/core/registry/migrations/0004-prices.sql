-- expand

-- As the shop sent it: {amount, currency}; null: it sent none.
alter table products add column price jsonb;
-- when this price was first sent
alter table products add column priced_at timestamptz;
alter table products add column availability text;

-- Certificates of the store sign the price, with its date.
alter table stores add column sign_prices boolean not null default false;
