/**
 * The codes of fetching, reading and judging a page, each with its sentence.
 *
 * The list is closed: codes are part of the public contract (docs/codes.md is generated from it) and are
 * never reused for another meaning.
 */
export const PAGE_CODES = {
  // why a page could not be fetched (verdict page_fetch_failed); addresses first
  url_invalid: 'The address is not an absolute http or https URL.',
  scheme_blocked: 'Only http and https addresses are fetched.',
  port_blocked: 'Pages are fetched from the ports for http and https only.',
  address_blocked: 'The address leads to a host that is not on the public internet.',
  host_unknown: 'The host name does not exist or has no address.',
  dns_failed: 'The name servers of the host give no usable answer.',
  // the connection
  connection_refused: 'The host refuses the connection.',
  connection_failed: 'The connection to the host was interrupted.',
  tls_failed: 'No trusted TLS connection to the host could be established.',
  timed_out: 'The page took too long.',
  // redirects
  redirect_invalid: 'The page redirects to an address that cannot be used.',
  redirect_loop: 'The page redirects in a loop.',
  too_many_redirects: 'The page redirects more than 5 times.',
  // the answer
  response_malformed: 'The response of the host is not valid HTTP.',
  headers_too_large: 'The response headers are too large.',
  too_many_interim_responses: 'The host keeps sending interim responses instead of the page.',
  http_status: 'The host did not answer with a page.',
  not_html: 'The response is not an HTML page.',
  too_large: 'The page exceeds the size limit.',
  encoding_unsupported: 'The content encoding of the page is not supported.',
  encoding_broken: 'The compressed page is damaged.',
  page_unreadable: 'The page cannot be read within the limits.',

  // judging certificates
  redirected_to_another_host:
    'The requested address redirects to another host, and may show visitors another page. This is about the page to which it led.',
  redirected_to_another_page:
    'The requested address redirects to another page, and may show visitors something else. This is about the page to which it led.',
  page_judged: 'The page to which the redirect led was checked.',
  redirected_within_store:
    'The requested address redirects to the same page on another domain of the store that the certificate is of.',
  certificate_absent: 'The page carries no certificate: no Product node with svc:issuedFor.',
  canonical_source_missing: 'The certificate on the page names no canonical source.',
  canonical_source_url_invalid: 'The canonical source of the certificate is not an absolute address.',
  canonical_source_not_https: 'The canonical source of the certificate is not an https address.',
  canonical_source_method: 'The canonical source of the certificate is not read by GET.',
  canonical_source_path: 'The canonical source of the certificate is not the address of a certificate.',
  canonical_host_foreign: 'The certificate on the page names a canonical source that is not this service.',
  canonical_scheme_foreign:
    'The certificate on the page names this service with https, but it is trusted only with http: for a verifier, that is another issuer.',
  product_unknown:
    'The registry serves no certificate for the product that the certificate names: it is unknown, disabled or deleted.',
  certificate_past_lifetime: 'The signature is authentic, but the certificate is past its 7 days.',
  several_certificates: 'The page carries several certificates.',
  certificate_set_aside: 'Another certificate on the page did not decide the verdict.',
  certificate_outranked:
    'Another certificate on the page had the same result, but its product publishes nothing now, or its store’s control of the domain is less certain.',
  too_many_certificates: 'The page carries more certificates than are checked.',
  certificates_capped: 'The page carries more certificates than are read; the rest was left out.',
  certificate_too_large:
    'A certificate on the page is too large to be one of this service, and was left out.',
  canonical_link_matches:
    'The address of the page is not the signed one, but its canonical link is: open the page at its canonical address and check that.',
  certified_product_list:
    'The page lists certified products of this shop and states none of its own. Each certificate is verified on the page of its product.',
  certified_without_parameter:
    'The certificate is signed for the address of this page without a parameter that was added: open it there and check that.',

  claims_not_proven:
    'The page names certifications, credentials or product numbers of others. They are claims of the page: nothing of them is proven here, and they change no verdict. How many:',
  signed_price_differs:
    'The page asks another price than the one that its shop signed. Prices change: the day of the signed one and both prices:',

  // what a service knows of a page without a certificate
  host_certified_elsewhere:
    'The host is one whose control a shop of this service has proven, with certificates on other pages.',
  product_certified_here:
    'This service publishes a certificate that is signed for this very address, but the page does not carry it.',

  lookalike_host:
    'The host of the page resembles one whose control a shop of this service has proven, and is none of its proven hosts. The host and how:',

  // gates: pages served in place of the product page
  shopify_password: 'The storefront asks for a password.',
  coming_soon: 'The shop is not open yet: the page is a coming-soon page.',
  page_password: 'The page asks for a password.',
  cloudflare_challenge: 'A Cloudflare challenge or block was served in place of the page.',
  sucuri_challenge: 'A Sucuri challenge or block was served in place of the page.',
  akamai_challenge: 'An Akamai challenge or block was served in place of the page.',
  perimeterx_challenge: 'A PerimeterX challenge was served in place of the page.',
  datadome_challenge: 'A DataDome challenge was served in place of the page.',
  incapsula_challenge: 'An Imperva Incapsula challenge was served in place of the page.',
  aws_waf_challenge: 'An AWS WAF challenge was served in place of the page.',
  robot_check: 'A robot check or a waiting room was served in place of the page.',
  consent_wall: 'The page asks for consent before it shows its content.',
  soft_not_found: 'The page says that it does not exist, although its status says that it was found.',

  // reading the page
  json_ld_broken: 'A JSON-LD block cannot be read.',
  json_ld_repaired: 'A JSON-LD block was not valid JSON and was repaired.',
  facts_disagree: 'Sources on the page disagree.',
  several_products: 'The page describes several products and does not say which one it is about.',
  variants_disagree: 'The variants of the product differ and the page does not say which one is chosen.',
  price_range: 'The page states a range of prices, and the price is its low end.',
  price_negative: 'The page states a negative price, which is not a price.',
  price_zero_unavailable:
    'The page states a price of zero for a product that it says cannot be bought; the zero means that there is no price.',
  price_on_request:
    'The page states a price of zero and invites readers to ask for the price; the zero means that there is no price.',
  fact_inferred: 'The page does not state a fact; it is inferred from what the page shows.',
  fact_unread: 'The page states something that could not be read as a fact.',
  charset_unknown: 'The declared character encoding is not known.',
  charset_contradicted:
    'The page is written in UTF-8, though it declares another character encoding; it was read as UTF-8.',
  charset_undeclared:
    'The page is not valid UTF-8 and declares no character encoding; it was read in the usual encoding of its language.',
  utf16_undeclared: 'The page is written in UTF-16 without saying so; browsers show it wrongly.',
  not_text: 'The response is not text (for example a page compressed without saying so) and was not read.',
  text_garbled:
    'A value contains characters that are invalid in its encoding, and was left out because its meaning is uncertain.',

  // limits reached while reading
  page_cut: 'The page is longer than is read; the rest was left out.',
  nodes_capped: 'The page has more elements than are read; the rest was left out.',
  depth_capped: 'Elements are nested deeper than is read; the deeper ones were flattened.',
  attributes_capped: 'An element has more attributes than are read; the rest was left out.',
  attribute_cut: 'An attribute is longer than is read and was left out.',
  json_ld_blocks_capped: 'The page has more JSON-LD blocks than are read; the rest was left out.',
  json_ld_too_large: 'A JSON-LD block is larger than is read and was left out.',
  image_address_too_long: 'The address of an image is longer than is read and was left out.',
  reading_stopped:
    'Reading the facts of the page exceeds the work limit for one page: no fact was read. Its certificates were read.',
  graph_capped: 'The structured data has more nodes than are read; the rest was left out.',

  // the report itself
  report_cut: 'The report would be over 64 KB; the rest was left out.',

  // comparison of the page's images with the certified ones, if requested
  image_same: 'An image of the page is a certified one, byte for byte.',
  image_source:
    'The image is the file that the certified one was made from: the shop serves it in place of the certified file.',
  image_issued_to_another_store: 'The image was signed by this service for another store.',
  image_copy:
    'An image of the page shows the same picture as a certified one: colours and parts agree, size or compression differ.',
  image_similar:
    'An image of the page is similar to a certified one, but is not known to be the same picture: colours or parts differ, or were not recorded.',
  image_not_certified: 'An image of the page is not one of the certified ones.',
  image_unread: 'An image of the page could not be examined within the limits.',
  images_capped: 'The page has more images than are compared; the rest was left out.',
  images_not_compared:
    'The images were not compared: the page names no active product that has certified images.',
  pictures_certified_elsewhere:
    'Pictures of this page are, byte for byte, certified for another shop, which alone says nothing about who made them. The shop, on a host whose control is proven.',
  pictures_certified_by_several:
    'Pictures of this page prove nothing about any shop, since several unrelated merchants have certified the same bytes.',
  pictures_not_certified:
    'No picture of this page that was read is, byte for byte, certified for a shop on a host whose control it has proven.',
} as const;

export type PageCode = keyof typeof PAGE_CODES;

/**
 * Formats a code as `code: sentence`, the form of every entry in `findings`, `warnings` and `errors`. Programs should
 * rely on the code only; sentences may be improved.
 *
 * @param detail - appended to the sentence, usually the offending value: `port_blocked: Pages are … only: port 1`
 *
 * @example
 * ```ts
 * import { pageNote } from '@touchstone/page';
 *
 * pageNote('timed_out'); // 'timed_out: The page took too long.'
 * ```
 */
export function pageNote(code: PageCode, detail?: string): string {
  const sentence = PAGE_CODES[code];
  return detail === undefined || detail === ''
    ? `${code}: ${sentence}`
    : `${code}: ${sentence.replace(/\.$/, ':')} ${detail}`;
}
