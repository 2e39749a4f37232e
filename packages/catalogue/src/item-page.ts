import { dropFragment, MAX_ADDRESS } from './store-url.ts';

/**
 * Parameters that select a variant or a currency, or track clicks; the page is the same without them. Shoptet uses `variantId`,
 * PrestaShop `id_product_attribute`, BigCommerce `setCurrencyId`.
 */
const SELECTING =
  /^(variant|variant_?id|variation_id|id_product_attribute|attribute_.*|utm_.*|gclid|srsltid|fbclid|currency|setcurrencyid|country|ref|pr_.*)$/i;

/** Parameters that select a variant in some shops (BigCommerce), and identify the product in others. */
const PERHAPS_SELECTING = /^(sku|size|colou?r)$/i;

/** The page on which an item is sold. */
export interface ItemPage {
  /** As stated by the feed if it is not an address. */
  readonly url: string | undefined;
  /** Equal for items on the same page: a trailing slash of the path and the order of parameters do not count. */
  readonly key: string | undefined;
  /** Whether a parameter was dropped that only perhaps selects a variant: not if another product has this page. */
  readonly isGuess: boolean;
}

/**
 * The page of an item: a certificate is for the page, whichever variant the link selects.
 *
 * @param isExact - keeps parameters that only perhaps select a variant
 */
export function pageOf(link: string | undefined, isExact: boolean): ItemPage {
  // a longer one is rejected; its parameters would be searched one by one
  const url = (link?.length ?? 0) > MAX_ADDRESS ? null : URL.parse(link ?? '');
  if (url === null) return { url: link, key: link, isGuess: false };
  const isGuess = !isExact && drop(url, PERHAPS_SELECTING);
  drop(url, SELECTING);
  dropFragment(url);
  const key = new URL(url);
  key.pathname = key.pathname.replace(/\/$/, '');
  key.searchParams.sort();
  return { url: url.href, key: key.href, isGuess };
}

function drop(url: URL, names: RegExp): boolean {
  const found = [...url.searchParams.keys()].filter((name) => names.test(name));
  for (const name of found) url.searchParams.delete(name);
  return found.length > 0;
}
