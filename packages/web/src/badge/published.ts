import { productCertificatePath } from '@touchstone/certificate';

/** Whether the service still publishes a certificate for a product. `unknown`: it was not asked, or did not say. */
type Publication = 'published' | 'hidden' | 'removed' | 'unknown';

export interface Publications {
  /**
   * What is known of a product now. For a certificate that is older than a day the service is asked, once per page view and product;
   * `onKnown` is called if its answer makes a difference.
   */
  of(signed: { readonly productId: string; readonly issuedAt: string }, now: Date): Publication;
}

const DAY = 86_400_000;
/** Milliseconds. */
const PATIENCE = 5_000;
/** Products asked about per page view. */
const MAX_ASKED = 5;

/**
 * Asks the service for the present certificates of products, by their ids alone: without the address of the page, and without anything
 * by which the browser could be recognised. Without an answer, what was verified offline stays.
 */
export function createPublications(issuer: string, onKnown: () => void): Publications {
  const known = new Map<string, Publication>();
  return {
    of({ productId, issuedAt }, now) {
      const isRecent = now.getTime() - Date.parse(issuedAt) <= DAY;
      if (!isRecent && !known.has(productId) && known.size < MAX_ASKED) {
        known.set(productId, 'unknown');
        void ask(issuer + productCertificatePath(productId)).then((answer) => {
          known.set(productId, answer);
          if (answer === 'hidden' || answer === 'removed') onKnown();
        });
      }
      return known.get(productId) ?? 'unknown';
    },
  };
}

async function ask(url: string): Promise<Publication> {
  try {
    const response = await fetch(url, {
      // a cached certificate may be a day old
      cache: 'no-cache',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      headers: { accept: 'application/ld+json, application/json' },
      signal: AbortSignal.timeout(PATIENCE),
    });
    const body = (await response.json()) as { readonly code?: unknown; readonly proof?: unknown } | null;
    // any host may answer 404: only the service says that it has no such product
    if (response.status === 404 && body?.code === 'product_unknown') return 'removed';
    if (response.status !== 200) return 'unknown';
    return body?.proof === undefined ? 'hidden' : 'published';
  } catch {
    return 'unknown';
  }
}
