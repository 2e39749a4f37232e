import type { Draft } from './draft.ts';
import { areOneProduct, nameOf, sharedTitle } from './feed-titles.ts';
import { type ItemPage, pageOf } from './item-page.ts';
import { CATALOGUE_LIMITS } from './limits.ts';
import { feedOffer } from './offers.ts';
import { htmlLine, line } from './values.ts';

/** Attributes of one item of a Google Merchant feed, by name without prefix; several values where it is repeated. */
export type FeedItem = ReadonlyMap<string, readonly string[]>;

interface ListedItem {
  readonly item: FeedItem;
  readonly row: number;
}

/** Attributes that are used; the others of an item are dropped to save memory. */
const USED_ATTRIBUTES =
  'id sku title link item_group_id brand gtin ean upc isbn mpn product_type image_link additional_image_link price sale_price sale_price_effective_date availability'.split(
    ' ',
  );

/**
 * The items of one product: of one group and on one page. If a feed has no groups, adjacent items of one brand on one page whose
 * titles begin with the same words count as variants: a page has one certificate, so two products on it could not both show
 * theirs.
 */
export class ItemGroup {
  readonly row: number;
  readonly id: string | undefined;
  readonly group: string | undefined;
  readonly page: ItemPage;
  /** Of the first item, with which every following one is compared. */
  readonly #title: string | undefined;
  readonly #items: ListedItem[];
  #size = 1;

  /** @param isExact - keeps parameters of the address that only perhaps select a variant */
  constructor(item: FeedItem, row: number, isExact = false) {
    this.row = row;
    this.group = first(item, 'item_group_id');
    this.id = this.group ?? first(item, 'id');
    this.page = pageOf(first(item, 'link'), isExact);
    this.#title = titleOf(item);
    this.#items = [{ item: usedAttributes(item), row }];
  }

  /** Items, of which no more than the limit are kept. */
  get size(): number {
    return this.#size;
  }

  /** Adds all items of another group. */
  merge(other: ItemGroup): void {
    this.#size += other.#size;
    if (this.#size <= CATALOGUE_LIMITS.rowsOfProduct.most) this.#items.push(...other.#items);
  }

  /** Whether the next item is a variant of this product although the feed has no groups. */
  isVariant(next: ItemGroup): boolean {
    if (this.group !== undefined || next.group !== undefined) return false;
    if (this.page.key === undefined || this.page.key !== next.page.key) return false;
    const [head, item] = [this.#head, next.#head];
    if (first(head, 'brand') !== first(item, 'brand')) return false;
    return areOneProduct(this.#title, next.#title);
  }

  /** The same items, grouped by their exact addresses. */
  split(): ItemGroup[] {
    const parts = new Map<string | undefined, ItemGroup>();
    for (const { item, row } of this.#items) {
      const part = new ItemGroup(item, row, true);
      const known = parts.get(part.page.key);
      if (known === undefined) parts.set(part.page.key, part);
      else known.merge(part);
    }
    return [...parts.values()];
  }

  /** @param isFirst - the first page of its group; further ones get the identifier of their first item */
  draft(isFirst: boolean): Draft {
    const head = this.#head;
    const all = (name: string) => this.#items.map(({ item }) => htmlLine(first(item, name)));
    return {
      externalProductId: isFirst ? this.id : first(head, 'id'),
      name: this.#name(),
      url: this.page.url,
      skus: all('sku'),
      barcodes: this.#items.map(({ item }) => barcodeOf(item)),
      brand: shared(all('brand')),
      images: this.#images(),
      attributes: [
        { name: 'mpn', value: shared(all('mpn')) },
        { name: 'productType', value: shared(all('product_type')) },
      ],
      ...feedOffer((name) => shared(all(name))),
    };
  }

  /** The shared part of the titles, unless it is just the brand. */
  #name(): string | undefined {
    const name = sharedTitle(this.#items.map(({ item }) => titleOf(item)));
    const isBrand = name !== undefined && name === htmlLine(first(this.#head, 'brand'));
    return name === undefined || isBrand ? titleOf(this.#head) : name;
  }

  get #head(): FeedItem {
    const [{ item }] = this.#items as [ListedItem];
    return item;
  }

  /** Without repetitions between items, as variants mostly have the same image; repetitions within an item get a note later. */
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

export function imagesOf(item: FeedItem): { readonly url: string }[] {
  const named = [...(item.get('image_link') ?? []), ...(item.get('additional_image_link') ?? [])];
  return named.flatMap((text) => text.split(/,(?=\s*https?:)/)).map((url) => ({ url: url.trim() }));
}

/** Older feeds, and those for other services, name the barcode by its kind. */
export function barcodeOf(item: FeedItem): string | undefined {
  return ['gtin', 'ean', 'upc', 'isbn'].map((name) => first(item, name)).find((text) => text !== undefined);
}

function usedAttributes(item: FeedItem): FeedItem {
  return new Map(USED_ATTRIBUTES.flatMap((name) => (item.has(name) ? [[name, item.get(name) ?? []]] : [])));
}

function first(item: FeedItem, name: string): string | undefined {
  return line(item.get(name)?.[0]);
}

function shared(values: readonly (string | undefined)[]): string | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}
