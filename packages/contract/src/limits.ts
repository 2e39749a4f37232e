/*
 * The specification's "Limits", except the lifetime of a proof, which is defined in the core
 * (`certificate/proof/proof-rules.ts`).
 */

/** Fresh page checks per caller in any `RATE_WINDOW`. */
export const FRESH_CHECKS_PER_MINUTE = 10;

/** Tests and replays of webhook deliveries per merchant in any `RATE_WINDOW`; our own limit. */
export const DELIVERY_ORDERS_PER_MINUTE = 30;

/** Length of the rate limit window, in seconds. */
export const RATE_WINDOW = 60;

/** Seconds for which product and asset certificates may be cached: one day. */
const CERTIFICATE_MAX_AGE = 86_400;

/** `Cache-Control` of product and asset certificates. */
export const CERTIFICATE_CACHE_CONTROL = `public, max-age=${CERTIFICATE_MAX_AGE}`;
