/**
 * The address that a badge judges: that of the page, or of the product's page that a list links to. A link to another host
 * has no say: on a copied list it would lead to the page that the certificate was issued for.
 */
export function judgedAddress(pageAddress: string, link: string): string {
  if (link === '') return pageAddress;
  if (!URL.canParse(link, pageAddress)) return pageAddress;
  const url = new URL(link, pageAddress);
  return url.host === new URL(pageAddress).host ? url.href : pageAddress;
}

/** Where a person sees the check of an address, done by the service anew. */
export function checkAddress(service: string, address: string): string {
  return `${service}/check?url=${encodeURIComponent(address)}`;
}
