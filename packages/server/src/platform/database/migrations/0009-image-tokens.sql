-- A token speaks for one image, over all merchants. What was recorded before was seen without its owner: it shows again once it
-- is recorded anew.
create table image_tokens (
  chain_id bigint not null,
  contract text not null,
  token_id text not null,
  image_id uuid not null unique references images (id) on delete cascade,
  primary key (chain_id, contract, token_id)
);
