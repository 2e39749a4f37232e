import { hostOf } from '@touchstone/certificate/verify';
import { pageNote } from './codes.ts';
import { printable, withoutCredentials } from './text.ts';
import type { Observation } from './types.ts';

/** Whether redirects led to another host than the one that was asked for. `www.` is another host. */
export function ledElsewhere({ url, finalUrl }: Pick<Observation, 'url' | 'finalUrl'>): boolean {
  const asked = hostOf(url);
  return asked !== null && asked !== hostOf(finalUrl);
}

/**
 * What is told first of a page that is not on the host that was asked for: whoever controls the asked one may send this
 * reader to a genuine page, and show every visitor another. Nothing is told of a redirect between two domains of the
 * store whose certificate decided.
 *
 * @param storeDomains - of that store, as its registry knows them; without a registry no two hosts are one store's
 */
export function landingNotes(
  observation: Pick<Observation, 'url' | 'finalUrl'>,
  storeDomains: readonly string[] = [],
): { readonly findings: readonly string[]; readonly warnings: readonly string[] } {
  const { url, finalUrl } = observation;
  const isOneStore = [url, finalUrl].every((address) => storeDomains.includes(hostOf(address) ?? ''));
  if (isOneStore || !ledElsewhere(observation)) return { findings: [], warnings: [] };
  const landing = printable(withoutCredentials(finalUrl));
  return {
    findings: [pageNote('page_judged', landing)],
    warnings: [pageNote('redirected_to_another_host', landing)],
  };
}

/**
 * Whether a report says that it is about a page on another host than the one that was asked for. Then `verified` says
 * nothing of the address that was asked for.
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
