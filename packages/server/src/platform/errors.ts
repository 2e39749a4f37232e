import { IMAGE_REASONS, type ImageVerificationResult } from '@touchstone/certificate/verify-image';

/**
 * Faults of the service. Outcomes are data; faults throw a `ServiceError`, mapped to a status once, at the
 * edge (`http/problem.ts`), by an exhaustive record over these codes.
 */
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
  merchant_unknown: 'No such merchant.',
  store_unknown: 'No such store.',
  domain_unknown_to_store: 'The store has no such domain.',
  api_key_unknown: 'No such API key.',
  signing_key_unknown: 'No such signing key.',
  product_unknown: 'No certificate is served for this product.',
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
  nft_image_differs: 'The token carries the hash of other bytes than this image.',
  nft_unconfirmed: 'The transaction has too few confirmations yet; ask again later.',
  hostname_taken:
    'Another merchant has proven control of this hostname; the operator can take it from that store.',
  idempotency_key_in_use: 'A request with this Idempotency-Key is still under way.',
  conflict: 'The request conflicts with the present state.',
  idempotency_key_reused: 'The Idempotency-Key was used for a different request.',
  fresh_rate_limited:
    'At most 10 fresh page checks a minute: wait as Retry-After says, or ask for a cached one.',
  fetch_budget_spent: 'Too many page fetches at the moment: wait as Retry-After says.',
  // ours
  database_unavailable: 'The database is away.',
  signer_unavailable: 'No proof can be signed at the moment.',
  keys_unavailable: 'The public keys cannot be read at the moment.',
  chain_unavailable: 'The chain cannot be read at the moment.',
  blobs_unavailable: 'The bytes of images cannot be read at the moment.',
  network_unavailable: 'The service cannot reach the network at the moment.',
  not_ready: 'The service cannot serve at the moment.',
  shutting_down: 'The service is shutting down.',
  internal: 'Something went wrong on our side.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** How much of a rate limit is left, told with every answer under it (decision 18). */
export interface RateLimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds of the window. */
  readonly window: number;
  /** Seconds until the oldest hit leaves the window. */
  readonly reset: number;
}

export interface ServiceErrorOptions {
  /** Instead of the code's own sentence. */
  readonly message?: string;
  readonly cause?: unknown;
  readonly retryAfter?: number;
  readonly rateLimit?: RateLimitState;
  readonly members?: ProblemMembers;
}

/** One entry of `detail` (spec "Validation error body"), with the type names that FastAPI's clients already parse. */
export interface ErrorDetail {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** What a program needs to know beside the code: further members of a problem (RFC 9457 section 3.2). */
export interface ProblemMembers {
  /** Every fault of a body that is answered 400. */
  readonly errors?: readonly ErrorDetail[];
  /** Of an image-keyed verification that did not verify. */
  readonly result?: ImageVerificationResult;
  /** What was compared. */
  readonly expected?: string;
  readonly actual?: string;
}

/** Thrown for a fault; `publicMessage` is safe to show, `cause` is for the log only. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly publicMessage: string;
  /** Seconds after which a retry makes sense (Retry-After). */
  readonly retryAfter?: number;
  /** The limit that was reached. */
  readonly rateLimit?: RateLimitState;
  readonly members?: ProblemMembers;

  constructor(code: ErrorCode, options: ServiceErrorOptions = {}) {
    const publicMessage = options.message ?? ERROR_CODES[code];
    super(`${code}: ${publicMessage}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.publicMessage = publicMessage;
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter;
    if (options.rateLimit !== undefined) this.rateLimit = options.rateLimit;
    if (options.members !== undefined) this.members = options.members;
  }
}
