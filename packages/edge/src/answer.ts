import { decodeBase64url } from '@touchstone/certificate/issue';

/** A certificate as the service serves it, as far as it is looked into. */
export interface ServedCertificate {
  readonly url: string;
  readonly proof: { readonly jwt: string };
  readonly [member: string]: unknown;
}

/** What the service said of one certificate. */
export type Answer =
  | {
      readonly kind: 'certificate';
      readonly certificate: ServedCertificate;
      readonly etag: string | null;
      /** When its proof ends, in milliseconds since 1970. */
      readonly endsAt: number;
    }
  /** There is none now: no such product, or one that is not active. */
  | { readonly kind: 'none' }
  /** The one that is known is still the one. */
  | { readonly kind: 'same' };

/** The service itself does not work now; any other error is about one certificate. */
export class ServiceFault extends Error {
  override readonly name = 'ServiceFault';
}

/** Characters of a certificate; those of a thousand images stay below. */
const LONGEST = 1_000_000;

/**
 * Reads what the service answered. Anything that is not what a service of ours answers throws: an error page with status 200, a
 * body without end, the certificate of another product.
 *
 * @param productId - of which it must be; left out where it was asked for by the page's address
 */
export async function readAnswer(response: Response, productId: string | undefined): Promise<Answer> {
  const type = response.headers.get('content-type') ?? '';
  if (response.status === 304) return { kind: 'same' };
  if (response.status === 404 && type.includes('problem+json')) {
    await response.body?.cancel();
    return { kind: 'none' };
  }
  const { status } = response;
  if (status !== 200 || !type.includes('json')) {
    await response.body?.cancel();
    const told = `the service answered ${status}, ${type}`;
    throw status === 429 || status >= 500 ? new ServiceFault(told) : new Error(told);
  }
  const document = JSON.parse(await textOf(response)) as unknown;
  if (!isRecord(document) || document['@type'] !== 'Product') throw new Error('this is no certificate');
  const issuedFor = document['svc:issuedFor'];
  if (!isRecord(issuedFor) || typeof issuedFor.productID !== 'string' || typeof document.url !== 'string')
    throw new Error('this is no certificate');
  if (productId !== undefined && issuedFor.productID.toLowerCase() !== productId.toLowerCase())
    throw new Error('this is the certificate of another product');
  if (document.proof === undefined) return { kind: 'none' };
  const certificate = document as ServedCertificate;
  const etag = response.headers.get('etag');
  return { kind: 'certificate', certificate, etag, endsAt: endOf(certificate) };
}

/** When the proof of a certificate ends, by its own words: nobody would gain by altering them. */
export function endOf({ proof }: ServedCertificate): number {
  const jwt: unknown = isRecord(proof) ? proof.jwt : undefined;
  const payload = typeof jwt === 'string' ? decodeBase64url(jwt.split('.')[1] ?? '') : null;
  const claims = JSON.parse(new TextDecoder().decode(payload ?? new Uint8Array())) as unknown;
  if (!isRecord(claims) || typeof claims.exp !== 'number') throw new Error('its proof has no end');
  return claims.exp * 1000;
}

async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      text += decoder.decode(piece.value, { stream: true });
      if (text.length > LONGEST) throw new Error('the answer is too long');
    }
  } finally {
    // ends a body that is not read to its end
    await reader?.cancel().catch(() => {});
  }
  return text + decoder.decode();
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
