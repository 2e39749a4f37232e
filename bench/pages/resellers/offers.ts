import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a real shop states of a product. */
export interface Offer {
  readonly host: string;
  readonly url: string;
  readonly name: string;
  readonly text?: string | undefined;
  readonly gtin?: string | undefined;
  /** The same for all offers of one product, in whatever shop; of a product that nobody else sells, its own. */
  readonly product: string;
}

type Line = Omit<Offer, 'host' | 'url' | 'product'> & { readonly product?: string };

/**
 * The offers of each shop: a file `<host>.jsonl` for each, with one JSON object a line (`name`, `text`, `gtin`, `product`; only the name
 * must be there). None of it belongs to the repository.
 */
export function readOffers(folder: string): Map<string, readonly Offer[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  if (files.length === 0) throw new Error(`No file <host>.jsonl in "${folder}".`);
  return new Map(
    files.toSorted().map((file) => {
      const host = file.slice(0, -'.jsonl'.length);
      const lines = readFileSync(join(folder, file), 'utf8').split('\n').filter(Boolean);
      const offers = lines.map((text, nth): Offer => {
        const line = JSON.parse(text) as Line;
        const url = `http://${host}/p/${nth}`;
        return { ...line, host, url, product: line.product ?? url };
      });
      return [host, offers];
    }),
  );
}

/** So many of them, evenly spread. */
export function spread<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, nth) => all[Math.floor((nth * all.length) / most)] as T);
}

/** The first offer of each product, those first that most other shops sell, and none that nobody else sells. */
export function catalogueOf(offers: ReadonlyMap<string, readonly Offer[]>, host: string): readonly Offer[] {
  const shops = new Map<string, Set<string>>();
  for (const { product, host: shop } of [...offers.values()].flat())
    shops.set(product, (shops.get(product) ?? new Set()).add(shop));
  const sellers = ({ product }: Offer) => shops.get(product)?.size ?? 0;
  const each = new Map((offers.get(host) ?? []).toReversed().map((offer) => [offer.product, offer]));
  return [...each.values()]
    .filter((offer) => sellers(offer) > 1)
    .toSorted((a, b) => sellers(b) - sellers(a) || (a.url < b.url ? -1 : 1));
}
