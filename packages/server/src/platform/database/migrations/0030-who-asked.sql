-- By whose key many products were hidden, shown or deleted, or that was undone.
alter table registry_changes add column key_id uuid references api_keys (id);
