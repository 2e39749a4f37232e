import type { Wire } from '@touchstone/certificate/schema';
import { ImageVerificationResultSchema, ValidationErrorSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from './error-codes.ts';

/** HTTP status of each fault, used everywhere. Exhaustive: a code without a status does not compile. */
export const STATUS_OF = {
  bad_request: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  request_headers_too_large: 431,
  request_timeout: 408,
  method_not_allowed: 405,
  route_unknown: 404,
  part_left_out: 404,
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
  standby_key_too_new: 409,
  requests_not_signed: 404,
  commerce_name_absent: 404,
  webhook_unknown: 404,
  delivery_unknown: 404,
  webhook_url_refused: 422,
  receipts_absent: 404,
  receipt_request_refused: 422,
  copy_unknown: 404,
  evidence_unknown: 404,
  evidence_quota_reached: 409,
  status_list_unknown: 404,
  log_shard_unknown: 404,
  log_tile_unknown: 404,
  log_proof_unknown: 404,
  status_history_unsupported: 501,
  status_list_refused: 422,
  product_unknown: 404,
  page_uncertified: 404,
  item_unreadable: 422,
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
  store_exists: 409,
  idempotency_key_in_use: 409,
  conflict: 409,
  idempotency_key_reused: 422,
  fresh_rate_limited: 429,
  batches_busy: 429,
  batch_answer_full: 429,
  fetch_budget_spent: 429,
  site_budget_spent: 429,
  deliveries_rate_limited: 429,
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
  pages_not_built: 503,
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
  501: 'Not Implemented',
  503: 'Service Unavailable',
};

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

const codes = Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]];

/** RFC 9457, with `code` and `requestId`, and further extension members for programs (section 3.2). */
export const ProblemSchema = z
  .object({
    type: z.string().meta({ description: 'Link to the page that explains the code.' }),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'Explanation of this occurrence, for people.' }),
    code: z.enum(codes).meta({ description: 'For programs; from a closed list.' }),
    requestId: z.string().meta({ description: 'Identifies this request in the logs.' }),
    errors: ValidationErrorSchema.shape.detail
      .optional()
      .meta({ description: 'All errors of a body rejected with 400.' }),
    result: ImageVerificationResultSchema.optional(),
    certificates: z
      .array(z.string())
      .optional()
      .meta({ description: 'Paths of certificates to choose from.' }),
    productId: z
      .uuid()
      .optional()
      .meta({ description: "The caller's own product with this address, which publishes no certificate." }),
    storeId: z.uuid().optional().meta({ description: 'The store that exists already.' }),
    expected: z.string().optional().meta({ description: 'The expected value.' }),
    actual: z.string().optional().meta({ description: 'The value found instead.' }),
  })
  .meta({ id: 'Problem', description: 'Any error except a validation error (RFC 9457).' });

/** The body of a 422 where it may be either; `code` tells them apart. */
export const ValidationOrProblemSchema = z.union([ValidationErrorSchema, ProblemSchema]).meta({
  id: 'ValidationOrProblem',
  description:
    'The request is malformed (`detail` is a list, as application/json), or it was refused for what it says (`code` is present, as application/problem+json).',
});

export type Problem = Wire<z.output<typeof ProblemSchema>>;

/** The members of a problem that only some faults have. */
export type ProblemMembers = Pick<
  Problem,
  'errors' | 'result' | 'certificates' | 'productId' | 'storeId' | 'expected' | 'actual'
>;
