import type { VerificationResult } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/certificate/schema';

/**
 * The use cases called by the tools on behalf of one caller: in the service its own, without HTTP; over stdio, calls to
 * a service.
 */
export interface ToolUseCases {
  verifyProduct(input: {
    readonly productId: string;
    readonly pageUrl: string;
    readonly document?: unknown;
  }): Promise<VerificationResult>;
  checkPage(input: {
    readonly url: string;
    readonly freshness: 'cached' | 'fresh';
    readonly images?: 'match' | undefined;
    readonly explain?: true | undefined;
    readonly signal: AbortSignal;
  }): Promise<PageReport>;
  /** JSON text of the certificate. */
  getCertificate(productId: string): Promise<string>;
  /** The same for the product of this page. */
  findCertificate(pageUrl: string): Promise<string>;
  /** JSON text of the key set. */
  getJwks(): Promise<string>;
}
