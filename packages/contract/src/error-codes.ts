import { IMAGE_REASONS } from '@touchstone/certificate/verify-image';
import { DELIVERY_ORDERS_PER_MINUTE, FRESH_CHECKS_PER_MINUTE } from './limits.ts';

/** Every fault that a call can return, with its sentence. A closed list (docs/codes.md). */
export const ERROR_CODES = {
  // client errors
  bad_request: 'The request cannot be understood.',
  body_too_large: 'The body exceeds the size limit of this call.',
  unsupported_media_type: 'The body must be sent as application/json.',
  request_headers_too_large: 'The request line and headers exceed 16 KB.',
  request_timeout: 'The request did not arrive in time.',
  method_not_allowed: 'This address does not support that method.',
  route_unknown: 'There is nothing at this address; /docs lists all calls.',
  part_left_out: 'This service runs without the part that would answer this call.',
  credentials_missing: 'This call needs an API key: Authorization: Bearer <key>.',
  credentials_invalid: 'The API key is unknown or was revoked.',
  forbidden: 'The API key may not do this.',
  session_missing: 'There is no session of the console, or it has ended: sign in at /console.',
  csrf_token_wrong: 'With a session of the console, this call requires its token: X-CSRF-Token: <csrfToken>.',
  cross_site_refused: 'A session of the console is accepted only in calls from pages of this service.',
  sign_in_rate_limited: 'Too many sign-in attempts: wait as long as Retry-After says.',
  merchant_unknown: 'No such merchant.',
  store_unknown: 'No such store.',
  domain_unknown_to_store: 'The store has no such domain.',
  api_key_unknown: 'No such API key.',
  change_unknown: 'No such change, or it was done more than a week ago.',
  import_unknown: 'No such import, or it ended more than 90 days ago.',
  store_source_unknown: 'The catalogue of this store is not read on a schedule.',
  signing_key_unknown: 'No such signing key.',
  standby_key_too_new:
    'No standby key has been published for a day yet, so that verifiers may not know the next key: rotate later, or revoke the active key if it leaked.',
  requests_not_signed: 'This service does not sign its requests, so there is no key to verify them with.',
  commerce_name_absent:
    'The address of this service gives no name in commerce protocols (UCP, ACP); `detail` says why.',
  webhook_unknown: 'No such webhook.',
  delivery_unknown: 'No such delivery, or it is older than 30 days.',
  webhook_url_refused: 'The address of a webhook must be an https URL.',
  receipts_absent: 'This service gives no receipts: ask without one.',
  receipt_request_refused:
    'The request or its answer has no canonical form (RFC 8785), so that no receipt can name it: ask without one.',
  copy_unknown: 'Nothing of the store was found on this host, or it was too long ago.',
  evidence_unknown: 'No such evidence, or it was deleted.',
  evidence_quota_reached: 'The merchant keeps as much evidence as it may: delete some first.',
  status_list_unknown: 'No such status list, or all proofs that named it have expired.',
  status_history_unsupported: 'Status lists are served as they are now; there is no history.',
  status_list_refused: 'This is no status list that this service has published.',
  log_shard_unknown: 'There is no log of this name, or it has no checkpoint yet.',
  log_tile_unknown: 'The last checkpoint of this log needs no such file.',
  log_proof_unknown: 'No such proof is in the log. It may be signed and not logged yet.',
  product_unknown: 'No certificate is served for this product.',
  page_uncertified:
    'No certificate is served for this page: no product that publishes one on a proven host was signed for this address. Give the address at which the page was found, after redirects. A merchant certifies a page by sending its product and proving control of the host; until then, its own API key finds the certificate.',
  item_unreadable:
    'The item has no form that is read: a Product of schema.org, a product or variant of UCP or ACP, an item of a Google feed, a product of Shopify or WooCommerce; at most 1,000 members, and 5,000 values of a field.',
  page_claimed_twice:
    'Several merchants have a product with this page, and none has proven control of the host: the first to prove it decides. `certificates` lists their certificates.',
  asset_unknown: 'No certificate is served for this asset.',
  asset_not_image: 'The asset is not an image.',
  image_unknown: 'No such image.',
  image_certificate_unknown: 'No certificate is served for this image.',
  certificate_paused: 'The certificate is paused: the plan of its merchant does not cover it at the moment.',
  ...IMAGE_REASONS,
  field_value_missing: 'A verifyField requires fieldValue, the observed value.',
  page_check_unknown: 'No such page check, or it is older than 30 days.',
  image_unhashed: 'This image has not been hashed yet, so a token cannot be compared with it.',
  nft_chain_unknown: 'No chain of this name is configured.',
  nft_transaction_unknown: 'The chain has no such transaction.',
  nft_transaction_failed: 'The transaction was reverted.',
  nft_contract_differs: 'The transaction was sent to another contract.',
  nft_token_unrecorded: 'The transaction records no image for this token.',
  nft_not_minted:
    'The transaction does not mint this token: it has no ERC-721 or ERC-1155 transfer of it from the zero address.',
  nft_owner_unknown:
    'The contract names no owner of the token, neither by ownerOf (ERC-721) nor by balanceOf (ERC-1155).',
  nft_token_taken: 'The token is already recorded for another image; a token refers to only one image.',
  nft_image_differs: 'The hash in the token is not that of this image.',
  nft_unconfirmed: 'The transaction has too few confirmations so far; try again later.',
  hostname_taken:
    'Another merchant has proven control of this hostname. Prove that you control it, and that the other no longer does: put your challenge on the host in place of the other, then verify again.',
  store_exists:
    'The merchant already has a store with this address. Use that store, or give the new one an address of its own, such as https://shop.example/es.',
  idempotency_key_in_use: 'A request with this Idempotency-Key is still in progress.',
  conflict: 'The request conflicts with the current state.',
  idempotency_key_reused: 'The Idempotency-Key was used for a different request.',
  fresh_rate_limited: `At most ${FRESH_CHECKS_PER_MINUTE} fresh page checks a minute: wait as long as Retry-After says, or request a cached one.`,
  batches_busy: 'Too many batches are in progress: wait as long as Retry-After says.',
  batch_answer_full:
    'The results of this batch have reached the size limit: send this item in another batch.',
  fetch_budget_spent: 'Too many page fetches at the moment: wait as long as Retry-After says.',
  site_budget_spent: 'Too many questions about sites at the moment: wait as long as Retry-After says.',
  deliveries_rate_limited: `At most ${DELIVERY_ORDERS_PER_MINUTE} tests and replays of deliveries a minute for each merchant: wait as long as Retry-After says.`,
  shopify_not_connected:
    'The store is not connected to a Shopify shop: PUT …/stores/{id}/shopify connects it.',
  shopify_refused: 'The Shopify shop cannot be connected; `detail` gives the reason and the next step.',
  shopify_signature_wrong: 'The webhook is not signed with the client secret of the app.',
  // server errors
  database_unavailable: 'The database is not reachable.',
  database_busy: 'The database is busy and took too long: retry as Retry-After says.',
  database_full:
    'The disk of the database is full, so nothing can be written: the operator of the service must free space; retry as Retry-After says.',
  database_read_only:
    'The database accepts no changes at the moment because its disk is read-only: the operator of the service must fix that; retry as Retry-After says.',
  signer_unavailable: 'No proof can be signed at the moment.',
  keys_unavailable: 'The public keys cannot be read at the moment.',
  chain_unavailable: 'The chain cannot be read at the moment.',
  blobs_unavailable:
    'The blob store, which holds bytes of images and copies of status lists, cannot be read at the moment.',
  network_unavailable: 'The service cannot reach the network at the moment.',
  overloaded: 'The service is overloaded at the moment: retry as Retry-After says.',
  pages_not_built:
    'The pages, the badge and the downloads of this service were not built; its API works. Its operator runs "npm run build" in its folder and starts it again.',
  not_ready: 'The service is not ready to handle requests at the moment.',
  shutting_down: 'The service is shutting down.',
  internal: 'Something went wrong on our side.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
