/**
 * Parses the address of a shop front.
 *
 * @returns the address without query, fragment and trailing slash; `null` unless it is absolute, http or https,
 *   and free of user name and password
 * @example
 * ```ts
 * import { parseStoreUrl } from '@touchstone/catalogue';
 *
 * parseStoreUrl('https://shop.example/en/?ref=mail')?.href; // 'https://shop.example/en'
 * parseStoreUrl('shop.example'); // null
 * ```
 */
export function parseStoreUrl(text: string): URL | null {
  const url = URL.parse(text.trim());
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  if (url.username !== '' || url.password !== '') return null;
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** The page of a handle: shops serve it below their front page, a locale prefix of the store URL included. */
export function handleUrl(store: URL, handle: string): string {
  return `${store.origin}${store.pathname.replace(/\/+$/, '')}/products/${encodeURIComponent(handle)}`;
}

/** Where an address lies, compared with the store. */
export type Placement =
  | { readonly kind: 'own'; readonly url: string }
  | { readonly kind: 'foreign'; readonly origin: string; readonly rebased: string }
  | { readonly kind: 'invalid' };

/**
 * Compares by origin, not by host: http and https are different addresses to a proof, and an export
 * of a staging copy often differs in just that.
 */
export function place(store: URL, address: string): Placement {
  const url = URL.parse(address.trim(), store.href);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return { kind: 'invalid' };
  url.username = '';
  url.password = '';
  dropFragment(url);
  if (url.origin === store.origin) return { kind: 'own', url: url.href };
  return {
    kind: 'foreign',
    origin: url.origin,
    rebased: `${store.origin}${url.pathname}${url.search}${url.hash}`,
  };
}

/**
 * Drops the fragment, unless it is a route of a shop within one page (`#!/Cup/p/7` at Ecwid's), which is part of the address
 * (`binding`). Behind a document it chooses a variant (PrestaShop: `7-cup.html#/size-s`).
 */
export function dropFragment(url: URL): void {
  const isRoute = url.hash.startsWith('#!') || (url.hash.startsWith('#/') && !url.pathname.endsWith('.html'));
  if (!isRoute) url.hash = '';
}
