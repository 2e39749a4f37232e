export { ERROR_CODES, type ErrorCode } from './error-codes.ts';
export {
  PROBLEM_MEDIA_TYPE,
  type Problem,
  type ProblemMembers,
  ProblemSchema,
  STATUS_OF,
  TITLES,
} from './errors.ts';
export {
  CERTIFICATE_CACHE_CONTROL,
  DELIVERY_ORDERS_PER_MINUTE,
  FRESH_CHECKS_PER_MINUTE,
  RATE_WINDOW,
} from './limits.ts';
export {
  type CheckedInput,
  defineOperation,
  type InputOf,
  type Operation,
  pathOf,
  type ReplyOf,
  type ReplyShape,
  type Wire,
} from './operation.ts';
export { BATCH_ANSWER_LIMIT, MAX_BATCH } from './operations/batch.ts';
export * from './operations/certificates.ts';
export * from './operations/changes.ts';
export * from './operations/docs.ts';
export * from './operations/health.ts';
export * from './operations/images.ts';
export * from './operations/keys.ts';
export * from './operations/merchants.ts';
export * from './operations/page-checks.ts';
export * from './operations/product-actions.ts';
export * from './operations/product-proofs.ts';
export * from './operations/products.ts';
export * from './operations/receipt.ts';
export type { PageQuery } from './operations/shared.ts';
export * from './operations/store-certificates.ts';
export * from './operations/stores.ts';
export * from './operations/verification.ts';
export * from './operations/withdrawals.ts';
export { CORE_OPERATIONS, OPERATIONS } from './operations.ts';
export * from './parts/console/operator.ts';
export * from './parts/console/pages.ts';
export * from './parts/console/sessions.ts';
export * from './parts/console/store-views.ts';
export { HOST_STATEMENTS, type HostStatementCode } from './parts/copies/codes.ts';
export * from './parts/copies/operations.ts';
export * from './parts/items/feed-operation.ts';
export * from './parts/items/operations.ts';
export * from './parts/nft/operations.ts';
export * from './parts/pages/downloads.ts';
export * from './parts/pages/pages.ts';
export { PICTURE_CODES, type PictureCode } from './parts/picture-matches/codes.ts';
export * from './parts/picture-matches/operations.ts';
export * from './parts/publish/operations.ts';
export * from './parts/receipts/operations.ts';
export * from './parts/shopify/operations.ts';
export * from './parts/sites/operations.ts';
export * from './parts/sources/operations.ts';
export * from './parts/status-lists/operations.ts';
export * from './parts/sweeps/operations.ts';
export * from './parts/transparency-log/operations.ts';
export * from './parts/ucp/operations.ts';
export {
  ASKED_EVENTS,
  EVENTS,
  type EventData,
  type EventType,
  EventTypeSchema,
  eventSchema,
  ITEMS_OF,
} from './parts/webhooks/events.ts';
export * from './parts/webhooks/operations.ts';
export * from './parts.ts';
