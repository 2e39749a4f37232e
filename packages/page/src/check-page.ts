import { CannotVerifyError, type Trust } from '@touchstone/certificate';
import {
  type SignedClaims,
  type VerificationResult,
  verify,
  verifyProof,
} from '@touchstone/certificate/verify';
import type { CheckNodesOptions } from './certificate-nodes.ts';
import { type CheckedPage, judgePage } from './judge-page.ts';
import { type ObserveOptions, observePage } from './observe.ts';

/**
 * Checks a page: fetches and reads it, then judges the result.
 *
 * A service that stores observations calls the two halves, `observePage` and `judgePage`, itself.
 *
 * @throws what `fetch`, `read` and `verifyProduct` throw
 * @example
 * ```ts
 * import { checkPage } from '@touchstone/page';
 *
 * const { report } = await checkPage('https://shop.example/products/cup', {
 *   fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, body: '<h1>Cup</h1>' }),
 *   fetchedAt: new Date(),
 *   baseUrls: ['https://certificates.example'],
 *   verifyProduct: async () => null,
 * });
 * report.verdict; // 'no_certificate'
 * ```
 */
export async function checkPage<Body extends string | Uint8Array>(
  url: string,
  options: ObserveOptions<Body> & CheckNodesOptions,
): Promise<CheckedPage> {
  return judgePage(await observePage(url, options), options);
}

/** What is known of a certificate besides its proof, added to its result. */
export type AfterVerify = (result: VerificationResult, document: unknown) => Promise<VerificationResult>;

/**
 * Options for checking a page without a registry: the report lacks what only a registry knows, and a deleted product is
 * judged by its proof alone.
 *
 * @param now - used as the time of fetching and of judging
 * @param productId - the product that the certificate must be for; default: the one that it names
 * @param afterVerify - changes the result of each certificate of the page, such as by what is known of a withdrawal
 * @example
 * ```ts
 * import { createTrust } from '@touchstone/certificate';
 * import { checkPage, withoutRegistry } from '@touchstone/page';
 *
 * const trust = createTrust({ trustedIssuers: ['https://certificates.example'] });
 * const { report } = await checkPage('https://shop.example/products/cup', {
 *   ...withoutRegistry(trust, new Date()),
 *   fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, body: '<h1>Cup</h1>' }),
 * });
 * report.verdict; // 'no_certificate'
 * ```
 */
export function withoutRegistry(
  trust: Trust,
  now: Date,
  productId?: string,
  afterVerify: AfterVerify = async (result) => result,
): Omit<ObserveOptions, 'fetch' | 'read' | 'readFacts'> & CheckNodesOptions {
  return {
    namespaceUrl: trust.issuers.map((issuer) => `${issuer}/ns#`),
    fetchedAt: now,
    baseUrls: trust.issuers,
    verifyProduct: async (named, { document, pageUrl }) => {
      const keys = await trust.keysFor(document, now);
      const result = await verify({ document, pageUrl, productId: productId ?? named, now, ...keys });
      return afterVerify(result, document);
    },
    readSigned: (jwt) => readSigned(jwt, trust, now),
  };
}

/** The claims of a proof; `undefined` also if it cannot be decided whether it is signed. */
export async function readSigned(jwt: string, trust: Trust, now: Date): Promise<SignedClaims | undefined> {
  try {
    const { keySet, issuers } = await trust.keysFor({ proof: { jwt } }, now);
    return (await verifyProof(jwt, keySet, { now, issuers })).signed;
  } catch (error) {
    if (error instanceof CannotVerifyError) return undefined;
    throw error;
  }
}
