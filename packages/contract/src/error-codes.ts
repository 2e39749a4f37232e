import { IMAGE_REASONS } from '@touchstone/certificate/verify-image';
import { FRESH_CHECKS_PER_MINUTE } from './limits.ts';

/** Every fault that a call can return, with its sentence. A closed list (docs/codes.md). */
export const ERROR_CODES = {
  // client errors
  bad_request: 'The request cannot be understood.',
  body_too_large: 'The body is over the limit of this call.',
  unsupported_media_type: 'The body must be sent as application/json.',
  request_headers_too_large: 'The request line and headers are over 16 KB.',
  request_timeout: 'The request did not arrive in time.',
  method_not_allowed: 'This address does not answer that method.',
  route_unknown: 'There is nothing at this address; the calls that there are stand in /docs.',
  credentials_missing: 'This call needs an API key: Authorization: Bearer <key>.',
  credentials_invalid: 'The API key is unknown or was revoked.',
  forbidden: 'The API key may not do this.',
  session_missing: 'There is no session of the console, or it has ended: sign in at /console.',
  csrf_token_wrong: 'With a session of the console, this call needs its token: X-CSRF-Token: <csrfToken>.',
  cross_site_refused: 'A session of the console counts in calls from pages of this service only.',
  sign_in_rate_limited: 'Too many attempts to sign in: wait as Retry-After says.',
  merchant_unknown: 'No such merchant.',
  store_unknown: 'No such store.',
  domain_unknown_to_store: 'The store has no such domain.',
  api_key_unknown: 'No such API key.',
  change_unknown: 'No such change, or it was done more than a week ago.',
  import_unknown: 'No such import, or it ended more than 90 days ago.',
  store_source_unknown: 'The catalogue of this store is not read on a schedule.',
  signing_key_unknown: 'No such signing key.',
  requests_not_signed: 'This service does not sign its requests, so there is no key to verify them with.',
  webhook_unknown: 'No such webhook.',
  delivery_unknown: 'No such delivery, or it is older than 30 days.',
  webhook_url_refused: 'The address of a webhook must be an https URL.',
  product_unknown: 'No certificate is served for this product.',
  page_uncertified:
    'No certificate is served for this page: no product that publishes one was signed for this address. Give the address at which the page was found, after redirects; a merchant certifies a page by sending its product.',
  page_claimed_twice:
    'Several merchants have a product with this page, and none has proven that it controls the host: the first to do so settles it. `certificates` lists them.',
  asset_unknown: 'No certificate is served for this asset.',
  asset_not_image: 'The asset is not an image.',
  image_unknown: 'No such image.',
  image_certificate_unknown: 'No certificate is served for this image.',
  certificate_paused: 'The certificate is paused: the plan of its merchant does not carry it at the moment.',
  ...IMAGE_REASONS,
  field_value_missing: 'A verifyField needs the fieldValue that was observed for it.',
  page_check_unknown: 'No such page check, or it is older than 30 days.',
  image_unhashed: 'The bytes of this image have no hashes yet, so there is nothing to compare a token with.',
  nft_chain_unknown: 'No chain of this name is set up.',
  nft_transaction_unknown: 'The chain knows no such transaction.',
  nft_transaction_failed: 'The transaction was reverted.',
  nft_contract_differs: 'The transaction is to another contract.',
  nft_token_unrecorded: 'The transaction records no image for this token.',
  nft_not_minted:
    'The transaction mints no such token: it has neither a Transfer of ERC-721 nor one of ERC-1155 from the zero address for it.',
  nft_owner_unknown:
    'The contract names no owner of the token: neither ownerOf of ERC-721 nor balanceOf of ERC-1155 tells of one.',
  nft_token_taken: 'The token is recorded for another image already; a token speaks for one image.',
  nft_image_differs: 'The token carries the hash of other bytes than this image.',
  nft_unconfirmed: 'The transaction has too few confirmations yet; ask again later.',
  hostname_taken:
    'Another merchant has proven control of this hostname; the operator can take it from that store.',
  idempotency_key_in_use: 'A request with this Idempotency-Key is still under way.',
  conflict: 'The request conflicts with the present state.',
  idempotency_key_reused: 'The Idempotency-Key was used for a different request.',
  fresh_rate_limited: `At most ${FRESH_CHECKS_PER_MINUTE} fresh page checks a minute: wait as Retry-After says, or ask for a cached one.`,
  batches_busy: 'Too many batches are in progress: wait as Retry-After says.',
  batch_answer_full:
    'The results of this batch are as large as they may be: ask for this item in another batch.',
  fetch_budget_spent: 'Too many page fetches at the moment: wait as Retry-After says.',
  shopify_not_connected: 'The store is connected to no Shopify shop: PUT …/stores/{id}/shopify connects it.',
  shopify_refused: 'The Shopify shop cannot be connected; `detail` says why, and what to do.',
  shopify_signature_wrong: 'The webhook is not signed with the client secret of the app.',
  // server errors
  database_unavailable: 'The database is not reachable.',
  database_busy: 'The database is busy and took too long over this: ask again as Retry-After says.',
  database_full:
    'The disk of the database is full, so nothing can be written: the operator of the service must make room; ask again as Retry-After says.',
  database_read_only:
    'The database takes no changes at the moment, as its disk or its server is read-only: the operator of the service must fix that; ask again as Retry-After says.',
  signer_unavailable: 'No proof can be signed at the moment.',
  keys_unavailable: 'The public keys cannot be read at the moment.',
  chain_unavailable: 'The chain cannot be read at the moment.',
  blobs_unavailable: 'The bytes of images cannot be read at the moment.',
  network_unavailable: 'The service cannot reach the network at the moment.',
  overloaded: 'The service has more to do than it can at the moment: ask again as Retry-After says.',
  not_ready: 'The service cannot serve at the moment.',
  shutting_down: 'The service is shutting down.',
  internal: 'Something went wrong on our side.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;
