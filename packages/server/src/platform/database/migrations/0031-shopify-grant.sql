-- Apps of Shopify's Dev Dashboard show no access token: one is granted for a day, by the app's client ID and secret.
alter table shopify_connections add column client_id text;
-- until when the access token holds; null: until it is taken back
alter table shopify_connections add column token_until timestamptz;
alter table shopify_connections add constraint shopify_grant
  check (client_id is null or (client_secret is not null and token_until is not null));
