import type { Draft } from './draft.ts';
import { type ItemPage, pageOf } from './feed-page.ts';
import { areOneProduct, nameOf, sharedTitle } from './feed-titles.ts';
import { htmlLine, line } from './values.ts';

/** Attributes of one item of a Google Merchant feed, by name without prefix; several values where it is repeated. */
export type FeedItem = ReadonlyMap<string, readonly string[]>;

interface ListedItem {
  readonly item: FeedItem;
  readonly row: number;
}

/** Whether the header of a delimited file is that of a feed. */
export function isGoogleHeader(columns: readonly string[]): boolean {
  return ['id', 'title', 'link'].every((name) => columns.includes(name)) && !columns.includes('handle');
}

/** Attributes that a product is made of; what else an item has is not kept. */
const KEPT =
  'id title link item_group_id brand gtin ean upc isbn mpn product_type image_link additional_image_link'.split(
    ' ',
  );

/**
 * Items that are one product: of one group and on one page. Where a feed names no groups, items of one
 * brand that follow each other on one page and whose titles begin with the same words are taken for variants: a page has
 * one certificate, and two products that share their page could not both show theirs.
 */
export class ItemGroup {
  readonly row: number;
  readonly id: string | undefined;
  readonly group: string | undefined;
  readonly page: ItemPage;
  readonly #items: ListedItem[];

  /** @param isExact - keeps parameters of the address that only perhaps choose a variant */
  constructor(item: FeedItem, row: number, isExact = false) {
    this.row = row;
    this.group = first(item, 'item_group_id');
    this.id = this.group ?? first(item, 'id');
    this.page = pageOf(first(item, 'link'), isExact);
    this.#items = [{ item: kept(item), row }];
  }

  get size(): number {
    return this.#items.length;
  }

  /** Takes all items of another. */
  join(other: ItemGroup): void {
    this.#items.push(...other.#items);
  }

  /** Whether the next item of the feed is a variant, though the feed names no groups. */
  isVariant(next: ItemGroup): boolean {
    if (this.group !== undefined || next.group !== undefined) return false;
    if (this.page.key === undefined || this.page.key !== next.page.key) return false;
    const [head, item] = [this.#head, next.#head];
    if (first(head, 'brand') !== first(item, 'brand')) return false;
    return areOneProduct(titleOf(head), titleOf(item));
  }

  /** The same items by the addresses that they say. */
  split(): ItemGroup[] {
    const parts = new Map<string | undefined, ItemGroup>();
    for (const { item, row } of this.#items) {
      const part = new ItemGroup(item, row, true);
      const known = parts.get(part.page.key);
      if (known === undefined) parts.set(part.page.key, part);
      else known.join(part);
    }
    return [...parts.values()];
  }

  /** @param isFirst - of its group: pages of the same group that come later go by the identifier of their item */
  draft(isFirst: boolean): Draft {
    const head = this.#head;
    const all = (name: string) => this.#items.map(({ item }) => htmlLine(first(item, name)));
    return {
      externalProductId: isFirst ? this.id : first(head, 'id'),
      name: this.#name(),
      url: this.page.url,
      skus: [],
      barcodes: this.#items.map(({ item }) => barcodeOf(item)),
      brand: shared(all('brand')),
      images: this.#images(),
      attributes: [
        { name: 'mpn', value: shared(all('mpn')) },
        { name: 'productType', value: shared(all('product_type')) },
      ],
    };
  }

  /** What the titles share, unless that is no more than the brand. */
  #name(): string | undefined {
    const name = sharedTitle(this.#items.map(({ item }) => titleOf(item)));
    const isBrand = name !== undefined && name === htmlLine(first(this.#head, 'brand'));
    return name === undefined || isBrand ? titleOf(this.#head) : name;
  }

  get #head(): FeedItem {
    const [{ item }] = this.#items as [ListedItem];
    return item;
  }

  /** Variants mostly show the picture of their product; one that an item lists twice is told. */
  #images(): { readonly url: string }[] {
    const shown = new Set<string>();
    return this.#items.flatMap(({ item }) => {
      const images = imagesOf(item).filter(({ url }) => !shown.has(url));
      for (const { url } of images) shown.add(url);
      return images;
    });
  }
}

function titleOf(item: FeedItem): string | undefined {
  return nameOf(first(item, 'title'));
}

function imagesOf(item: FeedItem): { readonly url: string }[] {
  const named = [...(item.get('image_link') ?? []), ...(item.get('additional_image_link') ?? [])];
  return named.flatMap((text) => text.split(/,(?=\s*https?:)/)).map((url) => ({ url: url.trim() }));
}

/** Feeds that are older than `gtin`, or made for others, say it under the names of its kinds. */
function barcodeOf(item: FeedItem): string | undefined {
  return ['gtin', 'ean', 'upc', 'isbn'].map((name) => first(item, name)).find((text) => text !== undefined);
}

function kept(item: FeedItem): FeedItem {
  return new Map(KEPT.flatMap((name) => (item.has(name) ? [[name, item.get(name) ?? []]] : [])));
}

function first(item: FeedItem, name: string): string | undefined {
  return line(item.get(name)?.[0]);
}

function shared(values: readonly (string | undefined)[]): string | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}
