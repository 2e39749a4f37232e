import { createHash } from 'node:crypto';
import { pageKey, pageKeys } from '@touchstone/certificate/binding';

/** `products.page_key` of a product with this address: a bigint, as text. */
export function storedPageKey(url: string): string {
  return digestOf(pageKey(url) ?? url);
}

/** `products.page_key` of the products whose page may have this address. */
export function wantedPageKeys(page: string): string[] {
  return pageKeys(page).map(digestOf);
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest().readBigInt64BE().toString();
}
