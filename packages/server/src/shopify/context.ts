import type { ApiClient, StreamFetcher } from '@touchstone/page/fetch';
import type { StreamCertificates } from '../certificates/stream-certificates.ts';
import type { Seal } from '../platform/crypto/seal.ts';
import type { Registry } from '../registry/context.ts';

/** What the use cases around Shopify shops stand on. */
export interface ShopifyContext {
  readonly registry: Registry;
  readonly seal: Seal;
  readonly api: ApiClient;
  readonly exports: StreamFetcher;
  readonly streamCertificates: StreamCertificates;
  /** Of this service, for webhooks. */
  readonly baseUrl: string;
}

/** Queue of the jobs that keep shops current: one for each store that is connected. */
export const SHOPIFY = 'shopify';
