import { sameHost } from '../../binding/hosts.ts';
import { type CheckContext, failed, notRun, passed } from '../check-context.ts';
import type { CheckResult } from '../types.ts';

/** The store has proven that it controls the page's host (spec "Verify verdicts"). Advisory only. */
export function domainVerified({ registry, pageHost, pageUrl }: CheckContext): CheckResult {
  if (registry === null) return notRun('registry_not_asked');
  const domain = registry.domains.find(({ hostname }) => sameHost(hostname, pageHost));
  if (domain === undefined) return failed('domain_unknown', registry.issuedFor, pageHost ?? pageUrl);
  return domain.verified ? passed : failed('domain_unverified', undefined, domain.hostname);
}
