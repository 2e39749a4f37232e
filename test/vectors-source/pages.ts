import {
  CHECKS,
  type Check,
  type ExpectedFact,
  type PageVector,
  type VectorRegistry,
} from '../kit/vectors.ts';
import { certificate, REGISTRY, timestamp } from './builder.ts';
import type { Keys } from './keys.ts';
import { issuerKeySet, type Theme } from './theme.ts';
import { DAY, ISSUER, NOW, OTHER_PRODUCT_ID, PAGE_URL, PRODUCT_ID, proof } from './tokens.ts';

/** Pages and the verdict on them (spec "Page check verdicts"). */
export function pages(keys: Keys): Theme {
  const cases = [
    ...signedPages(keys),
    ...failedPages(keys),
    ...expiredPages(keys),
    ...unsignedPages(keys),
    ...sources(keys),
    ...several(keys),
    ...redirects(keys),
    ...owners(keys),
    ...unseen(keys),
    ...variantsAndRanges(keys),
    ...conclusions(keys),
  ];
  return {
    name: 'pages',
    about: 'Pages as HTML, or why they could not be fetched, and the verdict on each.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: cases.map(pageVector),
  };
}

export interface PageCase {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly string[];
  readonly html?: string;
  readonly failed?: { readonly code: string; readonly detail: string };
  /** The requested address; by default the one after redirects. */
  readonly url?: string;
  /** Address after redirects; the page itself by default. */
  readonly finalUrl?: string;
  /** Seconds since 1970. */
  readonly now?: number;
  readonly issuers?: readonly string[];
  /** `null`: the product is not in the registry. */
  readonly registry?: Partial<VectorRegistry> | null;
  /** The registry's data of the other product; absent: it has none. */
  readonly other?: Partial<VectorRegistry>;
  readonly verdict: string;
  /** Checks that are not true; present if a certificate was verified. */
  readonly checks?: Partial<Record<Check, false | null>>;
  /** The code that is reported first; default: the first of `errors`, else of `warnings`. */
  readonly lead?: string;
  readonly findings?: readonly string[];
  readonly notFindings?: readonly string[];
  readonly warnings?: readonly string[];
  readonly errors?: readonly string[];
  readonly facts?: Readonly<Record<string, ExpectedFact | null>>;
  /** Without a registry, if it differs. */
  readonly conclusion?: string | readonly [conclusion: string, withoutRegistry: string];
}

export function pageVector(given: PageCase): PageVector {
  const { id, title, rules, html, failed, now = NOW, issuers = [ISSUER], registry = {}, verdict } = given;
  const { checks } = given;
  return {
    id: `page-${id}`,
    title,
    rules,
    kind: 'page',
    input: {
      url: given.url ?? given.finalUrl ?? PAGE_URL,
      finalUrl: given.finalUrl ?? PAGE_URL,
      ...(html === undefined ? {} : { html, contentType: 'text/html; charset=utf-8' }),
      ...(failed === undefined ? {} : { failed }),
    },
    context: {
      baseUrls: issuers,
      issuers,
      now: timestamp(now),
      products: {
        ...(registry === null ? {} : { [PRODUCT_ID]: { ...REGISTRY, ...registry } }),
        ...(given.other === undefined ? {} : { [OTHER_PRODUCT_ID]: { ...REGISTRY, ...given.other } }),
      },
    },
    jwks: 'issuer',
    expect: {
      verdict,
      ...(checks === undefined
        ? {}
        : {
            checks: Object.fromEntries(
              CHECKS.map((name) => [name, checks[name] === undefined ? true : checks[name]]),
            ) as Record<Check, boolean | null>,
          }),
      ...leadOf(given),
      findings: given.findings ?? [],
      notFindings: given.notFindings ?? [],
      warnings: given.warnings ?? [],
      errors: given.errors ?? [],
      ...(given.facts === undefined ? {} : { facts: given.facts }),
      ...conclusionOf(given),
    },
  };
}

function conclusionOf({ conclusion }: PageCase): Partial<PageVector['expect']> {
  if (typeof conclusion === 'string') return { conclusion };
  return conclusion === undefined
    ? {}
    : { conclusion: conclusion[0], conclusionWithoutRegistry: conclusion[1] };
}

function leadOf({ lead, errors = [], warnings = [] }: PageCase): { lead?: string } {
  const first = lead ?? errors[0] ?? warnings[0];
  return first === undefined ? {} : { lead: first };
}

export const PATH = `/api/v1/mc4p/products/${PRODUCT_ID}/certificate`;
const SOURCE = { '@type': 'EntryPoint', url: ISSUER + PATH, httpMethod: 'GET' };

/** A certificate node with its canonical source. */
export function node(jwt: unknown, changes: Readonly<Record<string, unknown>> = {}) {
  return certificate(jwt, { 'svc:status': { canonicalSource: SOURCE }, ...changes });
}

const unsigned = node(undefined, { proof: undefined });

function block(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return `<script type="application/ld+json">${text}</script>`;
}

/** A product page with these JSON-LD blocks in its head. */
export function page(...blocks: readonly unknown[]): string {
  return pageWith('', ...blocks);
}

function pageWith(head: string, ...blocks: readonly unknown[]): string {
  const scripts = blocks.map(block).join('');
  return `<!doctype html><html lang="en"><head><title>Enamel kettle</title>${head}${scripts}</head><body><main><h1>Enamel kettle</h1><p>Holds two litres.</p><p>39.00 EUR</p><button>Add to cart</button></main></body></html>`;
}

const ORDINARY = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Enamel kettle',
  sku: 'K7',
  offers: {
    '@type': 'Offer',
    price: '39.00',
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
  },
};

function signedPages({ issuer }: Keys): PageCase[] {
  const sound = node(proof(issuer));
  const rules = ['PV-VERIFIED', 'PV-CANDIDATES'];
  const iri = `${ISSUER}/ns#`;
  const spelledOut = JSON.parse(JSON.stringify(sound).replaceAll('"svc:', `"${iri}`)) as unknown;
  const places: [string, string, string][] = [
    ['verified', 'A sound certificate beside the page’s own markup', page(ORDINARY, sound)],
    [
      'verified-in-graph',
      'In a graph',
      page({ '@context': 'https://schema.org', '@graph': [ORDINARY, sound] }),
    ],
    ['verified-in-list', 'In a list', page([ORDINARY, sound])],
    [
      'verified-second-block',
      'In a block after one that is broken',
      page('{"@type": "Product", "name": ', sound),
    ],
    [
      'verified-type-list',
      'With several types',
      page({ ...sound, '@type': ['Product', 'IndividualProduct'] }),
    ],
    ['verified-full-names', 'With names written as full IRIs of the namespace', page(spelledOut)],
    ['verified-merged', 'Merged into the page’s own product', page({ ...ORDINARY, ...sound })],
  ];
  return [
    ...places.map(
      ([id, title, html]): PageCase => ({ id, title, rules, html, verdict: 'verified', checks: {} }),
    ),
    {
      id: 'verified-tracking',
      title: 'Reached by an address with tracking',
      rules: [...rules, 'EQ-URL'],
      html: page(sound),
      finalUrl: `${PAGE_URL}?utm_source=mail`,
      verdict: 'verified',
      checks: {},
    },
    {
      id: 'verified-route',
      title: 'A page that a script chooses by the fragment of its address',
      rules: [...rules, 'EQ-URL'],
      html: page(node(proof(issuer, { url: ROUTE }), { url: ROUTE })),
      finalUrl: ROUTE,
      verdict: 'verified',
      checks: {},
    },
    {
      id: 'verified-advice',
      title: 'The domain was never proven and the counts have changed: warnings, and verified',
      rules: [...rules, 'VV-ADVISORY'],
      html: page(sound),
      registry: {
        domains: [{ hostname: 'shop.example', verified: false }],
        coverage: { certifiedAssets: 0, totalAssets: 4, coveragePercent: 0 },
      },
      verdict: 'verified',
      checks: { domainVerified: false, trustDataCurrent: false },
      warnings: ['domain_unverified', 'coverage_changed'],
    },
  ];
}

const LIST_URL = 'https://shop.example/collections/kettles';
const CONTROL = { control: { method: 'dns_txt', checkedAt: NOW - DAY } };
const OTHER_URL = 'https://shop.example/products/teapot';

/** Other goods than those that were signed. */
const OTHER_GOODS = `<h1>Rolex Submariner, 18k gold</h1><p class="price">9,999.00 EUR</p><button>Add to cart</button>`;
const CARDS = `<ul><li><a href="${PAGE_URL}"><h3>Enamel kettle</h3></a><span class="price">39.00 EUR</span></li><li><a href="${OTHER_URL}"><h3>Stoneware teapot</h3></a><span class="price">49.00 EUR</span></li></ul>`;

function pageOf(title: string, body: string, ...nodes: readonly unknown[]): string {
  const scripts = nodes.map(block).join('');
  return `<!doctype html><html lang="en"><head><title>${title}</title>${scripts}</head><body><main>${body}</main></body></html>`;
}

/** What a reader concludes, beyond the verdict. */
function conclusions({ issuer }: Keys): PageCase[] {
  const kettle = (claims = {}) => node(proof(issuer, { ...CONTROL, ...claims }));
  const teapotClaims = { productId: OTHER_PRODUCT_ID, url: OTHER_URL, productName: 'Stoneware teapot' };
  const teapot = certificate(proof(issuer, { ...CONTROL, ...teapotClaims }), {
    productID: OTHER_PRODUCT_ID,
    url: OTHER_URL,
    'svc:issuedFor': { domain: 'shop.example', productID: OTHER_PRODUCT_ID },
    'svc:status': { canonicalSource: { ...SOURCE, url: SOURCE.url.replace(PRODUCT_ID, OTHER_PRODUCT_ID) } },
  });
  const unproven = { domains: [{ hostname: 'shop.example', verified: false }] };
  const elsewhere = {
    verdict: 'checks_failed',
    checks: { boundToUrl: false },
    errors: ['url_differs'],
    other: {},
  } as const;
  const color = `${PAGE_URL}?color=red`;
  const parameter = {
    finalUrl: color,
    ...elsewhere,
    errors: ['url_extra_parameter'],
    conclusion: 'unknown_parameter',
    findings: ['certified_without_parameter'],
  } as const;
  return [
    {
      id: 'control-unproven',
      title:
        'Any merchant may name a host that it does not control: verified, and nobody has shown who runs it',
      rules: ['PV-VERIFIED', 'CONCLUSION'],
      html: page(ORDINARY, node(proof(issuer, { storeName: 'The demo shop' }))),
      registry: unproven,
      verdict: 'verified',
      checks: { domainVerified: false },
      warnings: ['domain_unverified'],
      conclusion: ['control_unproven', 'control_unknown'],
    },
    {
      id: 'control-signed-as-unproven',
      title: 'The proof itself says that control had not been proven',
      rules: ['PV-VERIFIED', 'CONCLUSION'],
      html: page(ORDINARY, kettle({ control: { method: 'none' } })),
      registry: unproven,
      verdict: 'verified',
      checks: { domainVerified: false },
      warnings: ['domain_unverified'],
      conclusion: 'control_unproven',
    },
    {
      id: 'other-goods',
      title: 'A genuine certificate on its own page, which sells something else',
      rules: ['PV-VERIFIED', 'CONCLUSION'],
      html: pageOf('Rolex Submariner, 18k gold', OTHER_GOODS, kettle({ productName: 'Pot number 6' })),
      verdict: 'verified',
      checks: {},
      conclusion: 'page_differs',
    },
    {
      id: 'list',
      title: 'A list of certified products of the shop, with the markup of each',
      rules: ['PV-LIST', 'CONCLUSION'],
      html: pageOf('Kettles', `<h1>Kettles</h1>${CARDS}`, kettle(), teapot),
      finalUrl: LIST_URL,
      ...elsewhere,
      findings: ['certified_product_list'],
      conclusion: 'product_list',
    },
    {
      id: 'list-and-other-goods',
      title: 'The page of another product that shows two certified ones as well is no list',
      rules: ['PV-LIST', 'CONCLUSION'],
      html: pageOf(
        'Rolex Submariner, 18k gold',
        `${OTHER_GOODS}<h2>You may also like</h2>${CARDS}`,
        kettle(),
        teapot,
      ),
      finalUrl: LIST_URL,
      ...elsewhere,
      notFindings: ['certified_product_list'],
      conclusion: 'another_page',
    },
    {
      id: 'list-unproven',
      title: 'A list on a host that nobody has proven is no list of its shop',
      rules: ['PV-LIST', 'CONCLUSION'],
      html: pageOf('Kettles', `<h1>Kettles</h1>${CARDS}`, kettle({ control: { method: 'none' } }), teapot),
      finalUrl: LIST_URL,
      ...elsewhere,
      registry: unproven,
      other: unproven,
      checks: { boundToUrl: false, domainVerified: false },
      warnings: ['domain_unverified'],
      notFindings: ['certified_product_list'],
      conclusion: 'another_page',
    },
    {
      id: 'parameter',
      title: 'The signed page with a parameter of the shop: told as that page, and leads to it',
      rules: ['PV-PARAMETER', 'CONCLUSION'],
      html: page(ORDINARY, kettle()),
      ...parameter,
    },
    {
      id: 'parameter-beside-others',
      title: 'Likewise if certificates of other products come first',
      rules: ['PV-PARAMETER', 'CONCLUSION'],
      html: page(ORDINARY, teapot, kettle()),
      ...parameter,
    },
    {
      id: 'parameter-of-another-product',
      title: 'A signed parameter with another value is the page of another product',
      rules: ['PV-PARAMETER', 'CONCLUSION'],
      html: page(ORDINARY, { ...kettle({ url: INDEX_7 }), url: INDEX_7 }),
      finalUrl: INDEX_7.replace('7', '8'),
      ...elsewhere,
      notFindings: ['certified_without_parameter'],
      conclusion: 'another_page',
    },
    {
      id: 'parameter-repeated',
      title: 'A signed parameter with a second value, which shops read in its place',
      rules: ['PV-PARAMETER', 'CONCLUSION'],
      html: page(ORDINARY, { ...kettle({ url: INDEX_7 }), url: INDEX_7 }),
      finalUrl: `${INDEX_7}&product=8`,
      ...elsewhere,
      notFindings: ['certified_without_parameter'],
      conclusion: 'another_page',
    },
  ];
}

const INDEX_7 = 'https://shop.example/index.php?product=7';
const ROUTE = 'https://shop.example/#!/kettle/7';
const COPY = 'https://bargains.example/products/kettle';
const foreign = {
  domainKnown: false,
  domainVerified: false,
  boundToUrl: false,
  boundToDomain: false,
} as const;

function failedPages({ issuer, impostor }: Keys): PageCase[] {
  const sound = node(proof(issuer));
  const rules = ['PV-CHECKS-FAILED'];
  const verdict = 'checks_failed';
  return [
    {
      id: 'edited',
      title: 'The document says another product than its proof',
      rules: [...rules, 'CHECK-INTEGRITY'],
      html: page({ ...sound, productID: OTHER_PRODUCT_ID }),
      verdict,
      checks: { certificateIntegrity: false },
      errors: ['document_differs'],
    },
    {
      id: 'forged',
      title: 'Signed by somebody else under the name of the key',
      rules: [...rules, 'CHECK-SIGNATURE'],
      html: page(node(proof(impostor))),
      verdict,
      checks: { signatureValid: false, certificateIntegrity: null },
      errors: ['signature_mismatch'],
    },
    {
      id: 'other-route',
      title: 'Another page of the same script than the signed one',
      rules: [...rules, 'EQ-URL'],
      html: page(node(proof(issuer, { url: ROUTE }), { url: ROUTE })),
      finalUrl: 'https://shop.example/#!/kettle/8',
      verdict,
      checks: { boundToUrl: false },
      errors: ['url_differs'],
    },
    {
      id: 'address-too-long',
      title: 'A document that repeats its address with 9,000 characters of junk behind it',
      rules: [...rules, 'CHECK-INTEGRITY'],
      html: page({ ...sound, url: `${PAGE_URL}?${'a&'.repeat(4500)}` }),
      verdict,
      checks: { certificateIntegrity: false },
      errors: ['document_differs'],
    },
    {
      id: 'copied',
      title: 'Copied onto another site',
      rules: [...rules, 'PV-COPIED-OLD'],
      html: page(sound),
      finalUrl: COPY,
      verdict,
      checks: foreign,
      warnings: ['domain_unknown'],
      errors: ['domain_differs', 'url_differs'],
    },
    {
      id: 'another-page',
      title: 'On another page of the same shop',
      rules: [...rules, 'CHECK-URL'],
      html: page(sound),
      finalUrl: 'https://shop.example/products/teapot',
      verdict,
      checks: { boundToUrl: false },
      errors: ['url_differs'],
    },
    {
      id: 'another-address',
      title: 'On the www of the same shop',
      rules: [...rules, 'KNOWN-DOMAIN'],
      html: page(sound),
      finalUrl: 'https://www.shop.example/products/kettle',
      verdict,
      checks: { boundToUrl: false, boundToDomain: false },
      errors: ['another_address_of_shop', 'url_differs'],
    },
    {
      id: 'canonical-link',
      title: 'At an address of its own, with a canonical link to the signed one: a finding, no pass',
      rules: [...rules, 'EQ-URL'],
      html: pageWith(`<link rel="canonical" href="${PAGE_URL}">`, sound),
      finalUrl: `${PAGE_URL}?size=m`,
      verdict,
      checks: { boundToUrl: false },
      findings: ['canonical_link_matches'],
      errors: ['url_extra_parameter'],
    },
    {
      id: 'copied-canonical-link',
      title: 'Copied, with a canonical link to the original: no excuse, and no finding',
      rules: [...rules, 'EQ-URL', 'PV-COPIED-OLD'],
      html: pageWith(`<link rel="canonical" href="${PAGE_URL}">`, sound),
      finalUrl: COPY,
      verdict,
      checks: foreign,
      notFindings: ['canonical_link_matches'],
      warnings: ['domain_unknown'],
      errors: ['domain_differs', 'url_differs'],
    },
    {
      id: 'forged-canonical-link',
      title: 'Forged, at an address of its own, with a canonical link to the signed one: no finding',
      rules: [...rules, 'EQ-URL'],
      html: pageWith(`<link rel="canonical" href="${PAGE_URL}">`, node(proof(impostor))),
      finalUrl: `${PAGE_URL}?size=m`,
      verdict,
      checks: { boundToUrl: false, signatureValid: false, certificateIntegrity: null },
      notFindings: ['canonical_link_matches'],
      errors: ['signature_mismatch', 'url_extra_parameter'],
    },
    {
      id: 'canonical-link-elsewhere',
      title: 'At an address of its own, with a canonical link to a third page: no finding',
      rules: [...rules, 'EQ-URL'],
      html: pageWith('<link rel="canonical" href="https://shop.example/products/teapot">', sound),
      finalUrl: `${PAGE_URL}?size=m`,
      verdict,
      checks: { boundToUrl: false },
      notFindings: ['canonical_link_matches'],
      errors: ['url_extra_parameter'],
    },
    {
      id: 'edited-canonical-link',
      title: 'At the signed address, edited, with a canonical link to it: the address is not what is wrong',
      rules: [...rules, 'EQ-URL'],
      html: pageWith(`<link rel="canonical" href="${PAGE_URL}">`, { ...sound, productID: OTHER_PRODUCT_ID }),
      verdict,
      checks: { certificateIntegrity: false },
      notFindings: ['canonical_link_matches'],
      errors: ['document_differs'],
    },
    {
      id: 'copied-forged',
      title: 'Copied and forged: that the site differs proves nothing then, and does not lead',
      rules: [...rules, 'CHECK-SIGNATURE'],
      html: page(node(proof(impostor))),
      finalUrl: COPY,
      verdict,
      checks: { ...foreign, signatureValid: false, certificateIntegrity: null },
      lead: 'signature_mismatch',
      warnings: ['domain_unknown'],
      errors: ['signature_mismatch', 'domain_differs', 'url_differs'],
    },
    {
      id: 'other-product',
      title: 'The canonical source names this product, the proof another',
      rules: [...rules, 'CHECK-PRODUCT'],
      html: page({
        ...node(proof(issuer, { productId: OTHER_PRODUCT_ID })),
        productID: undefined,
        'svc:issuedFor': {},
      }),
      verdict,
      checks: { productIdMatches: false, trustDataCurrent: null },
      errors: ['product_differs'],
    },
    {
      id: 'future',
      title: 'Issued in the future',
      rules: [...rules, 'CHECK-TIME'],
      html: page(sound),
      now: NOW - 30 * DAY,
      verdict,
      checks: { timestampValid: false },
      errors: ['proof_not_yet_valid'],
    },
    {
      id: 'empty-proof',
      title: 'A proof that is an empty text',
      rules,
      html: page(node('')),
      verdict,
      checks: {
        boundToUrl: null,
        boundToDomain: null,
        productIdMatches: null,
        signatureValid: false,
        certificateIntegrity: false,
        trustDataCurrent: null,
        timestampValid: null,
      },
      errors: ['proof_malformed'],
    },
  ];
}

function expiredPages({ issuer, impostor }: Keys): PageCase[] {
  const sound = node(proof(issuer));
  const late = NOW + 30 * DAY;
  return [
    {
      id: 'expired',
      title: 'Past its 7 days, nothing else amiss',
      rules: ['PV-EXPIRED', 'PV-NOT-FAILURES'],
      html: page(sound),
      now: late,
      verdict: 'certificate_expired',
      checks: { timestampValid: false },
      warnings: ['certificate_past_lifetime', 'proof_expired'],
    },
    {
      id: 'expired-coverage-changed',
      title: 'Past its 7 days, and the counts have changed since',
      rules: ['PV-EXPIRED', 'VV-ADVISORY'],
      html: page(sound),
      now: late,
      registry: { coverage: { certifiedAssets: 4, totalAssets: 4, coveragePercent: 100 } },
      verdict: 'certificate_expired',
      checks: { timestampValid: false, trustDataCurrent: false },
      warnings: ['certificate_past_lifetime', 'proof_expired', 'coverage_changed'],
    },
    {
      id: 'expired-copied',
      title: 'Copied, and past its 7 days: still a failure',
      rules: ['PV-CHECKS-FAILED', 'PV-COPIED-OLD'],
      html: page(sound),
      finalUrl: COPY,
      now: late,
      verdict: 'checks_failed',
      checks: { ...foreign, timestampValid: false },
      warnings: ['domain_unknown'],
      errors: ['domain_differs', 'url_differs', 'proof_expired'],
    },
    {
      id: 'expired-forged',
      title: 'Forged, and past its 7 days: still a failure',
      rules: ['PV-CHECKS-FAILED', 'PV-COPIED-OLD'],
      html: page(node(proof(impostor))),
      now: late,
      verdict: 'checks_failed',
      checks: { signatureValid: false, certificateIntegrity: null, timestampValid: false },
      errors: ['signature_mismatch', 'proof_expired'],
    },
    {
      id: 'expired-edited',
      title: 'Edited, and past its 7 days: still a failure',
      rules: ['PV-CHECKS-FAILED', 'PV-COPIED-OLD'],
      html: page({ ...sound, url: 'https://shop.example/products/teapot' }),
      now: late,
      verdict: 'checks_failed',
      checks: { certificateIntegrity: false, timestampValid: false },
      errors: ['document_differs', 'proof_expired'],
    },
  ];
}

const signatureChecksNull = {
  boundToUrl: null,
  boundToDomain: null,
  productIdMatches: null,
  signatureValid: null,
  certificateIntegrity: null,
  trustDataCurrent: null,
  timestampValid: null,
} as const;

function unsignedPages({ issuer }: Keys): PageCase[] {
  const sound = node(proof(issuer));
  const none: [string, string, string][] = [
    ['no-markup', 'A page without any markup', page()],
    ['no-certificate', 'A page with a product and no certificate', page(ORDINARY)],
    ['not-a-product', 'svc:issuedFor on a node that is no product', page({ ...sound, '@type': 'Offer' })],
    ['no-issued-for', 'A signed node without svc:issuedFor', page({ ...sound, 'svc:issuedFor': undefined })],
    [
      'other-script',
      'The certificate in a script of another type',
      `<!doctype html><title>Kettle</title><script type="text/plain">${JSON.stringify(sound)}</script>`,
    ],
    [
      'in-comment',
      'The certificate in a comment',
      `<!doctype html><title>Kettle</title><!-- ${block(sound)} -->`,
    ],
    [
      'in-text',
      'The certificate as visible text',
      `<!doctype html><title>Kettle</title><pre>${JSON.stringify(sound)}</pre>`,
    ],
  ];
  return [
    {
      id: 'unverified',
      title: 'An identity-only certificate: names the product, signs nothing',
      rules: ['PV-UNVERIFIED', 'PV-NOT-FAILURES'],
      html: page(ORDINARY, unsigned),
      verdict: 'unverified',
      checks: signatureChecksNull,
      warnings: ['proof_absent'],
    },
    {
      id: 'unverified-not-active',
      title: 'An identity-only certificate of a product that is not active',
      rules: ['PV-UNVERIFIED', 'VERIFY-STATES'],
      html: page(unsigned),
      registry: { publishing: false },
      verdict: 'unverified',
      checks: signatureChecksNull,
      warnings: ['proof_absent', 'product_not_publishing'],
    },
    ...none.map(
      ([id, title, html]): PageCase => ({
        id,
        title,
        rules: ['PV-NO-CERTIFICATE', 'PV-CANDIDATES'],
        html,
        verdict: 'no_certificate',
        warnings: ['certificate_absent'],
      }),
    ),
    {
      id: 'deleted',
      title: 'A sound certificate of a product that is not in the registry',
      rules: ['PV-DELETED'],
      html: page(sound),
      registry: null,
      verdict: 'product_deleted',
      errors: ['product_unknown'],
    },
  ];
}

/** Possible values of `canonicalSource`. */
function sources({ issuer }: Keys): PageCase[] {
  const jwt = proof(issuer);
  const pointing = (source: unknown) => page(node(jwt, { 'svc:status': { canonicalSource: source } }));
  const invalid: [string, string, string, unknown][] = [
    ['missing', 'No canonical source', 'canonical_source_missing', undefined],
    [
      'without-url',
      'A canonical source without an address',
      'canonical_source_missing',
      { httpMethod: 'GET' },
    ],
    ['text', 'A canonical source that is a text', 'canonical_source_missing', ISSUER + PATH],
    ['relative', 'A relative address', 'canonical_source_url_invalid', { url: PATH }],
    [
      'http',
      'An address by http',
      'canonical_source_not_https',
      { url: `http://certificates.example${PATH}` },
    ],
    ['script', 'A script', 'canonical_source_not_https', { url: 'javascript:alert(1)' }],
    ['post', 'An address to post to', 'canonical_source_method', { url: ISSUER + PATH, httpMethod: 'POST' }],
    ['path', 'Another path', 'canonical_source_path', { url: `${ISSUER}/certificates/${PRODUCT_ID}` }],
    [
      'asset',
      'The address of an asset certificate',
      'canonical_source_path',
      { url: `${ISSUER}/api/v1/mc4p/assets/${PRODUCT_ID}/certificate` },
    ],
    [
      'not-uuid',
      'A product that is no UUID',
      'canonical_source_path',
      { url: `${ISSUER}/api/v1/mc4p/products/kettle-7/certificate` },
    ],
    ['longer', 'A path that goes on', 'canonical_source_path', { url: `${ISSUER}${PATH}/../../x` }],
    ['query', 'A query', 'canonical_source_path', { url: `${ISSUER}${PATH}?as=other` }],
    [
      'credentials',
      'A user name',
      'canonical_source_path',
      { url: `https://user@certificates.example${PATH}` },
    ],
  ];
  const elsewhere: [string, string, string][] = [
    ['host', 'Another host', `https://certificates.bargains.example${PATH}`],
    ['suffix', 'A host that begins with ours', `https://certificates.example.bargains.example${PATH}`],
    ['subdomain', 'A host below ours', `https://api.certificates.example${PATH}`],
    ['port', 'Another port', `https://certificates.example:8443${PATH}`],
    ['user-name', 'Our host as a user name', `https://certificates.example@bargains.example${PATH}`],
    ['private', 'An address of a private network', `https://169.254.169.254${PATH}`],
  ];
  return [
    ...invalid.map(
      ([id, title, code, source]): PageCase => ({
        id: `source-${id}`,
        title,
        rules: ['PV-INVALID', 'PV-CANDIDATES'],
        html: pointing(source),
        verdict: 'invalid_certificate',
        errors: [code],
      }),
    ),
    ...elsewhere.map(
      ([id, title, url]): PageCase => ({
        id: `mismatch-${id}`,
        title,
        rules: ['PV-MISMATCH', 'AUTH-NO-FOLLOW'],
        html: pointing({ url, httpMethod: 'GET' }),
        verdict: 'canonical_mismatch',
        errors: ['canonical_host_foreign'],
      }),
    ),
    {
      id: 'source-upper-case',
      title: 'A canonical source with the product in upper case',
      rules: ['PV-VERIFIED', 'PV-CANDIDATES'],
      html: pointing({ url: `${ISSUER}${PATH.replace(PRODUCT_ID, PRODUCT_ID.toUpperCase())}` }),
      verdict: 'verified',
      checks: {},
    },
    {
      id: 'source-without-method',
      title: 'A canonical source that names no method: GET is the default',
      rules: ['PV-VERIFIED', 'PC-ENTRYPOINT'],
      html: pointing({ url: ISSUER + PATH }),
      verdict: 'verified',
      checks: {},
    },
    {
      id: 'source-former',
      title: 'A canonical source at a former address of the service',
      rules: ['PV-VERIFIED', 'PV-CANDIDATES'],
      html: page(
        node(proof(issuer, { iss: 'https://old-certificates.example' }), {
          'svc:status': { canonicalSource: { url: `https://old-certificates.example${PATH}` } },
        }),
      ),
      issuers: [ISSUER, 'https://old-certificates.example'],
      verdict: 'verified',
      checks: {},
    },
  ];
}

const elsewhereNode = node('a.b.c', {
  'svc:status': { canonicalSource: { url: `https://other-service.example${PATH}` } },
});
const sourceless = node('a.b.c', { 'svc:status': undefined });

function several({ issuer }: Keys): PageCase[] {
  const sound = node(proof(issuer));
  const rules = ['PV-CANDIDATES'];
  return [
    {
      id: 'several-verified-wins',
      title: 'A sound certificate after an edited one: the sound one decides',
      rules,
      html: page({ ...sound, productID: OTHER_PRODUCT_ID }, sound),
      verdict: 'verified',
      checks: {},
      findings: ['several_certificates', 'certificate_set_aside'],
    },
    {
      id: 'several-failure-before-unsigned',
      title: 'An unsigned certificate does not excuse one that fails',
      rules,
      html: page(unsigned, { ...sound, productID: OTHER_PRODUCT_ID }),
      verdict: 'checks_failed',
      checks: { certificateIntegrity: false },
      findings: ['several_certificates'],
      errors: ['document_differs'],
    },
    {
      id: 'several-edited-before-foreign',
      title:
        'One that fails decides before one that is unsigned, one of another service and one without a source',
      rules,
      html: page(unsigned, elsewhereNode, sourceless, { ...sound, productID: OTHER_PRODUCT_ID }),
      verdict: 'checks_failed',
      checks: { certificateIntegrity: false },
      findings: ['several_certificates', 'certificate_set_aside'],
      errors: ['document_differs'],
    },
    {
      id: 'several-expired-before-unsigned',
      title: 'One past its 7 days decides before one that is unsigned',
      rules,
      html: page(unsigned, sound),
      now: NOW + 30 * DAY,
      verdict: 'certificate_expired',
      checks: { timestampValid: false },
      findings: ['several_certificates', 'certificate_set_aside'],
      warnings: ['certificate_past_lifetime', 'proof_expired'],
    },
    {
      id: 'several-unsigned-before-foreign',
      title: 'One of ours that is unsigned decides before one of another service and one without a source',
      rules,
      html: page(sourceless, elsewhereNode, unsigned),
      verdict: 'unverified',
      checks: signatureChecksNull,
      findings: ['several_certificates', 'certificate_set_aside'],
      warnings: ['proof_absent'],
    },
    {
      id: 'several-deleted-before-foreign',
      title:
        'One of ours whose product is gone decides before one of another service and one without a source',
      rules,
      html: page(sourceless, elsewhereNode, sound),
      registry: null,
      verdict: 'product_deleted',
      findings: ['several_certificates', 'certificate_set_aside'],
      errors: ['product_unknown'],
    },
    {
      id: 'several-foreign-before-sourceless',
      title: 'One of another service decides before one without a source',
      rules,
      html: page(sourceless, elsewhereNode),
      verdict: 'canonical_mismatch',
      findings: ['several_certificates', 'certificate_set_aside'],
      errors: ['canonical_host_foreign'],
    },
    {
      id: 'several-foreign',
      title: 'A certificate of another service beside a sound one of ours',
      rules,
      html: page(elsewhereNode, sound),
      verdict: 'verified',
      checks: {},
      findings: ['several_certificates', 'certificate_set_aside'],
    },
  ];
}

/** The requested address differs from the final one. */
function redirects({ issuer }: Keys): PageCase[] {
  const html = page(node(proof(issuer)));
  const rules = ['PV-LANDING'];
  const elsewhere = { url: COPY, rules, findings: ['page_judged'] };
  const told = 'redirected_to_another_host';
  return [
    {
      ...elsewhere,
      id: 'redirected-elsewhere',
      title: 'A copycat’s address that leads this reader to the genuine page',
      html,
      verdict: 'verified',
      checks: {},
      warnings: [told],
    },
    {
      ...elsewhere,
      id: 'redirected-elsewhere-expired',
      title: 'The same, past the 7 days: where it led is told before the age',
      html,
      now: NOW + 30 * DAY,
      verdict: 'certificate_expired',
      checks: { timestampValid: false },
      warnings: [told, 'certificate_past_lifetime', 'proof_expired'],
    },
    {
      ...elsewhere,
      id: 'redirected-elsewhere-nothing',
      title: 'An address that leads to a page on another host, without a certificate',
      html: page(ORDINARY),
      verdict: 'no_certificate',
      warnings: [told, 'certificate_absent'],
    },
    {
      ...elsewhere,
      id: 'redirected-elsewhere-failed',
      title: 'An address on another host that fails',
      failed: { code: 'timed_out', detail: '' },
      verdict: 'page_fetch_failed',
      warnings: [told],
      errors: ['timed_out'],
    },
    {
      ...elsewhere,
      id: 'redirected-from-www',
      title: 'From www. that is no domain of the store: another host like any other',
      url: 'https://www.shop.example/products/kettle',
      html,
      registry: { domains: [{ hostname: 'shop.example', verified: true }] },
      verdict: 'verified',
      checks: {},
      warnings: [told],
    },
    {
      id: 'redirected-within-store',
      title: 'From one domain of the store to another: nothing to tell',
      rules,
      url: 'https://www.shop.example/products/kettle',
      html,
      verdict: 'verified',
      checks: {},
    },
    {
      id: 'redirected-to-https',
      title: 'From http to https, with a port and in capitals: the same host',
      rules,
      url: 'http://SHOP.example.:80/products/kettle',
      html,
      verdict: 'verified',
      checks: {},
    },
    ...redirectsWithin(issuer),
  ];
}

/** To another page of the same host, or of the same store. */
function redirectsWithin(issuer: Keys['issuer']): PageCase[] {
  const html = page(node(proof(issuer)));
  const rules = ['PV-LANDING'];
  const told = { rules, findings: ['page_judged'], warnings: ['redirected_to_another_page'] };
  const variant = `${PAGE_URL}?variant=2`;
  return [
    {
      ...told,
      id: 'redirected-within-host',
      title: 'A seller’s address that leads this reader to the genuine page of another seller of the host',
      url: 'https://shop.example/user/other',
      html,
      verdict: 'verified',
      checks: {},
    },
    {
      ...told,
      id: 'redirected-within-host-nothing',
      title: 'An address that leads to another page of the host, without a certificate',
      url: 'https://shop.example/user/other',
      html: page(ORDINARY),
      verdict: 'no_certificate',
      warnings: [...told.warnings, 'certificate_absent'],
    },
    {
      ...told,
      id: 'redirected-by-parameter',
      title: 'From ?id=1 to the signed page: a parameter that may select another product',
      url: `${PAGE_URL}?id=1`,
      html,
      verdict: 'verified',
      checks: {},
    },
    {
      ...told,
      id: 'redirected-to-signed-variant',
      title: 'From the page to the variant that was signed: the requested address is not the signed one',
      url: PAGE_URL,
      finalUrl: variant,
      html: page(node(proof(issuer, { url: variant }), { url: variant })),
      verdict: 'verified',
      checks: {},
    },
    {
      ...told,
      id: 'redirected-within-store-elsewhere',
      title: 'From one domain of the store to another page on another domain of it',
      url: 'https://www.shop.example/products/teapot',
      html,
      verdict: 'verified',
      checks: {},
    },
    {
      id: 'redirected-to-itself',
      title: 'To https, a slash at the end, and without the parameters of an advertisement: the same page',
      rules,
      url: `${PAGE_URL.replace('https:', 'http:').replace('/products/', '/collections/all/products/')}?gclid=1&variant=2`,
      finalUrl: `${PAGE_URL}/`,
      html,
      verdict: 'verified',
      checks: {},
    },
  ];
}

/** Certificates of two stores for one page: the store that proved the host later, or has stronger evidence of owning it, wins. */
function owners({ issuer }: Keys): PageCase[] {
  const sound = node(proof(issuer));
  const others = node(proof(issuer, { productId: OTHER_PRODUCT_ID, storeName: 'Somebody Else' }), {
    productID: OTHER_PRODUCT_ID,
    'svc:issuedFor': { domain: 'shop.example', productID: OTHER_PRODUCT_ID },
    'svc:status': { canonicalSource: { ...SOURCE, url: SOURCE.url.replace(PRODUCT_ID, OTHER_PRODUCT_ID) } },
  });
  const rules = ['PV-CANDIDATES', 'HOST-LOST'];
  const unproven = { domains: [{ hostname: 'shop.example', verified: false }] };
  const lost = { domains: [], lostHosts: ['shop.example'], publishing: false };
  return [
    {
      id: 'owner-displaced',
      title: 'The only certificate is of a store that has lost the host',
      rules,
      html: page(sound),
      registry: lost,
      verdict: 'checks_failed',
      checks: { boundToDomain: false, domainKnown: false, domainVerified: false },
      warnings: ['product_not_publishing', 'domain_unknown'],
      errors: ['host_lost'],
    },
    {
      id: 'owner-displaced-expired',
      title: 'Past its 7 days it is no less a failure',
      rules: [...rules, 'PV-COPIED-OLD'],
      html: page(sound),
      now: NOW + 30 * DAY,
      registry: lost,
      verdict: 'checks_failed',
      checks: { boundToDomain: false, domainKnown: false, domainVerified: false, timestampValid: false },
      lead: 'host_lost',
      warnings: ['product_not_publishing', 'domain_unknown'],
      errors: ['host_lost', 'proof_expired'],
    },
    {
      id: 'owner-after-displaced',
      title: 'The owner’s certificate after that of a store that has lost the host',
      rules,
      html: page(others, sound),
      other: lost,
      verdict: 'verified',
      checks: {},
      findings: ['several_certificates'],
    },
    {
      id: 'owner-after-unproven',
      title: 'A certificate of a proven domain after one of a store that has not proven it',
      rules,
      html: page(others, sound),
      other: unproven,
      verdict: 'verified',
      checks: {},
      findings: ['several_certificates', 'certificate_outranked'],
    },
    {
      id: 'owner-after-unknown',
      title: 'A certificate of an unproven domain after one of a store that no longer names it',
      rules,
      html: page(others, sound),
      registry: unproven,
      other: { domains: [] },
      verdict: 'verified',
      checks: { domainVerified: false },
      findings: ['several_certificates', 'certificate_outranked'],
      warnings: ['domain_unverified'],
    },
    {
      id: 'owner-publishing-after-idle',
      title: 'A product that publishes after one that does not, though the latter’s domain is proven',
      rules,
      html: page(others, sound),
      registry: unproven,
      other: { publishing: false },
      verdict: 'verified',
      checks: { domainVerified: false },
      findings: ['several_certificates', 'certificate_outranked'],
      warnings: ['domain_unverified'],
    },
    {
      id: 'owner-of-both',
      title: 'Two certificates of one owner: the first decides',
      rules: ['PV-CANDIDATES'],
      html: page(others, sound),
      other: {},
      verdict: 'verified',
      checks: {},
      findings: ['several_certificates'],
      notFindings: ['certificate_outranked'],
    },
  ];
}

const PASSWORD_PAGE =
  '<!doctype html><html><head><title>Kettle House</title><script src="https://cdn.shopify.com/s/theme.js"></script></head><body><h1>Opening soon</h1><form action="/password" method="post"><input type="password" name="password"><button>Enter</button></form></body></html>';
const CHALLENGE_PAGE =
  '<!doctype html><html><head><title>Just a moment...</title></head><body><div id="challenge-form"></div><script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1"></script><noscript>Enable JavaScript and cookies to continue</noscript></body></html>';

/** Pages behind passwords or challenges, and pages that could not be fetched at all. */
function unseen({ issuer }: Keys): PageCase[] {
  const codes: [string, string][] = [
    ['timed_out', 'The page took too long'],
    ['too_large', 'The page is over the size limit'],
    ['address_blocked', 'The host is on a private network'],
    ['host_unknown', 'The host name does not exist'],
    ['connection_refused', 'Nobody listens'],
    ['tls_failed', 'The certificate of the host is not trusted'],
    ['redirect_loop', 'The page redirects in a circle'],
    ['http_status', 'The host answers 404'],
    ['not_html', 'The answer is a picture'],
  ];
  return [
    {
      id: 'password',
      title: 'The fetch landed on the password page of a storefront',
      rules: ['PV-PASSWORD'],
      html: PASSWORD_PAGE,
      finalUrl: 'https://shop.example/password',
      verdict: 'password_protected',
      errors: ['shopify_password'],
    },
    {
      id: 'challenge',
      title: 'A bot wall in place of the page',
      rules: ['PV-FETCH-FAILED'],
      html: CHALLENGE_PAGE,
      verdict: 'page_fetch_failed',
      errors: ['cloudflare_challenge'],
    },
    {
      id: 'gate-with-certificate',
      title: 'A sound certificate on a page that asks for a password too: what is stated counts',
      rules: ['PV-VERIFIED'],
      html: PASSWORD_PAGE.replace('</head>', `${block(node(proof(issuer)))}</head>`),
      verdict: 'verified',
      checks: {},
    },
    ...codes.map(
      ([code, title]): PageCase => ({
        id: `failed-${code.replaceAll('_', '-')}`,
        title,
        rules: ['PV-FETCH-FAILED', 'ERR-NOT-FETCH'],
        failed: { code, detail: '' },
        verdict: 'page_fetch_failed',
        errors: [code],
      }),
    ),
  ];
}

const SIZES = [
  { size: 'small', price: '39.00' },
  { size: 'large', price: '49.00' },
];

/** A product in two sizes, each with its own price and address. */
const GROUP = {
  '@context': 'https://schema.org',
  '@type': 'ProductGroup',
  name: 'Enamel kettle',
  hasVariant: SIZES.map(({ size, price }) => ({
    '@type': 'Product',
    name: `Enamel kettle, ${size}`,
    offers: { '@type': 'Offer', price, priceCurrency: 'EUR', url: `${PAGE_URL}?size=${size}` },
  })),
};

/** The same data as in a Shopify page's own scripts, with the form that adds the second variant to the cart. */
const SHOPIFY = `<script>var meta = ${JSON.stringify({
  product: {
    id: 71,
    variants: SIZES.map(({ size, price }, i) => ({
      id: 7101 + i,
      price: Number(price) * 100,
      name: `Enamel kettle - ${size}`,
      public_title: size,
    })),
  },
})};</script><form action="/cart/add"><input type="hidden" name="id" value="7102"></form>`;

const BOTH_SIZES = { low: '39.00', high: '49.00', value: '39.00–49.00' };

/** Which variant a page shows, and the range of all prices. */
function variantsAndRanges({ issuer }: Keys): PageCase[] {
  const sound = node(proof(issuer));
  const rules = ['FACT-SHAPE', 'FACT-NULL'];
  const unsold = { rules, verdict: 'no_certificate', warnings: ['certificate_absent'] };
  const aggregate = (low: string, high: string) =>
    page({
      ...ORDINARY,
      offers: { '@type': 'AggregateOffer', lowPrice: low, highPrice: high, priceCurrency: 'EUR' },
    });
  return [
    {
      ...unsold,
      id: 'variant-address',
      title: 'The address selects one of two variants: its price, and the range of both',
      html: page(GROUP),
      finalUrl: `${PAGE_URL}?size=large`,
      facts: {
        variant: { value: 'Enamel kettle, large', source: 'jsonld', chosen_by: 'address' },
        price: { value: '49.00', source: 'jsonld' },
        offers: { ...BOTH_SIZES, source: 'jsonld', doubts: ['inferred'] },
      },
    },
    {
      ...unsold,
      id: 'variant-page',
      title: 'The form of the page selects one',
      html: pageWith(SHOPIFY),
      facts: {
        variant: { value: 'large', source: 'html', id: '7102', chosen_by: 'page' },
        price: { value: '49.00', source: 'html' },
        offers: { ...BOTH_SIZES, source: 'html', doubts: ['inferred'] },
      },
    },
    {
      ...unsold,
      id: 'variant-none',
      title: 'Nothing selects one of two variants: there is a range, and no variant',
      html: page(GROUP),
      facts: { variant: null, offers: { ...BOTH_SIZES, doubts: ['inferred'] } },
    },
    {
      rules: [...rules, 'PV-VERIFIED'],
      id: 'range-stated',
      title: 'A range that the page states, beside a sound certificate',
      html: aggregate('39.00', '49.00').replace('</head>', `${block(sound)}</head>`),
      verdict: 'verified',
      checks: {},
      facts: {
        variant: null,
        price: { value: '39.00' },
        offers: { ...BOTH_SIZES, source: 'jsonld', field: 'offers.lowPrice' },
      },
    },
    {
      ...unsold,
      id: 'range-one-price',
      title: 'A range of one price is none',
      html: aggregate('39.00', '39.00'),
      facts: { variant: null, price: { value: '39.00' }, offers: null },
    },
    {
      ...unsold,
      id: 'range-printed',
      title: 'A range that the page prints and states nowhere',
      html: page().replace('<p>39.00 EUR</p>', '<p class="price">€39.00 – €49.00</p>'),
      facts: { price: { value: '39.00' }, offers: { ...BOTH_SIZES, source: 'html', field: 'text:price' } },
    },
    {
      rules: [...rules, 'PV-PASSWORD'],
      id: 'range-behind-password',
      title: 'What stands on a password page is no product’s',
      html: PASSWORD_PAGE.replace('</body>', `${SHOPIFY}</body>`),
      finalUrl: 'https://shop.example/password',
      verdict: 'password_protected',
      errors: ['shopify_password'],
      facts: { variant: null, offers: null, price: null },
    },
  ];
}
