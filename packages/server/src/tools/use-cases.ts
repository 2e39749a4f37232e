import type { VerificationResult } from '@touchstone/certificate';
import type { PageReport } from '@touchstone/page';

/**
 * What the tools ask for on behalf of one caller. In the service these are its own use cases, one step behind HTTP;
 * over stdio they are calls to a service.
 */
export interface ToolUseCases {
  /** @throws what `service/verify-product.ts` throws */
  verifyProduct(input: {
    readonly productId: string;
    readonly pageUrl: string;
    readonly document?: unknown;
  }): Promise<VerificationResult>;
  /** @throws what `service/check-page.ts` throws */
  checkPage(input: {
    readonly url: string;
    readonly freshness: 'cached' | 'fresh';
    readonly images?: 'match' | undefined;
    readonly signal: AbortSignal;
  }): Promise<PageReport>;
  /** JSON text of the certificate. @throws what `service/get-certificate.ts` throws */
  getCertificate(productId: string): Promise<string>;
  /** JSON text of the key set. @throws what `service/get-jwks.ts` throws */
  getJwks(): Promise<string>;
}
