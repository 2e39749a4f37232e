import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { type PageCase, readJson, type Truth } from './corpus.ts';

/**
 * Mirrors of Shopify shops, one folder each, as saved by a crawler: pages `products/<slug>.html`, with the shop's oEmbed response
 * `products/<slug>.oembed` as ground truth. They are not part of the repository: `TOUCHSTONE_SHOPS` names their folder.
 */
export interface ShopCase extends PageCase {
  /** Database ids of the product and its variants: neither prices nor article numbers. */
  readonly ids: ReadonlySet<string>;
}

const MOST_PER_SHOP = 60;

/** The pages of every mirror with ground truth; for a large shop, an evenly spread sample. */
export function readShops(env: Readonly<Record<string, string | undefined>>): ShopCase[] {
  const folder = env.TOUCHSTONE_SHOPS;
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .flatMap((shop) =>
      spread(pagesOf(join(folder, shop)), MOST_PER_SHOP).map((path) => caseOf(folder, shop, path)),
    );
}

function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)] as T);
}

/** Pages with an oEmbed response in the same folder: elsewhere in a mirror it may be from another country. */
function pagesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html') && /(?:^|\/)products\/[^/]+$/.test(path))
    .map((path) => join(folder, path))
    .filter((path) => existsSync(oembedOf(path)) && isOneMarket(path))
    .toSorted();
}

/** Whether page and response have the same currency: a crawler may have fetched them from two countries. */
function isOneMarket(path: string): boolean {
  const sells = /"Viewed Product",\s*\{\s*"currency":\s*"([A-Z]{3})"/.exec(readFileSync(path, 'utf8'))?.[1];
  const { offers } = readJson<Oembed>(oembedOf(path));
  return sells === undefined || offers.every(({ currency_code }) => currency_code === sells);
}

/** The slug of a saved page, and the query of its address, for which crawlers use their own separators. */
const SAVED = /^(?<slug>[^?@﹖]+)(?:[?@﹖](?<query>.*))?\.html$/u;

function oembedOf(path: string): string {
  return join(dirname(path), `${SAVED.exec(basename(path))?.groups?.slug ?? basename(path)}.oembed`);
}

interface Oembed {
  readonly url: string;
  readonly brand?: string | null;
  readonly offers: readonly {
    readonly offer_id: number;
    readonly sku?: string | null;
    readonly price: number;
    readonly currency_code: string;
    readonly in_stock: boolean;
  }[];
}

function caseOf(folder: string, shop: string, path: string): ShopCase {
  const oembed = readJson<Oembed>(oembedOf(path));
  const query = SAVED.exec(basename(path))?.groups?.query;
  const address = new URL(oembed.url);
  if (query !== undefined) address.search = query;
  const url = address.href;
  const ids = oembed.offers.map(({ offer_id }) => String(offer_id));
  return {
    id: relative(folder, path),
    url,
    family: shop,
    truth: truthOf(oembed, address),
    ids: new Set(ids),
    html: () => asServed(readFileSync(path, 'utf8'), oembed.url),
  };
}

/** Ground truth of the variant that the page shows: the address's, else the first available one. */
function truthOf(oembed: Oembed, address: URL): Truth {
  const wanted = address.searchParams.get('variant');
  const offer =
    oembed.offers.find(({ offer_id }) => String(offer_id) === wanted) ??
    oembed.offers.find(({ in_stock }) => in_stock) ??
    oembed.offers[0];
  if (offer === undefined) return { url: address.href };
  return {
    url: address.href,
    price: [String(offer.price)],
    currency: [offer.currency_code],
    availability: [offer.in_stock ? 'InStock' : 'OutOfStock'],
    ...(offer.sku && { sku: [offer.sku] }),
    ...(oembed.brand && { brand: [oembed.brand] }),
  };
}

/** Restores the shop's canonical link, which crawlers rewrite to the local file. */
function asServed(html: string, url: string): Uint8Array {
  const served = html.replace(
    /(<link\b[^>]*\brel=["']?canonical["']?[^>]*\bhref=)["'][^"']*["']/i,
    (_, before: string) => `${before}"${url}"`,
  );
  return new TextEncoder().encode(served);
}
