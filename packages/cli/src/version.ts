import { VERSION } from '@touchstone/certificate';

export { VERSION };

/** Sent to every host from which a page is fetched. */
export const USER_AGENT = `Touchstone-CLI/${VERSION} (product certificate verification, started by a person)`;
