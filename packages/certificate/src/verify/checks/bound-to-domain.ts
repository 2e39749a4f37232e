import { normalizeHost, sameHost } from '../../binding.ts';
import { type CheckContext, failed, passed, textClaim } from '../check-context.ts';
import type { CheckResult } from '../types.ts';
import { domainKnown } from './domain-known.ts';

/** Signed `domain` matches the page's domain (spec "Verify verdicts"). */
export function boundToDomain(context: CheckContext): CheckResult {
  const domain = textClaim(context, 'domain');
  if (typeof domain !== 'string') return domain;
  if (context.pageHost === null) return failed('page_url_invalid', domain, context.pageUrl);
  if (sameHost(normalizeHost(domain), context.pageHost)) return passed;
  // a second address of the same shop is a mistake to mend, not a copy (decision 12)
  const reason = domainKnown(context).result === true ? 'another_address_of_shop' : 'domain_differs';
  return failed(reason, domain, context.pageHost);
}
