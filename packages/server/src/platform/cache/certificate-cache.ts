import type { Clock } from '../clock.ts';
import { type RenderedDocument, renderDocument } from '../http/rendered-document.ts';
import type { Freshness } from './change-listener.ts';
import type { ChangeHub } from './changes.ts';
import { createFreshCache, type Loaded, type Tag } from './fresh-cache.ts';

/** Certificates in memory: a warm one costs no query and no signature. */
export interface CertificateCache {
  /** The kind of document is that of the key: what stands under one was loaded for one kind. */
  get<T>(key: string, load: () => Promise<Loaded<RenderedDocument<T>>>): Promise<RenderedDocument<T>>;
}

export interface CertificateCacheOptions {
  readonly hub: ChangeHub;
  readonly freshness: Freshness;
  readonly clock: Clock;
  readonly maxBytes: number;
  readonly onAnswer?: (from: 'memory' | 'database') => void;
}

export function createCertificateCache(options: CertificateCacheOptions): CertificateCache {
  return createFreshCache<RenderedDocument<unknown>>(options) as CertificateCache;
}

/** Headers, ETag and key of one document in memory, in bytes, about. */
const HEADERS = 400;

/** Whose certificate it is: any of them changing makes the copy worthless. */
export interface CertificateOwner {
  readonly storeId: string;
  readonly merchantId: string;
  readonly snapshot: { readonly productId: string };
}

/** Spec "Limits": certificate cache lifetime. */
const FOR_A_DAY = 'public, max-age=86400';

/** A certificate ready for sending and keeping. */
export function certificateOf<T>(
  owner: CertificateOwner,
  document: T,
  proof?: CertificateProof,
  cacheControl = FOR_A_DAY,
): Loaded<RenderedDocument<T>> {
  const rendered = renderDocument(document, {
    'content-type': 'application/ld+json',
    'cache-control': cacheControl,
    // a CDN drops a product's documents by this name (decision 23)
    'surrogate-key': `product-${owner.snapshot.productId}`,
  });
  return { value: rendered, bytes: rendered.body.byteLength + HEADERS, ...worthOf(owner, proof) };
}

export interface CertificateProof {
  readonly kid: string;
  readonly servedUntil: Date;
}

/** What makes a copy of an owner's certificate, or of what it is made from, worthless. */
export function worthOf(
  { snapshot, storeId, merchantId }: CertificateOwner,
  proof?: CertificateProof,
): Pick<Loaded<unknown>, 'tags' | 'until'> {
  const tags: Tag[] = [`p:${snapshot.productId}`, `s:${storeId}`, `m:${merchantId}`];
  return proof === undefined ? { tags } : { tags: [...tags, `k:${proof.kid}`], until: proof.servedUntil };
}
