export { isPublicAddress, networkOf } from './address.ts';
export { type ApiAnswer, type ApiClient, type ApiRequest, createApiClient } from './api-client.ts';
export {
  type BytesFetcher,
  type BytesFetcherOptions,
  type BytesResult,
  createBytesFetcher,
  type FetchedBytes,
  type SameBytes,
  type Validators,
} from './bytes.ts';
export { type ConnectTo, parseConnectTo } from './connect-to.ts';
export type { Allowance } from './decode.ts';
export { type Dialer, dialTcp, type OnDial, type TakePermit } from './dial.ts';
export type { RequestContent } from './exchange.ts';
export { type FailedFetch, type FetchFailureCode, FetchFault } from './failure.ts';
export {
  DEFAULT_FETCH_LIMITS,
  type FetcherOptions,
  type FetchLimits,
  type FetchOptions,
  type SignRequest,
} from './fetcher.ts';
export {
  createPageFetcher,
  type FetchedPage,
  type FetchResult,
  type PageFetcher,
  type PageFetcherOptions,
  type ResponseHeaders,
} from './page.ts';
export { type Resolution, type Resolver, resolveTxt } from './resolver.ts';
export { createStreamFetcher, type StreamFetcher, type StreamRead } from './stream.ts';
export type { MinimumRate } from './time-limits.ts';
