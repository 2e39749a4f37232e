import type { LANDING_WARNINGS } from '@touchstone/certificate';
import { comparePageUrls, isRequestedPage, upgradedAs } from '@touchstone/certificate/binding';
import { printable, withoutCredentials } from '@touchstone/certificate/text';
import { hostOf } from '@touchstone/certificate/verify';
import { pageNote } from './codes.ts';
import type { Observation } from './types.ts';

type LandingWarning = (typeof LANDING_WARNINGS)[number];

type Addresses = Pick<Observation, 'url' | 'finalUrl'>;

/** What the certificate that determined the verdict adds. */
export interface LandingCertificate {
  /** Hostnames of its store; absent without a registry. */
  readonly storeDomains?: readonly string[] | undefined;
  /** The signed address, if the certificate is bound to the landing page. */
  readonly boundUrl?: string | undefined;
}

/** Whether redirects led to another host than the requested one. `www.` is another host. */
function ledElsewhere({ url, finalUrl }: Addresses): boolean {
  const asked = hostOf(url);
  return asked !== null && asked !== hostOf(finalUrl);
}

/**
 * Finding and warning for another page than the requested one: whoever controls the requested address (a host, or a
 * seller's part of a host) may redirect this service to a genuine page and show visitors another one. A redirect between
 * two domains of the store whose certificate determined the verdict is judged as if it were within one host, with a
 * finding if nothing else differs; without a registry, no two hosts are known to belong to one store.
 *
 * The landing may add what its certificate was signed for, such as `?variant=2`, and be equal to both: then the requested
 * address is not the page that was verified.
 */
export function landingNotes(
  observation: Addresses,
  certificate: LandingCertificate = {},
): { readonly findings: readonly string[]; readonly warnings: readonly string[] } {
  const code = landingCode(observation, certificate);
  const landing = printable(withoutCredentials(observation.finalUrl));
  if (code === null) {
    // who gets the report does not know the domains of the store
    const findings = ledElsewhere(observation) ? [pageNote('redirected_within_store', landing)] : [];
    return { findings, warnings: [] };
  }
  return { findings: [pageNote('page_judged', landing)], warnings: [pageNote(code, landing)] };
}

function landingCode(
  observation: Addresses,
  { storeDomains = [], boundUrl }: LandingCertificate,
): LandingWarning | null {
  const url = withoutCredentials(observation.url);
  const finalUrl = withoutCredentials(observation.finalUrl);
  if (url === finalUrl || hostOf(url) === null) return null;
  let asked = upgradedAs(url, finalUrl);
  if (ledElsewhere(observation)) {
    const isOneStore = [url, finalUrl].every((address) => storeDomains.includes(hostOf(address) ?? ''));
    if (!isOneStore) return 'redirected_to_another_host';
    asked = onHostOf(asked, finalUrl);
  }
  const isSigned = boundUrl === undefined || comparePageUrls(boundUrl, asked).equal;
  return isSigned && isRequestedPage(asked, finalUrl) ? null : 'redirected_to_another_page';
}

/** The address on the host of the other; its port is its own. */
function onHostOf(address: string, other: string): string {
  const url = new URL(address);
  url.hostname = new URL(other).hostname;
  return url.href;
}
