import type { DomainView, Store } from '@touchstone/contract';

type ProofMethod = 'well_known' | 'meta_tag' | 'dns_txt';

/** One method to prove control of a host: the exact content and its place. */
interface ProofWay {
  readonly method: ProofMethod;
  readonly where: string;
  readonly put: string;
}

/** The easiest method of the platform first. */
const ORDER: Readonly<Record<Store['platform'], readonly ProofMethod[]>> = {
  shopify: ['meta_tag', 'dns_txt', 'well_known'],
  woocommerce: ['well_known', 'meta_tag', 'dns_txt'],
  custom: ['well_known', 'meta_tag', 'dns_txt'],
};

/** All methods to prove a domain, the most suitable one for the platform first. */
export function proofWays(
  { url, platform }: Pick<Store, 'url' | 'platform'>,
  { hostname, challenge }: Pick<DomainView, 'hostname' | 'challenge'>,
): ProofWay[] {
  const home = URL.parse(url);
  // the service requests the store's own address for the store's own host
  const origin = home?.hostname === hostname ? home.origin : `https://${hostname}`;
  const ways: Readonly<Record<ProofMethod, Omit<ProofWay, 'method'>>> = {
    well_known: { where: `${origin}/.well-known/touchstone-challenge`, put: challenge },
    meta_tag: { where: `${origin}/`, put: `<meta name="touchstone-challenge" content="${challenge}">` },
    dns_txt: { where: `_touchstone-challenge.${hostname}`, put: challenge },
  };
  return ORDER[platform].map((method) => ({ method, ...ways[method] }));
}
