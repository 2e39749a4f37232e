/** The version of all packages, which are released together: that of the root's package.json, written here by `npm version`. */
export const VERSION = '0.1.0';

/**
 * The verifier's name and version, included in every result and report so that a verdict can be traced to the rules
 * then in force.
 */
export const VERIFIER = `touchstone/${VERSION}`;
