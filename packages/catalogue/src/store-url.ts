/**
 * Parses the address of a storefront.
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

/** The page of a handle, below the address of the storefront, which may have a locale prefix. */
export function handleUrl(store: URL, handle: string): string {
  return `${store.origin}${store.pathname.replace(/\/+$/, '')}/products/${encodeURIComponent(handle)}`;
}

/** An address in relation to the origin of the store. */
export type LocatedAddress =
  | { readonly kind: 'own'; readonly url: string }
  | { readonly kind: 'foreign'; readonly origin: string; readonly rebased: string }
  | { readonly kind: 'invalid' };

/** Characters of an address; the registry accepts a quarter. */
export const MAX_ADDRESS = 8_192;

/**
 * Compares origins, not hosts: http and https are different addresses in a proof, and an export from a staging copy often
 * differs only in that.
 */
export function locate(store: URL, address: string): LocatedAddress {
  const url = address.length > MAX_ADDRESS ? null : URL.parse(address.trim(), store.href);
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
 * Drops the fragment, unless it is a client-side route (Ecwid: `#!/Cup/p/7`), which is part of the address (`binding`). After a
 * file name it selects a variant (PrestaShop: `7-cup.html#/size-s`).
 */
export function dropFragment(url: URL): void {
  const isRoute = url.hash.startsWith('#!') || (url.hash.startsWith('#/') && !url.pathname.endsWith('.html'));
  if (!isRoute) url.hash = '';
}
