import type { RelatedToPage } from '@touchstone/certificate/schema';
import type { Site } from '@touchstone/contract';

/** The part of the service that knows which hosts resemble proven ones. */
export interface KnownSites {
  /**
   * The proven hosts that a host resembles, the most alike first; none of a proven host. At once, from memory, as long as no change can
   * have been missed. Empty also while that is not known.
   */
  relatedTo(host: string): readonly RelatedToPage[] | Promise<readonly RelatedToPage[]>;
  /**
   * What is known of the host of an address.
   *
   * @throws ServiceError `site_budget_spent`, `database_unavailable`
   */
  readonly checkSite: CheckSite;
}

export type CheckSite = (input: {
  readonly url: string;
  /** The key of rate limits: the API key, else the address. */
  readonly caller: string;
}) => Promise<Site>;
