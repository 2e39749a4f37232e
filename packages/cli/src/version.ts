import { VERSION } from '@touchstone/certificate';

export { VERSION };

/** Told to every host that is asked for a page. */
export const USER_AGENT = `Touchstone-CLI/${VERSION} (product certificate verification, started by a person)`;
