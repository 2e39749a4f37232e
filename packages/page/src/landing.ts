import { hostOf } from '@touchstone/certificate/verify';
import { pageNote } from './codes.ts';
import { printable, withoutCredentials } from './text.ts';
import type { Observation } from './types.ts';

/** Whether redirects led to another host than the requested one. `www.` is another host. */
export function ledElsewhere({ url, finalUrl }: Pick<Observation, 'url' | 'finalUrl'>): boolean {
  const asked = hostOf(url);
  return asked !== null && asked !== hostOf(finalUrl);
}

/**
 * Finding and warning for a page on another host than the requested one: whoever controls the requested host may redirect
 * this service to a genuine page and show visitors another one. A redirect between two domains of the store whose
 * certificate determined the verdict causes no warning, only a finding.
 *
 * @param storeDomains - the domains of that store in the registry; empty without a registry, so that every other host is warned about
 */
export function landingNotes(
  observation: Pick<Observation, 'url' | 'finalUrl'>,
  storeDomains: readonly string[] = [],
): { readonly findings: readonly string[]; readonly warnings: readonly string[] } {
  const { url, finalUrl } = observation;
  const isOneStore = [url, finalUrl].every((address) => storeDomains.includes(hostOf(address) ?? ''));
  if (!ledElsewhere(observation)) return { findings: [], warnings: [] };
  const landing = printable(withoutCredentials(finalUrl));
  // who gets the report does not know the domains of the store
  if (isOneStore) return { findings: [pageNote('redirected_within_store', landing)], warnings: [] };
  return {
    findings: [pageNote('page_judged', landing)],
    warnings: [pageNote('redirected_to_another_host', landing)],
  };
}

/**
 * Whether a report is about a page on another host than the requested one. If so, `verified` says
 * nothing about the requested address.
 *
 * @example
 * ```ts
 * import { isAboutAnotherHost } from '@touchstone/page';
 *
 * isAboutAnotherHost({ warnings: [] }); // false
 * ```
 */
export function isAboutAnotherHost({ warnings }: { readonly warnings: readonly string[] }): boolean {
  return warnings.some((warning) => warning.startsWith('redirected_to_another_host:'));
}
