import { productCertificatePath } from '@touchstone/certificate';
import { decodeBase64url } from '@touchstone/certificate/issue';

/** A certificate of the service: the members that this package reads. */
export interface ServedCertificate {
  readonly url: string;
  readonly proof: { readonly jwt: string };
  readonly [member: string]: unknown;
}

/** The service's answer to a request for a certificate. */
export type Answer =
  | {
      readonly kind: 'certificate';
      readonly certificate: ServedCertificate;
      readonly etag: string | null;
      /** When its proof expires, in milliseconds since 1970. */
      readonly endsAt: number;
    }
  /** There is no certificate at present: the product is unknown or not active. */
  | { readonly kind: 'none' };

/** The service itself is unavailable; any other error concerns one certificate. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
}

/** Maximum length of a certificate in characters; one with a thousand images is shorter. */
const MAX_CHARACTERS = 1_000_000;

export interface ServiceOptions {
  /** Base address of the service. */
  readonly service: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds after which the request is aborted. */
  readonly timeout: number;
}

/** Which certificate is requested. */
export interface ServiceQuery {
  readonly pageUrl: string;
  readonly productId?: string | undefined;
}

export function certificateAddress(service: string, { productId, pageUrl }: ServiceQuery): string {
  const base = service.replace(/\/+$/, '');
  return productId === undefined
    ? `${base}/api/v1/mc4p/certificates?url=${encodeURIComponent(pageUrl)}`
    : base + productCertificatePath(productId.toLowerCase());
}

/**
 * Requests a certificate from the service; if it has not changed, returns the known answer.
 *
 * @throws ServiceFault if the service is unavailable; any other error concerns this certificate
 */
export async function requestCertificate(
  { service, fetch, timeout }: ServiceOptions,
  query: ServiceQuery,
  known: Answer | undefined,
): Promise<Answer> {
  const etag = known?.kind === 'certificate' ? known.etag : null;
  const request: RequestInit = {
    headers: {
      accept: 'application/ld+json, application/json',
      // a shared cache in between may keep certificates for a day (RFC 9111, 5.2.1.4)
      'cache-control': 'no-cache',
      ...(etag === null ? {} : { 'if-none-match': etag }),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeout),
  };
  let response: Response;
  try {
    response = await fetch(certificateAddress(service, query), request);
  } catch (cause) {
    throw new ServiceFault('the service does not answer', { cause });
  }
  if (response.status !== 304) return readAnswer(response, query.productId);
  if (known === undefined) throw new Error('the service answered 304 to a request without an ETag');
  return known;
}

/**
 * Reads the service's response. Throws for any response that the service would not send: an error page with status 200, an
 * endless body, the certificate of another product.
 *
 * @param productId - of the expected certificate; absent if it was requested by the address of the page
 */
async function readAnswer(response: Response, productId: string | undefined): Promise<Answer> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 404 && type.includes('problem+json')) {
    await response.body?.cancel();
    return { kind: 'none' };
  }
  const { status } = response;
  if (status !== 200 || !type.includes('json')) {
    await response.body?.cancel();
    const message = `the service answered ${status}, ${type}`;
    throw status === 429 || status >= 500 ? new ServiceFault(message) : new Error(message);
  }
  const document = JSON.parse(await textOf(response)) as unknown;
  if (!isRecord(document) || document['@type'] !== 'Product') throw new Error('this is not a certificate');
  const issuedFor = document['svc:issuedFor'];
  if (!isRecord(issuedFor) || typeof issuedFor.productID !== 'string' || typeof document.url !== 'string')
    throw new Error('this is not a certificate');
  if (productId !== undefined && issuedFor.productID.toLowerCase() !== productId.toLowerCase())
    throw new Error('this is the certificate of another product');
  if (document.proof === undefined) return { kind: 'none' };
  const certificate = document as ServedCertificate;
  const etag = response.headers.get('etag');
  return { kind: 'certificate', certificate, etag, endsAt: endOf(certificate) };
}

/** The expiry of a certificate's proof, unverified: altering it would give no advantage. */
export function endOf({ proof }: ServedCertificate): number {
  const jwt: unknown = isRecord(proof) ? proof.jwt : undefined;
  const payload = typeof jwt === 'string' ? decodeBase64url(jwt.split('.')[1] ?? '') : null;
  const claims = JSON.parse(new TextDecoder().decode(payload ?? new Uint8Array())) as unknown;
  if (!isRecord(claims) || typeof claims.exp !== 'number') throw new Error('its proof has no expiry');
  return claims.exp * 1000;
}

async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      text += decoder.decode(piece.value, { stream: true });
      if (text.length > MAX_CHARACTERS) throw new Error('the answer is too long');
    }
  } finally {
    // cancels a body that was not read completely
    await reader?.cancel().catch(() => {});
  }
  return text + decoder.decode();
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
