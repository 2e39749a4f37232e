import type { DomainView, Store } from '@touchstone/contract';
import { safe } from '../output/text.ts';

/** One way to prove control of a host: exactly what to put where. */
interface DomainProofWay {
  readonly method: 'well_known' | 'meta_tag' | 'dns_txt';
  readonly where: string;
  readonly put: string;
  /** What helps, or prevents it, on the store's platform. */
  readonly hint: string | undefined;
}

type Method = DomainProofWay['method'];

/** The easiest method of each platform comes first. */
const ORDER: Readonly<Record<Store['platform'], readonly Method[]>> = {
  shopify: ['meta_tag', 'dns_txt', 'well_known'],
  woocommerce: ['well_known', 'meta_tag', 'dns_txt'],
  custom: ['well_known', 'meta_tag', 'dns_txt'],
};

const HINTS: Readonly<Record<Store['platform'], Readonly<Partial<Record<Method, string>>>>> = {
  shopify: {
    meta_tag: 'Online Store > Themes > … > Edit code > layout/theme.liquid, after <head>.',
    dns_txt: 'Where the domain is managed: Settings > Domains, or your registrar. Not for *.myshopify.com.',
    well_known: 'Shopify does not serve your own files there: use another method.',
  },
  woocommerce: {
    well_known:
      'A file in the folder that contains wp-config.php; some hosts block names that begin with a dot.',
    meta_tag:
      'With a plugin that adds code to the header, or in header.php of a child theme. Then clear the page cache.',
  },
  custom: {
    well_known: 'With most site builders: public/.well-known/touchstone-challenge or static/….',
  },
};

/** All ways to prove a domain, the best one for the platform first. */
export function domainProofWays(
  store: Pick<Store, 'url' | 'platform'>,
  { hostname, challenge }: Pick<DomainView, 'hostname' | 'challenge'>,
): DomainProofWay[] {
  const home = URL.parse(store.url);
  // the service requests the store's own origin for the store's own host
  const origin = home?.hostname === hostname ? home.origin : `https://${hostname}`;
  const ways: Readonly<Record<Method, Omit<DomainProofWay, 'method' | 'hint'>>> = {
    well_known: { where: `${origin}/.well-known/touchstone-challenge`, put: challenge },
    meta_tag: { where: `${origin}/`, put: `<meta name="touchstone-challenge" content="${challenge}">` },
    dns_txt: { where: `_touchstone-challenge.${hostname}`, put: challenge },
  };
  return ORDER[store.platform].map((method) => {
    return { method, ...ways[method], hint: HINTS[store.platform][method] };
  });
}

const TITLES: Readonly<Record<Method, string>> = {
  well_known: 'A text file with this content, at',
  meta_tag: 'This in the <head> of',
  dns_txt: 'A TXT record of DNS with this value, named',
};

/** Each way as text, and how to start the verification. */
export function domainProofText(
  store: Pick<Store, 'id' | 'url' | 'platform'>,
  domain: Pick<DomainView, 'hostname' | 'challenge'>,
): string {
  const ways = domainProofWays(store, domain).map(
    ({ method, where, put, hint }, index) =>
      `  ${index + 1}. ${TITLES[method]} ${safe(where)}\n       ${safe(put)}\n${hint === undefined ? '' : `     ${hint}\n`}`,
  );
  const host = safe(domain.hostname);
  return (
    `To prove that you control ${host}, do one of these:\n${ways.join('')}` +
    `Then let the service check it: touchstone domains verify ${safe(store.id)} ${host}\n`
  );
}

/** Whether something is to be put on the host: also to get it from another merchant. */
export function isOpenDomain({ verified, missing }: DomainView): boolean {
  return !verified || missing !== undefined;
}

/** Whether a domain is proven, in a few words. */
export function domainState(domain: DomainView): string {
  const { verified, confirmedAt, missing, lostAt, decidedAt } = domain;
  const contested = decidedAt === undefined ? '' : `; contested: both merchants are checked at ${decidedAt}`;
  if (lostAt !== undefined)
    return `lost at ${lostAt}: another merchant proved that it controls it${contested}`;
  if (missing !== undefined)
    return `proven until ${missing.until}: challenge not found since ${missing.since}${contested}`;
  if (!verified) return 'not proven';
  return `proven${confirmedAt === undefined ? '' : `; last found at ${confirmedAt}`}${contested}`;
}
