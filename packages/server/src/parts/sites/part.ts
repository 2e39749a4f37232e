import { sitesPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { ProvenSites } from './known-sites.ts';
import { siteRoutes } from './routes.ts';

/** Says what is known of a host: whether its control is proven, and which proven hosts it resembles. */
export const sitesPart: Part = {
  ...contract,
  knownSites: (context) => new ProvenSites(context),
  async open({ knownSites, registry }) {
    if (!(knownSites instanceof ProvenSites)) throw new Error('another part knows the sites');
    void knownSites.open();
    return { routes: siteRoutes(knownSites, registry) };
  },
};
