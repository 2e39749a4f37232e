/** Kept equal to package.json by a test. */
export const VERSION = '0.1.0';

/** Told to every host that is asked for a page. */
export const USER_AGENT = `Touchstone-CLI/${VERSION} (product certificate verification, started by a person)`;
