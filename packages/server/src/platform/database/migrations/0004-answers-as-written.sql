-- json keeps a text as it was written, where jsonb puts names in an order of its own: the replay of an answer is then the
-- same bytes (decision 38). Answers kept so far stay as they are.
alter table idempotency_keys alter column response type json using response::json;
