import { type Answer, bareCertificate, type DocumentCase, documentVector } from './builder.ts';
import type { Keys } from './keys.ts';
import { issuerKeySet, type Theme } from './theme.ts';
import { proof } from './tokens.ts';

/** When the host of the page equals the signed domain, by the WHATWG URL standard. */
export function hosts(keys: Keys): Theme {
  const made = (given: HostCase) => documentVector(hostCase(keys, given));
  return {
    name: 'hosts',
    about:
      'When the host of a page is the signed domain: case, dots, ports, punycode, look-alikes, suffixes, addresses.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: [...same, ...different].map(made),
  };
}

interface HostCase {
  readonly id: string;
  readonly title: string;
  /** The signed domain; the signed url is by default the page itself. */
  readonly domain: string;
  readonly pageUrl: string;
  readonly signedUrl?: string;
  /** The store's hostname in the registry. */
  readonly known?: string;
  readonly bound?: string;
  readonly boundToUrl?: string;
  readonly domainKnown?: string;
}

function hostCase({ issuer }: Keys, given: HostCase): DocumentCase {
  const checks: Record<string, Answer> = {};
  if (given.bound !== undefined) checks.boundToDomain = given.bound;
  if (given.boundToUrl !== undefined) checks.boundToUrl = given.boundToUrl;
  if (given.domainKnown !== undefined) {
    checks.domainKnown = given.domainKnown;
    checks.domainVerified = given.domainKnown;
  }
  const known = given.known ?? 'shop.example';
  return {
    id: `host-${given.id}`,
    title: given.title,
    rules: ['EQ-HOST', 'CHECK-DOMAIN', 'AUTH-4-DOMAIN'],
    document: bareCertificate(proof(issuer, { domain: given.domain, url: given.signedUrl ?? given.pageUrl })),
    context: {
      pageUrl: given.pageUrl,
      registry: { issuedFor: known, domains: [{ hostname: known, verified: true }] },
    },
    status: given.bound === undefined && given.boundToUrl === undefined ? 'verified' : 'failed',
    checks,
  };
}

const PATH = '/products/kettle';
const SHOP = `https://shop.example${PATH}`;
const GERMAN = { known: 'xn--bcher-kva.example', signedUrl: `https://xn--bcher-kva.example${PATH}` };

const same: readonly HostCase[] = [
  { id: 'same', title: 'The same host', domain: 'shop.example', pageUrl: SHOP },
  {
    id: 'page-case',
    title: 'The page in capitals',
    domain: 'shop.example',
    pageUrl: `https://SHOP.Example${PATH}`,
  },
  { id: 'claim-case', title: 'The claim in capitals', domain: 'Shop.EXAMPLE', pageUrl: SHOP },
  {
    id: 'page-dot',
    title: 'A dot at the end of the page host',
    domain: 'shop.example',
    pageUrl: `https://shop.example.${PATH}`,
  },
  { id: 'claim-dot', title: 'A dot at the end of the claim', domain: 'shop.example.', pageUrl: SHOP },
  {
    id: 'default-port',
    title: 'The default port',
    domain: 'shop.example',
    pageUrl: `https://shop.example:443${PATH}`,
  },
  {
    id: 'punycode',
    title: 'The page in letters, the claim in punycode',
    domain: 'xn--bcher-kva.example',
    pageUrl: `https://bücher.example${PATH}`,
    ...GERMAN,
  },
  {
    id: 'letters',
    title: 'The page in punycode, the claim in letters',
    domain: 'bücher.example',
    pageUrl: `https://xn--bcher-kva.example${PATH}`,
    ...GERMAN,
  },
  {
    id: 'letters-capital',
    title: 'Both in letters, one in capitals',
    domain: 'BÜCHER.example',
    pageUrl: `https://bücher.example${PATH}`,
    ...GERMAN,
  },
  {
    id: 'decomposed',
    title: 'Letters composed in one and decomposed in the other',
    domain: 'bücher.example',
    pageUrl: `https://bu\u0308cher.example${PATH}`,
    ...GERMAN,
  },
  {
    id: 'full-width',
    title: 'Full-width letters are the same letters',
    domain: 'shop.example',
    pageUrl: `https://ｓｈｏｐ.example${PATH}`,
  },
  {
    id: 'ideographic-dot',
    title: 'An ideographic full stop is a dot',
    domain: 'shop.example',
    pageUrl: `https://shop。example${PATH}`,
  },
];

const foreign = { bound: 'domain_differs', domainKnown: 'domain_unknown' } as const;

const different: readonly HostCase[] = [
  {
    id: 'www',
    title: 'www is another host',
    domain: 'shop.example',
    pageUrl: `https://www.shop.example${PATH}`,
    ...foreign,
  },
  {
    id: 'www-claimed',
    title: 'The claim has www, the page has not',
    domain: 'www.shop.example',
    pageUrl: SHOP,
    bound: 'another_address_of_shop',
  },
  {
    id: 'subdomain',
    title: 'A subdomain',
    domain: 'shop.example',
    pageUrl: `https://m.shop.example${PATH}`,
    ...foreign,
  },
  {
    id: 'parent',
    title: 'The parent of the claim',
    domain: 'de.shop.example',
    pageUrl: SHOP,
    bound: 'another_address_of_shop',
  },
  {
    id: 'suffix',
    title: 'A host that begins with the domain',
    domain: 'shop.example',
    pageUrl: `https://shop.example.bargains.example${PATH}`,
    ...foreign,
  },
  {
    id: 'prefix',
    title: 'A host that ends with the domain, without a dot between',
    domain: 'shop.example',
    pageUrl: `https://bestshop.example${PATH}`,
    ...foreign,
  },
  {
    id: 'hyphen',
    title: 'A hyphen in place of the dot',
    domain: 'shop.example',
    pageUrl: `https://shop-example.example${PATH}`,
    ...foreign,
  },
  {
    id: 'other-tld',
    title: 'Another top-level domain',
    domain: 'shop.example',
    pageUrl: `https://shop.test${PATH}`,
    ...foreign,
  },
  {
    id: 'cyrillic',
    title: 'A Cyrillic letter that looks the same',
    domain: 'shop.example',
    pageUrl: `https://ѕhop.example${PATH}`,
    ...foreign,
  },
  {
    id: 'accent',
    title: 'A letter with an accent',
    domain: 'shop.example',
    pageUrl: `https://shöp.example${PATH}`,
    ...foreign,
  },
  {
    id: 'digit',
    title: 'A digit in place of a letter',
    domain: 'shop.example',
    pageUrl: `https://sh0p.example${PATH}`,
    ...foreign,
  },
  {
    id: 'user-name',
    title: 'The domain as a user name in front of another host',
    domain: 'shop.example',
    pageUrl: `https://shop.example@bargains.example${PATH}`,
    boundToUrl: 'url_credentials',
    ...foreign,
  },
  {
    id: 'backslash',
    title: 'A backslash ends the host',
    domain: 'shop.example',
    pageUrl: `https://bargains.example\\@shop.example${PATH}`,
    ...foreign,
  },
  {
    id: 'fragment',
    title: 'The domain in the fragment of another host',
    domain: 'shop.example',
    pageUrl: 'https://bargains.example/#shop.example',
    ...foreign,
  },
  {
    id: 'two-dots',
    title: 'Two dots at the end',
    domain: 'shop.example',
    pageUrl: `https://shop.example..${PATH}`,
    ...foreign,
  },
  {
    id: 'empty-label',
    title: 'An empty label, in claim and page',
    domain: 'shop..example',
    pageUrl: `https://shop..example${PATH}`,
    ...foreign,
  },
  {
    id: 'claim-port',
    title: 'A port in the claim: a domain has none',
    domain: 'shop.example:443',
    pageUrl: SHOP,
    bound: 'another_address_of_shop',
  },
  {
    id: 'claim-url',
    title: 'An address in the claim',
    domain: 'https://shop.example/',
    pageUrl: SHOP,
    bound: 'another_address_of_shop',
  },
  { id: 'claim-empty', title: 'An empty claim', domain: '', pageUrl: SHOP, bound: 'another_address_of_shop' },
  {
    id: 'claim-wildcard',
    title: 'A wildcard in the claim',
    domain: '*.example',
    pageUrl: SHOP,
    bound: 'another_address_of_shop',
  },
  {
    id: 'claim-list',
    title: 'Two domains in the claim',
    domain: 'shop.example bargains.example',
    pageUrl: SHOP,
    bound: 'another_address_of_shop',
  },
  {
    id: 'other-port',
    title: 'Another port: the domain is the same, the page is not',
    domain: 'shop.example',
    pageUrl: `https://shop.example:8443${PATH}`,
    signedUrl: SHOP,
    boundToUrl: 'url_differs',
  },
  {
    id: 'ipv4',
    title: 'An IPv4 address is nobody’s domain',
    domain: '192.0.2.7',
    pageUrl: `https://192.0.2.7${PATH}`,
    ...foreign,
  },
  {
    id: 'ipv4-short',
    title: 'An IPv4 address of small numbers',
    domain: '9.8.7.6',
    pageUrl: `https://9.8.7.6${PATH}`,
    ...foreign,
  },
  {
    id: 'ipv4-long',
    title: 'An IPv4 address of large numbers',
    domain: '203.113.251.249',
    pageUrl: `https://203.113.251.249${PATH}`,
    ...foreign,
  },
  {
    id: 'ipv4-known',
    title: 'An IPv4 address that a store has',
    domain: '192.0.2.7',
    pageUrl: `https://192.0.2.7${PATH}`,
    known: '192.0.2.7',
    ...foreign,
  },
  {
    id: 'ipv4-hex',
    title: 'An IPv4 address in another spelling',
    domain: '192.0.2.7',
    pageUrl: `https://0xc0.0.0x2.07${PATH}`,
    signedUrl: `https://192.0.2.7${PATH}`,
    ...foreign,
  },
  {
    id: 'ipv6',
    title: 'An IPv6 address is nobody’s domain',
    domain: '[2001:db8::7]',
    pageUrl: `https://[2001:db8::7]${PATH}`,
    ...foreign,
  },
  {
    id: 'relative',
    title: 'A page address without a host',
    domain: 'shop.example',
    pageUrl: PATH,
    signedUrl: SHOP,
    bound: 'page_url_invalid',
    boundToUrl: 'page_url_invalid',
    domainKnown: 'domain_unknown',
  },
  {
    id: 'no-scheme',
    title: 'A page address without a scheme',
    domain: 'shop.example',
    pageUrl: `shop.example${PATH}`,
    signedUrl: SHOP,
    bound: 'page_url_invalid',
    boundToUrl: 'page_url_invalid',
    domainKnown: 'domain_unknown',
  },
  {
    id: 'file',
    title: 'A file',
    domain: 'shop.example',
    pageUrl: 'file://shop.example/products/kettle',
    signedUrl: SHOP,
    bound: 'page_url_invalid',
    boundToUrl: 'page_url_invalid',
    domainKnown: 'domain_unknown',
  },
  {
    id: 'javascript',
    title: 'A script',
    domain: 'shop.example',
    pageUrl: 'javascript://shop.example/%0aalert(1)',
    signedUrl: SHOP,
    bound: 'page_url_invalid',
    boundToUrl: 'page_url_invalid',
    domainKnown: 'domain_unknown',
  },
  {
    id: 'broken-host',
    title: 'A host that is none',
    domain: 'shop.example',
    pageUrl: 'https://shop example/products/kettle',
    signedUrl: SHOP,
    bound: 'page_url_invalid',
    boundToUrl: 'page_url_invalid',
    domainKnown: 'domain_unknown',
  },
];
