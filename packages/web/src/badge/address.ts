/**
 * The address that a badge checks: that of the page, or of the product page that a list links to. Links to other hosts are ignored: on a
 * copied list they would lead to the page for which the certificate was issued.
 */
export function judgedAddress(pageAddress: string, link: string): string {
  if (link === '') return pageAddress;
  if (!URL.canParse(link, pageAddress)) return pageAddress;
  const url = new URL(link, pageAddress);
  return url.host === new URL(pageAddress).host ? url.href : pageAddress;
}

/** Address of the service's own check of an address, for the badge's link. */
export function checkAddress(service: string, address: string): string {
  return `${service}/check?url=${encodeURIComponent(address)}`;
}
