import { productCertificatePath } from '@touchstone/certificate';
import { readAnswer, ServiceFault } from './answer.ts';
import type { Kept } from './kept-answers.ts';

export interface ServiceOptions {
  /** Base address of the service. */
  readonly service: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds after which the service is given up. */
  readonly timeout: number;
}

/** Which certificate the service is asked for. */
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
 * What the service answers now; what is kept, where that is still the same.
 *
 * @throws ServiceFault where the service does not work; any other error is about this certificate
 */
export async function askService(
  { service, fetch, timeout }: ServiceOptions,
  query: ServiceQuery,
  kept: Kept | null,
): Promise<Kept['answer']> {
  const etag = kept?.answer.kind === 'certificate' ? kept.answer.etag : null;
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
  const told = await readAnswer(response, query.productId);
  const answer = told.kind === 'same' ? kept?.answer : told;
  if (answer === undefined) throw new Error('the service answered 304 to a request without an ETag');
  return answer;
}
