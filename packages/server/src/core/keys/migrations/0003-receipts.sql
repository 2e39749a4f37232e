-- expand

-- Keys that sign receipts. The previous release reads keys by their purpose, and leaves these alone.
alter table signing_keys
  drop constraint signing_keys_purpose_check,
  add constraint signing_keys_purpose_check
    check (purpose in ('proofs', 'requests', 'status_lists', 'receipts')) not valid;
