-- A token speaks for one image, over all merchants: global.
create table image_tokens (
  chain_id    bigint not null,
  contract    text not null,
  token_id    text not null,
  image_id    uuid not null unique,
  merchant_id uuid not null,
  primary key (chain_id, contract, token_id)
);
