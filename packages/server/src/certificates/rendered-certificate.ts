import { CERTIFICATE_CACHE_CONTROL } from '@touchstone/contract';
import type { Loaded, Tag } from '../platform/cache/fresh-cache.ts';
import { type RenderedDocument, renderDocument } from '../platform/http/rendered-document.ts';

/** Certificates in memory: a warm one costs no query and no signature. */
export interface CertificateCache {
  /** The kind of document is that of the key: what stands under one was loaded for one kind. */
  get<T>(key: string, load: () => Promise<Loaded<RenderedDocument<T>>>): Promise<RenderedDocument<T>>;
  atHand(key: string): RenderedDocument<unknown> | undefined;
}

/** Headers, ETag and key of one document in memory, in bytes, about. */
const HEADERS = 400;

/** Whose certificate it is: a change of any of them invalidates its copies. */
export interface CertificateOwner {
  readonly storeId: string;
  readonly merchantId: string;
  readonly snapshot: { readonly productId: string };
}

export interface CertificateProof {
  readonly kid: string;
  readonly servedFrom: Date;
  readonly servedUntil: Date;
}

/** A certificate ready for sending and keeping. */
export function renderCertificate<T>(
  owner: CertificateOwner,
  document: T,
  proof?: CertificateProof,
  cacheControl = CERTIFICATE_CACHE_CONTROL,
): Loaded<RenderedDocument<T>> {
  const rendered = renderDocument(document, {
    'content-type': 'application/ld+json',
    'cache-control': cacheControl,
    // a CDN drops a product's documents by this key
    'surrogate-key': `product-${owner.snapshot.productId}`,
  });
  return { value: rendered, bytes: rendered.byteText.length + HEADERS, ...invalidation(owner, proof) };
}

/** What invalidates a copy of an owner's certificate, or of what it is made from. */
export function invalidation(
  { snapshot, storeId, merchantId }: CertificateOwner,
  proof?: CertificateProof,
): Pick<Loaded<unknown>, 'tags' | 'from' | 'until'> {
  const tags: Tag[] = [`p:${snapshot.productId}`, `s:${storeId}`, `m:${merchantId}`];
  if (proof === undefined) return { tags };
  return { tags: [...tags, `k:${proof.kid}`], from: proof.servedFrom, until: proof.servedUntil };
}
