import { isDomainOf } from '../../binding/hosts.ts';
import { type CheckContext, failed, passed, textClaim } from '../check-context.ts';
import type { CheckResult } from '../types.ts';
import { domainKnown } from './domain-known.ts';
import { productIdMatches } from './product-id-matches.ts';

/**
 * Signed `domain` matches the page's domain (spec "Verify verdicts"). The claim names the domain that the certificate
 * is authorised for (spec "Proof JWT"); the authorisation ends when the registry learns that another merchant controls
 * the host.
 */
export function boundToDomain(context: CheckContext): CheckResult {
  const domain = textClaim(context, 'domain');
  if (typeof domain !== 'string') return domain;
  if (context.pageHost === null) return failed('page_url_invalid', domain, context.pageUrl);
  if (isDomainOf(domain, context.pageHost)) {
    return context.registry?.lostHosts?.includes(context.pageHost)
      ? failed('host_lost', undefined, context.pageHost)
      : passed;
  }
  // a second address of the same shop is a mistake to correct, not a copy; registry data is about the requested
  // product, so it does not apply to the proof of another product
  const ofThisShop = domainKnown(context).result === true && productIdMatches(context).result === true;
  return failed(ofThisShop ? 'another_address_of_shop' : 'domain_differs', domain, context.pageHost);
}
