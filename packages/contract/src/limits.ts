/*
 * The specification's "Limits", but for the lifetime of a proof, which the core holds (`certificate/proof/proof-rules.ts`).
 */

/** Fresh page checks of one caller in any `RATE_WINDOW`. */
export const FRESH_CHECKS_PER_MINUTE = 10;

/** The window that requests and fetches are counted in, in seconds. */
export const RATE_WINDOW = 60;

/** Seconds for which product and asset certificates may be cached: a day. */
const CERTIFICATE_MAX_AGE = 86_400;

/** `Cache-Control` of product and asset certificates. */
export const CERTIFICATE_CACHE_CONTROL = `public, max-age=${CERTIFICATE_MAX_AGE}`;
