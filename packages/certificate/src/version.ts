/** The version of all packages, which are released together; the same as in package.json (a test compares them). */
export const VERSION = '0.1.0';

/** Who judged: named in every result and report, so that a verdict can be traced to the rules of its time. */
export const VERIFIER = `touchstone/${VERSION}`;
