import type { RelatedToPage } from '@touchstone/certificate/schema';
import type { Site } from '@touchstone/contract';

/** The part of the service that knows which hosts resemble proven ones. */
export interface KnownSites {
  /**
   * The proven hosts that a host resembles, the most alike first; none of a proven host. At once, from memory, as long as no change can
   * have been missed. Empty also while that is not known.
   */
  resembledBy(host: string): readonly ResembledSite[] | Promise<readonly ResembledSite[]>;
  /**
   * What is known of the host of an address.
   *
   * @throws ServiceError `site_budget_spent`, `database_unavailable`
   */
  readonly checkSite: CheckSite;
}

/** A proven host that another one resembles. */
export interface ResembledSite extends Omit<RelatedToPage, 'kind'> {
  readonly merchantId: string;
  /** Whether it may be named to others than its merchant. */
  readonly isNamed: boolean;
}

export type CheckSite = (input: {
  readonly url: string;
  /** The key of rate limits: the API key, else the address. */
  readonly caller: string;
  /** The merchant who asks, who sees its own hosts though it has opted out. */
  readonly viewer?: string | undefined;
}) => Promise<Site>;
