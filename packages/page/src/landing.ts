import type { LANDING_WARNINGS } from '@touchstone/certificate';
import { comparePageUrls, isRequestedPage, upgradedAs } from '@touchstone/certificate/binding';
import { hostOf } from '@touchstone/certificate/verify';
import type { CheckedNode } from './certificate-nodes.ts';
import { pageNote } from './codes.ts';
import { printable, withoutCredentials } from './text.ts';
import type { Observation } from './types.ts';

type LandingWarning = (typeof LANDING_WARNINGS)[number];

type Addresses = Pick<Observation, 'url' | 'finalUrl'>;

/** Whether redirects led to another host than the requested one. `www.` is another host. */
export function ledElsewhere({ url, finalUrl }: Addresses): boolean {
  const asked = hostOf(url);
  return asked !== null && asked !== hostOf(finalUrl);
}

/**
 * Finding and warning for another page than the requested one: whoever controls the requested address (a host, or a
 * seller's part of a host) may redirect this service to a genuine page and show visitors another one. A redirect between
 * two domains of the store whose certificate determined the verdict is judged as if it were within one host; without a
 * registry, no two hosts are known to belong to one store.
 *
 * @param decidedBy - the certificate that determined the verdict
 */
export function landingNotes(
  observation: Addresses,
  decidedBy?: CheckedNode,
): { readonly findings: readonly string[]; readonly warnings: readonly string[] } {
  const code = landingCode(observation, decidedBy);
  if (code === null) return { findings: [], warnings: [] };
  const landing = printable(withoutCredentials(observation.finalUrl));
  return { findings: [pageNote('page_judged', landing)], warnings: [pageNote(code, landing)] };
}

function landingCode(observation: Addresses, decidedBy: CheckedNode | undefined): LandingWarning | null {
  const url = withoutCredentials(observation.url);
  const finalUrl = withoutCredentials(observation.finalUrl);
  if (url === finalUrl || hostOf(url) === null) return null;
  const checked = decidedBy?.kind === 'checked' ? decidedBy : undefined;
  let asked = upgradedAs(url, finalUrl);
  if (ledElsewhere(observation)) {
    const domains = checked?.storeDomains ?? [];
    const isOneStore = [url, finalUrl].every((address) => domains.includes(hostOf(address) ?? ''));
    if (!isOneStore) return 'redirected_to_another_host';
    asked = onHostOf(asked, finalUrl);
  }
  return isRequestedPage(asked, finalUrl) && isSignedPage(asked, checked)
    ? null
    : 'redirected_to_another_page';
}

/**
 * The landing may add what its certificate was signed for, such as `?variant=2`, and be equal to both: then the requested
 * address is not the page that was verified.
 */
function isSignedPage(
  asked: string,
  checked: Extract<CheckedNode, { kind: 'checked' }> | undefined,
): boolean {
  const { checks, signed } = checked?.result ?? {};
  if (checks?.boundToUrl !== true || signed?.url === undefined) return true;
  return comparePageUrls(signed.url, asked).equal;
}

/** The address on the host of the other; its port is its own. */
function onHostOf(address: string, other: string): string {
  const url = new URL(address);
  url.hostname = new URL(other).hostname;
  return url.href;
}
