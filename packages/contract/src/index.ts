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
export * from './operations/console.ts';
export * from './operations/docs.ts';
export * from './operations/downloads.ts';
export {
  ASKED_EVENTS,
  EVENTS,
  type EventData,
  type EventType,
  EventTypeSchema,
  eventSchema,
  ITEMS_OF,
} from './operations/events.ts';
export * from './operations/health.ts';
export * from './operations/images.ts';
export * from './operations/keys.ts';
export * from './operations/merchants.ts';
export * from './operations/operator.ts';
export * from './operations/page-checks.ts';
export * from './operations/pages.ts';
export type { PageQuery } from './operations/parts.ts';
export * from './operations/product-actions.ts';
export * from './operations/product-proofs.ts';
export * from './operations/products.ts';
export * from './operations/sessions.ts';
export * from './operations/shopify.ts';
export * from './operations/sources.ts';
export * from './operations/store-certificates.ts';
export * from './operations/stores.ts';
export * from './operations/sweeps.ts';
export * from './operations/verification.ts';
export * from './operations/webhooks.ts';
export { OPERATIONS } from './operations.ts';
