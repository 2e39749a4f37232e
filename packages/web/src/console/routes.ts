import { hasPart } from '../ui/page-data.ts';
import { BASE } from './navigation.ts';

/** Every page of the console, with its path. */
const PATHS = {
  home: '',
  newStore: '/stores/new',
  store: '/stores/{storeId}',
  guide: '/stores/{storeId}/guide',
  products: '/stores/{storeId}/products',
  product: '/stores/{storeId}/products/{productId}',
  images: '/stores/{storeId}/images',
  pages: '/stores/{storeId}/pages',
  copies: '/stores/{storeId}/copies',
  settings: '/stores/{storeId}/settings',
  keys: '/keys',
  webhooks: '/webhooks',
  webhook: '/webhooks/{webhookId}',
  activity: '/activity',
  withdrawals: '/withdrawals',
  evidence: '/evidence',
  operator: '/operator',
  merchants: '/operator/merchants',
  merchant: '/operator/merchants/{merchantId}',
  signingKeys: '/operator/signing-keys',
  hosts: '/operator/hosts',
} as const;

export type PageName = keyof typeof PATHS;

/** The part of the service that a page is about, besides the console. */
const PART_OF: Partial<Record<PageName, string>> = {
  pages: 'sweeps',
  copies: 'copies',
  webhooks: 'webhooks',
  webhook: 'webhooks',
  evidence: 'receipts',
};

/** Whether the service has what a page is about. */
export function isThere(page: PageName): boolean {
  const part = PART_OF[page];
  return part === undefined || hasPart(part);
}

type ParamsIn<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsIn<Rest>
  : never;
export type RouteParams<N extends PageName> = { readonly [K in ParamsIn<(typeof PATHS)[N]>]: string };

export type Route = { [N in PageName]: { readonly page: N; readonly params: RouteParams<N> } }[PageName];

/** The page at a path; `undefined` if there is none. */
export function routeOf(path: string): Route | undefined {
  const parts = path.slice(BASE.length).replace(/\/$/, '').split('/');
  for (const [page, pattern] of Object.entries(PATHS)) {
    const params = match(pattern.split('/'), parts);
    if (params !== undefined) return { page, params } as unknown as Route;
  }
  return undefined;
}

function match(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const wanted = pattern[index] ?? '';
    const name = /^\{(.+)\}$/.exec(wanted)?.[1];
    if (name === undefined) {
      if (wanted !== part) return undefined;
      continue;
    }
    const value = decoded(part);
    if (value === undefined || value === '') return undefined;
    params[name] = value;
  }
  return params;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

/** The address of a page. */
export function href<N extends PageName>(page: N, params: RouteParams<N>, query: Query = {}): string {
  const values = params as Readonly<Record<string, string>>;
  const path = PATHS[page].replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  );
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return `${BASE}${path}${search === '' ? '' : `?${search}`}`;
}
