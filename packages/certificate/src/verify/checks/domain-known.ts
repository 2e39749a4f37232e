import { sameHost } from '../../binding/hosts.ts';
import { type CheckContext, failed, notRun, passed } from '../check-context.ts';
import type { CheckResult } from '../types.ts';

/**
 * The page's host is a domain of the product's own store. Being known to the service is not enough: that would vouch
 * for any customer. Advisory only.
 */
export function domainKnown({ registry, pageHost, pageUrl }: CheckContext): CheckResult {
  if (registry === null) return notRun('registry_not_asked');
  if (registry.domains.some(({ hostname }) => sameHost(hostname, pageHost))) return passed;
  return failed('domain_unknown', registry.issuedFor, pageHost ?? pageUrl);
}
