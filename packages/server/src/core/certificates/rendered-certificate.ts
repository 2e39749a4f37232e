import { VC_JWT } from '@touchstone/certificate/envelope';
import { CERTIFICATE_CACHE_CONTROL } from '@touchstone/contract';
import type { Loaded, Tag } from '../../platform/cache/fresh-cache.ts';
import { type RenderedDocument, renderDocument, renderText } from '../../platform/http/rendered-document.ts';

/** Rendered certificates in memory: a cached one takes neither a query nor a signature. */
export interface CertificateCache {
  /** The key determines the kind of document. */
  get<T>(
    key: string,
    load: () => Promise<Loaded<RenderedDocument<T>>>,
  ): RenderedDocument<T> | Promise<RenderedDocument<T>>;
}

/** Copies may be cached but must be revalidated. */
export const ASK_EACH_TIME = 'public, no-cache';

/**
 * For shared caches that understand it (RFC 9213): while this service fails, they may answer for another minute (RFC 5861). The
 * specification states the value of `Cache-Control` itself.
 */
const CDN_HEADER = 'cdn-cache-control';
const CDN_CACHE_CONTROL = `${CERTIFICATE_CACHE_CONTROL}, stale-if-error=60`;

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
  return cacheable(
    renderDocument(document, headersOf(owner, 'application/ld+json', cacheControl)),
    owner,
    proof,
  );
}

/** A certificate as a credential in an envelope, ready to be sent and cached. */
export function renderEnvelope(
  owner: CertificateOwner,
  envelope: string,
  proof: CertificateProof,
): Loaded<RenderedDocument<string>> {
  return cacheable(renderText(envelope, headersOf(owner, VC_JWT, CERTIFICATE_CACHE_CONTROL)), owner, proof);
}

function headersOf(owner: CertificateOwner, contentType: string, cacheControl: string) {
  return {
    'content-type': contentType,
    'cache-control': cacheControl,
    ...(cacheControl === ASK_EACH_TIME ? {} : { [CDN_HEADER]: CDN_CACHE_CONTROL }),
    // CDNs purge a product's documents by this key
    'surrogate-key': `product-${owner.snapshot.productId}`,
  };
}

function cacheable<T>(
  rendered: RenderedDocument<T>,
  owner: CertificateOwner,
  proof: CertificateProof | undefined,
): Loaded<RenderedDocument<T>> {
  return { value: rendered, bytes: rendered.body.latin1.length + HEADERS, ...invalidation(owner, proof) };
}

/** A copy of which a change may have been missed: shared caches must not keep it for a day. */
export function asStaleCertificate<T>(document: RenderedDocument<T>): RenderedDocument<T> {
  const { [CDN_HEADER]: _, ...headers } = document.headers;
  return { ...document, headers: { ...headers, 'cache-control': ASK_EACH_TIME } };
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
