import type { ItemAnswer } from '@touchstone/contract';

/**
 * Verifies an item of a feed, catalogue or commerce protocol: the part of the service that reads them.
 *
 * @param source - address or host of whoever offers it, as the caller says
 * @throws ServiceError `item_unreadable`, `keys_unavailable`, `database_unavailable`
 */
export type VerifyItem = (item: unknown, source: string | undefined) => Promise<ItemAnswer>;
