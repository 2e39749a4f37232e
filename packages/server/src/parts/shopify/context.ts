import type { ApiClient, StreamFetcher } from '@touchstone/fetch';
import type { Tinypool } from 'tinypool';
import type { StreamCertificates } from '../../core/certificates/stream-certificates.ts';
import type { Registry } from '../../core/registry/context.ts';
import type { Seal } from '../../platform/crypto/seal.ts';

/** Dependencies of the use cases for Shopify shops. */
export interface ShopifyContext {
  readonly registry: Registry;
  readonly seal: Seal;
  readonly api: ApiClient;
  readonly exports: StreamFetcher;
  /** Threads that parse what shops send. */
  readonly threads: Tinypool;
  readonly streamCertificates: StreamCertificates;
  /** Address of this service, to which webhooks are sent. */
  readonly baseUrl: string;
}

/** The queue of jobs that synchronise shops: one for each connected store. */
export const SHOPIFY = 'shopify';
