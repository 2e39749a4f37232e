/*
 * The specification's "Limits", but for the lifetime of a proof, which the core holds (`certificate/proof/proof-rules.ts`).
 */

/** Fresh page checks of one caller in any 60 seconds. */
export const FRESH_CHECKS_PER_MINUTE = 10;

/** Seconds for which product and asset certificates may be cached: a day. */
export const CERTIFICATE_MAX_AGE = 86_400;
