import type { Wire } from '@touchstone/certificate/schema';
import { ImageVerificationResultSchema, ValidationErrorSchema } from '@touchstone/certificate/schema';
import { IMAGE_REASONS } from '@touchstone/certificate/verify-image';
import { z } from 'zod';
import { FRESH_CHECKS_PER_MINUTE } from './limits.ts';

/** Every fault that a call can answer, with its sentence. The list is closed (docs/codes.md). */
export const ERROR_CODES = {
  // the caller's
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
  // ours
  database_unavailable: 'The database is not reachable.',
  database_busy: 'The database is busy and took too long over this: ask again as Retry-After says.',
  database_full:
    'The disk of the database is full, so nothing can be written: the operator of the service must make room; ask again as Retry-After says.',
  database_read_only:
    'The database takes no changes at the moment, as its disk or its server is read-only: the operator of the service must mend that; ask again as Retry-After says.',
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

/** The one place where a fault becomes an HTTP status. Exhaustive: a code without one does not compile. */
export const STATUS_OF = {
  bad_request: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  request_headers_too_large: 431,
  request_timeout: 408,
  method_not_allowed: 405,
  route_unknown: 404,
  credentials_missing: 401,
  credentials_invalid: 401,
  forbidden: 403,
  session_missing: 401,
  csrf_token_wrong: 403,
  cross_site_refused: 403,
  sign_in_rate_limited: 429,
  merchant_unknown: 404,
  store_unknown: 404,
  domain_unknown_to_store: 404,
  api_key_unknown: 404,
  change_unknown: 404,
  import_unknown: 404,
  store_source_unknown: 404,
  signing_key_unknown: 404,
  requests_not_signed: 404,
  webhook_unknown: 404,
  delivery_unknown: 404,
  webhook_url_refused: 422,
  product_unknown: 404,
  page_uncertified: 404,
  page_claimed_twice: 409,
  asset_unknown: 404,
  asset_not_image: 415,
  image_unknown: 404,
  image_certificate_unknown: 404,
  certificate_paused: 402,
  proof_invalid: 422,
  domain_not_authorized: 403,
  domain_unverified: 412,
  field_differs: 403,
  field_unsupported: 422,
  field_value_missing: 422,
  page_check_unknown: 404,
  image_unhashed: 409,
  nft_chain_unknown: 422,
  nft_transaction_unknown: 422,
  nft_transaction_failed: 422,
  nft_contract_differs: 422,
  nft_token_unrecorded: 422,
  nft_not_minted: 422,
  nft_owner_unknown: 422,
  nft_token_taken: 409,
  nft_image_differs: 422,
  nft_unconfirmed: 409,
  hostname_taken: 409,
  idempotency_key_in_use: 409,
  conflict: 409,
  idempotency_key_reused: 422,
  fresh_rate_limited: 429,
  batches_busy: 429,
  batch_answer_full: 429,
  fetch_budget_spent: 429,
  shopify_not_connected: 404,
  shopify_refused: 422,
  shopify_signature_wrong: 401,
  database_unavailable: 503,
  database_busy: 503,
  database_full: 503,
  database_read_only: 503,
  signer_unavailable: 503,
  keys_unavailable: 503,
  chain_unavailable: 503,
  blobs_unavailable: 503,
  network_unavailable: 503,
  overloaded: 503,
  not_ready: 503,
  shutting_down: 503,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

/** Reason phrases of RFC 9110 for the statuses above; `title` of a problem (RFC 9457 section 3.1.3). */
export const TITLES: Readonly<Record<(typeof STATUS_OF)[ErrorCode], string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457, with `code` and `requestId`, and what a program needs to know beside the code (section 3.2). */
export const ProblemSchema = z
  .object({
    type: z.string().meta({ description: 'Link to the page that explains the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'What is wrong this time, for a person to read.' }),
    code: z.enum(codes).meta({ description: 'Closed list; for programs.' }),
    requestId: z.string().meta({ description: 'Names this request in the logs.' }),
    errors: ValidationErrorSchema.shape.detail
      .optional()
      .meta({ description: 'Every fault of a body that is answered 400.' }),
    result: ImageVerificationResultSchema.optional(),
    certificates: z
      .array(z.string())
      .optional()
      .meta({ description: 'Paths of certificates to choose from.' }),
    expected: z.string().optional().meta({ description: 'What was compared with.' }),
    actual: z.string().optional().meta({ description: 'What was found instead.' }),
  })
  .meta({ id: 'Problem', description: 'Every fault but a validation one (RFC 9457).' });

export type Problem = Wire<z.output<typeof ProblemSchema>>;

/** The members of a problem that only some faults bring along. */
export type ProblemMembers = Pick<Problem, 'errors' | 'result' | 'certificates' | 'expected' | 'actual'>;
