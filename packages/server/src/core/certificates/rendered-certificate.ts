import { CERTIFICATE_CACHE_CONTROL } from '@touchstone/contract';
import type { Loaded, Tag } from '../../platform/cache/fresh-cache.ts';
import { type RenderedDocument, renderDocument } from '../../platform/http/rendered-document.ts';

/** Rendered certificates in memory: a cached one takes neither a query nor a signature. */
export interface CertificateCache {
  /** The key determines the kind of document. */
  get<T>(
    key: string,
    load: () => Promise<Loaded<RenderedDocument<T>>>,
  ): RenderedDocument<T> | Promise<RenderedDocument<T>>;
}

/** Approximate bytes of the headers, ETag and key of one cached document. */
const HEADERS = 400;

/** The owners of a certificate: a change of any of them invalidates its copies. */
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

/** A certificate ready to be sent and cached. */
export function renderCertificate<T>(
  owner: CertificateOwner,
  document: T,
  proof?: CertificateProof,
  cacheControl = CERTIFICATE_CACHE_CONTROL,
): Loaded<RenderedDocument<T>> {
  const rendered = renderDocument(document, {
    'content-type': 'application/ld+json',
    'cache-control': cacheControl,
    // CDNs purge a product's documents by this key
    'surrogate-key': `product-${owner.snapshot.productId}`,
  });
  return { value: rendered, bytes: rendered.body.latin1.length + HEADERS, ...invalidation(owner, proof) };
}

/** What invalidates a copy of an owner's certificate, or of the data it is made from. */
export function invalidation(
  { snapshot, storeId, merchantId }: CertificateOwner,
  proof?: CertificateProof,
): Pick<Loaded<unknown>, 'tags' | 'from' | 'until'> {
  const tags: Tag[] = [`p:${snapshot.productId}`, `s:${storeId}`, `m:${merchantId}`];
  if (proof === undefined) return { tags };
  return { tags: [...tags, `k:${proof.kid}`], from: proof.servedFrom, until: proof.servedUntil };
}
