import { attributesOfColumns } from '../feed-columns.ts';
import { barcodeOf, type FeedItem, imagesOf } from '../google-feed.ts';
import { feedOffer } from '../offers.ts';
import { isRecord, type JsonRecord, line } from '../values.ts';
import type { ItemDraft } from './types.ts';

/** Attributes of which the values may stand in the title. */
const OPTIONS = ['color', 'size', 'material', 'pattern', 'gender', 'age_group', 'size_type'];
const READ =
  'id item_group_id sku title link canonical_link brand gtin ean upc isbn image_link additional_image_link price sale_price sale_price_effective_date availability'
    .split(' ')
    .concat(OPTIONS);

/** An item with attributes of Google's product data specification, or of the flat feed of ACP, as JSON. */
export function isFeedItem(value: JsonRecord): boolean {
  const names = attributesOfColumns(Object.keys(value).map(plainName));
  return names.includes('title') && (names.includes('link') || names.includes('id'));
}

/** The attributes of an item in JSON, by the names of Google's specification. */
export function feedItemOf(value: JsonRecord): FeedItem {
  const keys = Object.keys(value);
  const names = attributesOfColumns(keys.map(plainName));
  const item = new Map<string, string[]>();
  for (const [at, key] of keys.entries()) {
    const name = names[at] as string;
    const texts = [value[key]].flat().flatMap((one) => line(isRecord(one) ? one.value : one) ?? []);
    if (texts.length > 0) item.set(name, [...(item.get(name) ?? []), ...texts]);
  }
  return item;
}

export function feedDraft(item: FeedItem): ItemDraft {
  const one = (name: string) => item.get(name)?.[0];
  const { price, availability } = feedOffer(one);
  return {
    id: one('id'),
    link: one('link'),
    links: [one('canonical_link')],
    name: one('title'),
    options: [...OPTIONS, ...[...item.keys()].filter((name) => /^custom_variant\d_option$/.test(name))].map(
      one,
    ),
    brands: item.get('brand') ?? [],
    skus: item.get('sku') ?? [],
    gtins: [barcodeOf(item)],
    pictures: imagesOf(item),
    prices: [price],
    availability: availability ?? one('availability'),
    read: READ,
    unread: price === undefined && (item.has('price') || item.has('sale_price')) ? ['price'] : [],
  };
}

const plainName = (name: string) => name.replace(/^g:/i, '').toLowerCase();
