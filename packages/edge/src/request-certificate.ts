import { productCertificatePath } from '@touchstone/certificate';
import { readAnswer, ServiceFault } from './answer.ts';
import type { CachedAnswer } from './cached-answers.ts';

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
 * Requests a certificate from the service; if it has not changed, returns the cached answer.
 *
 * @throws ServiceFault if the service is unavailable; any other error concerns this certificate
 */
export async function requestCertificate(
  { service, fetch, timeout }: ServiceOptions,
  query: ServiceQuery,
  cached: CachedAnswer | null,
): Promise<CachedAnswer['answer']> {
  const etag = cached?.answer.kind === 'certificate' ? cached.answer.etag : null;
  const request: RequestInit = {
    headers: {
      accept: 'application/ld+json, application/json',
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
  const received = await readAnswer(response, query.productId);
  const answer = received.kind === 'same' ? cached?.answer : received;
  if (answer === undefined) throw new Error('the service answered 304 to a request without an ETag');
  return answer;
}
