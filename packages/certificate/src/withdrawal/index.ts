export type { StatusClaim, StatusEntry } from '../claims/build-claims.ts';
export * from '../verify/withdrawal-reasons.ts';
export { encodeStatusList, type StatusListContent, signStatusList } from './make-status-list.ts';
export {
  type PrefetchedList,
  type PrefetchedLists,
  type PrefetchOptions,
  prefetchStatusLists,
} from './prefetch.ts';
export {
  MAX_STATUS_LIST_TOKEN,
  type ReadStatusListOptions,
  readStatusList,
  type StatusList,
  type StatusListFault,
} from './read-status-list.ts';
export { statusEntryOf } from './status-claim.ts';
export {
  entryAt,
  isStatusListUri,
  STATUS_LIST_BYTES,
  STATUS_LIST_LIFETIME,
  STATUS_LIST_SIZE,
  STATUS_LIST_TTL,
  STATUS_LIST_TYP,
  STATUS_VALUES,
  setEntry,
  statusListJwksUrl,
  statusListUri,
} from './status-list.ts';
export { createStatusLists, type StatusLists, type StatusListsOptions } from './status-lists.ts';
export { type Withdrawable, type WithdrawalPolicy, withWithdrawal } from './with-withdrawal.ts';
