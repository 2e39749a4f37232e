-- Whoever can write to the database shall not redirect what the service does by moving rows.

-- Derived from the master key (registry/domains/challenge.ts). Challenges from before this, on the hosts, are no longer looked for:
-- each merchant shows the new one within the 14 days after the first check that misses it.
alter table domains drop column challenge;

-- Encrypted with further additional data: merchant, shop, address and texts. What was encrypted without them does not open
-- any more. Nothing was released: shops are connected, and webhooks and sources entered, once more. Rows with texts from
-- before 0042 (a byte 0) stay, to be encrypted at the start for which the operator vouches.
delete from shopify_connections;
delete from webhook_deliveries using webhooks w where w.id = webhook_id and get_byte(w.url, 0) <> 0;
delete from webhooks where get_byte(url, 0) <> 0;
delete from store_sources where get_byte(url, 0) <> 0;
delete from imports where get_byte(url, 0) <> 0;
delete from store_request_headers;
truncate observations, page_checks, page_texts;

-- in `sealed`
alter table store_request_headers drop column agent;

-- what the operator must look at though the node is ready, in sentences
alter table nodes add column findings jsonb not null default '[]';
