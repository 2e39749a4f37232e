import type {
  ItemAnswer,
  PageCheckAnswer,
  PictureMatches,
  Site,
  VerificationAnswer,
} from '@touchstone/contract';

/**
 * The use cases called by the tools on behalf of one caller: in the service its own, without HTTP; over stdio, calls to
 * a service.
 */
export interface ToolUseCases {
  verifyProduct(input: {
    readonly productId: string;
    readonly pageUrl: string;
    readonly document?: unknown;
    readonly receipt?: true | undefined;
  }): Promise<VerificationAnswer>;
  checkPage(input: {
    readonly url: string;
    readonly freshness: 'cached' | 'fresh';
    readonly images?: 'match' | undefined;
    readonly explain?: true | undefined;
    readonly receipt?: true | undefined;
    readonly signal: AbortSignal;
  }): Promise<PageCheckAnswer>;
  /** Where the pictures of a checked page are certified. Absent: the service has no part that knows. */
  pagePictures?(input: { readonly id: string; readonly signal: AbortSignal }): Promise<PictureMatches>;
  /** Absent: the service has no part that knows sites, and the tool is not listed. */
  checkSite?(input: { readonly url: string }): Promise<Site>;
  /** Absent: the service has no part that verifies items, and the tool is not listed. */
  verifyItems?(input: {
    readonly items: readonly unknown[];
    readonly source: string | undefined;
    readonly signal: AbortSignal;
  }): Promise<ItemsVerified>;
  /** JSON text of the certificate. */
  getCertificate(productId: string): Promise<string>;
  /** The same for the product of this page. */
  findCertificate(pageUrl: string): Promise<string>;
  /** JSON text of the key set. */
  getJwks(): Promise<string>;
}

/** A result for each item, in order, or why there is none. */
export type ItemsVerified = readonly (
  | { readonly result: ItemAnswer; readonly error?: undefined }
  | { readonly result?: undefined; readonly error: { readonly code: string; readonly message: string } }
)[];
