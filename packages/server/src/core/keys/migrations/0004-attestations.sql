-- expand

-- Keys that sign statements for others (signals of UCP). The previous release reads keys by their purpose, and leaves these alone.
alter table signing_keys
  drop constraint signing_keys_purpose_check,
  add constraint signing_keys_purpose_check
    check (purpose in ('proofs', 'requests', 'status_lists', 'transparency_log', 'receipts', 'attestations')) not valid;
