import type { Clock } from '../clock.ts';
import type { Freshness } from './freshness.ts';
import { createFreshCache, type FreshCache, type Loaded, type Tag } from './freshness-cache.ts';
import type { ChangeHub } from './freshness-changes.ts';
import { type RenderedDocument, renderDocument } from './rendered-document.ts';

/** Certificates in memory: a warm one costs no query and no signature. */
export type CertificateCache = FreshCache<RenderedDocument>;

export interface CertificateCacheOptions {
  readonly hub: ChangeHub;
  readonly freshness: Freshness;
  readonly clock: Clock;
  readonly maxBytes: number;
  readonly onAnswer?: (from: 'memory' | 'database') => void;
}

export function createCertificateCache(options: CertificateCacheOptions): CertificateCache {
  return createFreshCache<RenderedDocument>(options);
}

/** Headers, ETag and key of one document in memory, in bytes, about. */
const HEADERS = 400;

/** Whose certificate it is: any of them changing makes the copy worthless. */
export interface CertificateOwner {
  readonly storeId: string;
  readonly merchantId: string;
  readonly snapshot: { readonly productId: string };
}

/** A certificate ready for sending and keeping. */
export function certificateOf(
  owner: CertificateOwner,
  document: unknown,
  proof?: { readonly kid: string; readonly servedUntil: Date },
): Loaded<RenderedDocument> {
  const { productId } = owner.snapshot;
  const rendered = renderDocument(document, {
    'content-type': 'application/ld+json',
    // spec "Limits": certificate cache lifetime
    'cache-control': 'public, max-age=86400',
    // a CDN drops a product's documents by this name (decision 23)
    'surrogate-key': `product-${productId}`,
  });
  const tags: Tag[] = [`p:${productId}`, `s:${owner.storeId}`, `m:${owner.merchantId}`];
  if (proof !== undefined) tags.push(`k:${proof.kid}`);
  return {
    value: rendered,
    tags,
    bytes: rendered.body.byteLength + HEADERS,
    ...(proof === undefined ? {} : { until: proof.servedUntil }),
  };
}
