import type { Draft } from './draft.ts';
import { htmlLine, line } from './values.ts';

/** Attributes of one item of a Google Merchant feed, by name without prefix; several values where it is repeated. */
export type FeedItem = ReadonlyMap<string, readonly string[]>;

/** Whether the header of a delimited file is that of a feed. */
export function isGoogleHeader(columns: readonly string[]): boolean {
  return ['id', 'title', 'link'].every((name) => columns.includes(name)) && !columns.includes('handle');
}

/** Parameters that choose a variant of the page, or say where a click came from; the page is the same without. */
const CHOOSING = /^(variant|attribute_.*|utm_.*|gclid|srsltid|fbclid|currency|country|ref|pr_.*)$/i;

/** Characters; what variants share by chance is shorter. */
const MIN_TITLE = 3;
/** Characters, more than any name may have: what titles share is not found in time that grows with their length. */
const MAX_TITLE = 1_000;

/**
 * The page of an item: a certificate is for the page, whichever variant a link to it has chosen. A fragment is part of it
 * only where it is a route of the page itself (`#!`, `#/`).
 */
function pageOf(link: string | undefined): string | undefined {
  const url = URL.parse(link ?? '');
  if (url === null) return link;
  const choosing = [...url.searchParams.keys()].filter((name) => CHOOSING.test(name));
  for (const name of choosing) url.searchParams.delete(name);
  if (!/^#[!/]/.test(url.hash)) url.hash = '';
  return url.href;
}

/** By which two items are on one page: a slash at the end of the path and the order of parameters make no other page. */
function pageKey(page: string | undefined): string | undefined {
  const url = URL.parse(page ?? '');
  if (url === null) return page;
  url.pathname = url.pathname.replace(/\/$/, '');
  url.searchParams.sort();
  return url.href;
}

/**
 * Items that are one product: on one page, one after another, and of one group. Where a feed names no groups, items of one
 * brand whose titles begin with the same words are taken for variants: a page has one certificate, and two products
 * that share their page could not both show theirs.
 */
export class ItemGroup {
  readonly row: number;
  readonly id: string | undefined;
  readonly #group: string | undefined;
  readonly #page: string | undefined;
  readonly #pageKey: string | undefined;
  readonly #items: FeedItem[];

  constructor(item: FeedItem, row: number) {
    this.row = row;
    this.#group = first(item, 'item_group_id');
    this.id = this.#group ?? first(item, 'id');
    this.#page = pageOf(first(item, 'link'));
    this.#pageKey = pageKey(this.#page);
    this.#items = [item];
  }

  /** Takes a further item, if it belongs here. */
  takes(item: FeedItem): boolean {
    const isSame =
      first(item, 'item_group_id') === this.#group &&
      pageKey(pageOf(first(item, 'link'))) === this.#pageKey &&
      (this.#group !== undefined || this.#isVariant(item));
    if (isSame) this.#items.push(item);
    return isSame;
  }

  #isVariant(item: FeedItem): boolean {
    const [head] = this.#items as [FeedItem];
    if (this.#pageKey === undefined || first(head, 'brand') !== first(item, 'brand')) return false;
    return sharedTitle([titleOf(head), titleOf(item)]) !== undefined;
  }

  /** @param isFirst - of its group: pages of the same group that come later go by the identifier of their item */
  draft(isFirst: boolean): Draft {
    const [head] = this.#items as [FeedItem];
    const all = (name: string) => this.#items.map((item) => first(item, name));
    return {
      externalProductId: isFirst ? this.id : first(head, 'id'),
      name: sharedTitle(this.#items.map(titleOf)) ?? titleOf(head),
      url: this.#page,
      skus: [],
      barcodes: all('gtin'),
      brand: shared(all('brand')),
      images: this.#images(),
      attributes: [
        { name: 'mpn', value: shared(all('mpn')) },
        { name: 'productType', value: shared(all('product_type')) },
      ],
    };
  }

  /** Variants mostly show the picture of their product; one that an item lists twice is told. */
  #images(): { readonly url: string }[] {
    const shown = new Set<string>();
    return this.#items.flatMap((item) => {
      const images = imagesOf(item).filter(({ url }) => !shown.has(url));
      for (const { url } of images) shown.add(url);
      return images;
    });
  }
}

function titleOf(item: FeedItem): string | undefined {
  return htmlLine(first(item, 'title'))?.slice(0, MAX_TITLE);
}

/** Feeds name variants "Shirt - Red" and "Shirt - Blue": the product is what they share, if that is a name. */
function sharedTitle(titles: readonly (string | undefined)[]): string | undefined {
  const [head, ...others] = titles;
  if (head === undefined || others.length === 0) return head;
  let length = head.length;
  for (const other of others) {
    while (length > 0 && other?.startsWith(head.slice(0, length)) !== true) length--;
  }
  const endsWord = titles.every((title) => !/[^\s\p{P}]/u.test(title?.charAt(length) ?? ''));
  const common = head
    .slice(0, length)
    .replace(endsWord ? /$/ : /[^\s\p{P}]*$/u, '')
    .replace(/[\s\p{Pd},:;|/(]+$/u, '');
  return common.length >= MIN_TITLE ? common : undefined;
}

function imagesOf(item: FeedItem): { readonly url: string }[] {
  const named = [...(item.get('image_link') ?? []), ...(item.get('additional_image_link') ?? [])];
  return named.flatMap((text) => text.split(/,(?=\s*https?:)/)).map((url) => ({ url: url.trim() }));
}

function first(item: FeedItem, name: string): string | undefined {
  return line(item.get(name)?.[0]);
}

function shared(values: readonly (string | undefined)[]): string | undefined {
  return new Set(values).size === 1 ? values[0] : undefined;
}
