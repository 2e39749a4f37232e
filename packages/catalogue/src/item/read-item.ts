import type { FeedItem } from '../google-feed.ts';
import { CATALOGUE_LIMITS } from '../limits.ts';
import { parseStoreUrl } from '../store-url.ts';
import { htmlLine, identifier, isRecord, type JsonRecord, line } from '../values.ts';
import { XmlItems } from '../xml-items.ts';
import { certificateOf, certificatesIn, isCertificateName } from './carried.ts';
import { feedDraft, feedItemOf, isFeedItem } from './feed-item.ts';
import { isProtocolItem, protocolDraft } from './protocol-item.ts';
import { nodesIn, productNode, schemaOrgDraft } from './schema-org-item.ts';
import { shopDraft } from './shop-item.ts';
import type { ItemDraft, ReadItem, ReadItemOptions } from './types.ts';

/**
 * Reads one item of a feed, catalogue or commerce protocol: a Product of schema.org (JSON-LD), a product or variant of UCP or of ACP's
 * feed API, an item of ACP's flat feed or of a Google feed (JSON by its attributes, or the XML of the `item` or `entry`), a product of
 * Shopify, WooCommerce or the registry as JSON.
 *
 * @param value - as parsed from JSON, or the text of JSON or XML; untrusted
 * @returns `null` if it is none of these, or has more than 1,000 members, 5,000 values of one field or 32 million characters
 * @example
 * ```ts
 * import { readItem } from '@touchstone/catalogue';
 *
 * const price = { amount: 2490, currency: 'EUR' };
 * readItem({ id: 'cup', title: 'Cup', price, url: 'https://shop.example/cup' })?.prices; // [{ amount: '24.90', currency: 'EUR' }]
 * ```
 */
export function readItem(value: unknown, options: ReadItemOptions = {}): ReadItem | null {
  if (typeof value === 'string') return readText(value, options);
  const isLinkedData = productNode(value);
  if (isLinkedData !== undefined) return readLinkedData(value, isLinkedData);
  if (!isRecord(value) || Object.keys(value).length > CATALOGUE_LIMITS.members.most) return null;
  const carried = certificatesIn(value);
  const draft = isProtocolItem(value) ? protocolDraft(value) : shopDraft(value, storeOf(options.source));
  if (draft !== undefined) return finished(draft, Object.keys(value), carried, value);
  if (!isFeedItem(value)) return null;
  const item = feedItemOf(value);
  return finished(feedDraft(item), [...item.keys()], carried, {});
}

function readText(text: string, options: ReadItemOptions): ReadItem | null {
  const begun = text.trimStart();
  if (text.length > CATALOGUE_LIMITS.characters.most) return null;
  if (begun.startsWith('<')) {
    const [item] = new XmlItems().push(begun);
    return item === undefined ? null : readFeedItem(item);
  }
  if (!begun.startsWith('{') && !begun.startsWith('[')) return null;
  try {
    return readItem(JSON.parse(begun), options);
  } catch {
    return null;
  }
}

/** An item of a feed, by its attributes. */
export function readFeedItem(item: FeedItem): ReadItem | null {
  if (!item.has('title') && !item.has('link')) return null;
  const carried = [...item].flatMap(([name, values]) =>
    isCertificateName(name) ? values.flatMap((value) => certificatesIn({ [name]: value })) : [],
  );
  return finished(feedDraft(item), [...item.keys()], carried, {});
}

function readLinkedData(value: unknown, product: JsonRecord): ReadItem | null {
  if (Object.keys(product).length > CATALOGUE_LIMITS.members.most) return null;
  const beside = nodesIn(value).flatMap((node) => {
    const document = node === product ? undefined : certificateOf(node);
    return document === undefined ? [] : [{ place: '@graph', document }];
  });
  return finished(
    schemaOrgDraft(product),
    Object.keys(product),
    [...certificatesIn(product), ...beside],
    product,
  );
}

/** The origin of an address, or of a host alone. */
function storeOf(source: string | undefined): URL | null {
  if (source === undefined) return null;
  const url = parseStoreUrl(source) ?? parseStoreUrl(`https://${source}`);
  return url === null ? null : new URL(url.origin);
}

/** Values of one field: of an item with more, some would not be compared. */
const MAX_VALUES = 5_000;
const MAX_OTHERS = 200;
const MAX_CERTIFICATES = 8;

function finished(
  draft: ItemDraft,
  members: readonly string[],
  certificates: ReadItem['certificates'],
  value: JsonRecord,
): ReadItem | null {
  const { links: stated, options, brands, skus, gtins, pictures, prices } = draft;
  const lists: readonly (readonly unknown[] | undefined)[] = [
    stated,
    options,
    brands,
    skus,
    gtins,
    pictures,
    prices,
  ];
  if (lists.some((list) => (list?.length ?? 0) > MAX_VALUES)) return null;
  const id = identifier(draft.id);
  const link = line(draft.link);
  const name = htmlLine(draft.name);
  const availability = line(draft.availability);
  const links = distinct(stated);
  return {
    ...(id === undefined ? {} : { id }),
    ...(link === undefined ? {} : { link }),
    links: links.filter((one) => one !== link),
    ...(name === undefined ? {} : { name }),
    options: distinct(options),
    brands: distinct(brands),
    skus: distinct(skus),
    gtins: distinct(gtins),
    pictures: picturesOf(pictures ?? [], link),
    prices: (prices ?? []).filter((price) => price !== undefined),
    ...(availability === undefined ? {} : { availability }),
    others: [...othersOf(draft.read, members, value), ...(draft.unread ?? [])],
    certificates: certificates.slice(0, MAX_CERTIFICATES).map(({ place, document }) => ({ place, document })),
  };
}

function distinct(values: readonly unknown[] = []): string[] {
  return [...new Set(values.flatMap((value) => htmlLine(value) ?? []))];
}

/** Pictures whose addresses are absolute, or relative to the page. Others are kept as they are: they are none that was signed. */
function picturesOf(
  pictures: NonNullable<ItemDraft['pictures']>,
  link: string | undefined,
): ReadItem['pictures'] {
  const found = new Map<string, ReadItem['pictures'][number]>();
  for (const picture of pictures) {
    const stated = line(picture.url);
    if (stated === undefined) continue;
    const url = URL.parse(stated, link)?.href ?? stated;
    const sha256 = line(picture.sha256);
    found.set(`${url} ${sha256}`, { url, ...(sha256 === undefined ? {} : { sha256 }) });
  }
  return [...found.values()];
}

/** Where certificates are, and what they repeat. */
const OF_CERTIFICATE = /(?:^|[:_.#/])certificate$|^svc:|^(?:proof|verification)$/i;

function othersOf(read: readonly string[], members: readonly string[], value: JsonRecord): string[] {
  const known = new Set(read);
  return members
    .map((name) => name.replace(/^(?:g:|schema:|https?:\/\/schema\.org\/)/i, ''))
    .filter((name) => !known.has(name) && !OF_CERTIFICATE.test(name))
    .flatMap((name) => {
      const inner = value[name];
      if (name !== 'metadata' || !isRecord(inner)) return [name];
      const added = Object.entries(inner).filter(([, one]) => certificateOf(one) === undefined);
      return added.map(([member]) => `${name}.${member}`);
    })
    .slice(0, MAX_OTHERS);
}
