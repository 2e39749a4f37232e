import { dropFragment } from './store-url.ts';

/**
 * Parameters that choose a variant of the page or the currency it shows, or say where a click came from; the page is the
 * same without. Shoptet says `variantId`, PrestaShop `id_product_attribute`, BigCommerce `setCurrencyId`.
 */
const CHOOSING =
  /^(variant|variant_?id|variation_id|id_product_attribute|attribute_.*|utm_.*|gclid|srsltid|fbclid|currency|setcurrencyid|country|ref|pr_.*)$/i;

/** Parameters that choose a variant in some shops (BigCommerce), and in others name the product. */
const PERHAPS_CHOOSING = /^(sku|size|colou?r)$/i;

/** Where an item is bought. */
export interface ItemPage {
  /** As the feed says where it is no address. */
  readonly url: string | undefined;
  /** By which two items are on one page: a slash at the end of the path and the order of parameters make no other page. */
  readonly key: string | undefined;
  /** Whether a parameter was dropped that chooses a variant as long as no other product has this page. */
  readonly isGuess: boolean;
}

/**
 * The page of an item: a certificate is for the page, whichever variant a link to it has chosen.
 *
 * @param isExact - keeps parameters that only perhaps choose a variant
 */
export function pageOf(link: string | undefined, isExact: boolean): ItemPage {
  const url = URL.parse(link ?? '');
  if (url === null) return { url: link, key: link, isGuess: false };
  const isGuess = !isExact && drop(url, PERHAPS_CHOOSING);
  drop(url, CHOOSING);
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
