import {
  type FactSource,
  isNode,
  type Node,
  OFFER_TYPES,
  PRODUCT_TYPES,
  typesOf,
} from '@touchstone/page/document';
import { hasType, nodesOf, refOf, scalar, textOf, valuesOf } from '../markup-node.ts';
import { CURRENCY, GTINS, type Resolve, readOffer, readOffers, stated } from './offer.ts';
import type { OfferRecord, ProductRecord, Stated } from './record.ts';

/** Types that are products when they are offered for sale. */
const OFFERED_TYPES: ReadonlySet<string> = new Set(
  'Book Movie MusicAlbum MusicRelease MusicRecording VideoGame Game SoftwareApplication MobileApplication WebApplication CreativeWork Audiobook'.split(
    ' ',
  ),
);
/** A node under one of these properties is another product, or one of many. */
export const RELATED: ReadonlySet<string> = new Set(
  (
    'isRelatedTo isSimilarTo isAccessoryOrSparePartFor isConsumableFor itemListElement item review itemReviewed ' +
    'hasVariant isVariantOf isPartOf makesOffer category addOn includesObject mentions hasOfferCatalog relatedLink significantLink'
  ).split(' '),
);

/** The position and syntax of a node, and what its record inherits from them. */
export interface NodeContext {
  readonly path: readonly string[];
  readonly source: FactSource;
  /** Prefix of every field name, for example `microdata:`; empty for JSON-LD. */
  readonly prefix: string;
  readonly weight: number;
  readonly order: number;
  readonly resolve: Resolve;
}

/** Reads a node as a product; `undefined` if it is none. */
export function readProduct(node: Node, context: NodeContext): ProductRecord | undefined {
  if (hasType(node, PRODUCT_TYPES)) return productRecord(node, context, 0);
  if (hasType(node, OFFERED_TYPES) && nodesOf(node, 'offers').length > 0)
    return productRecord(node, context, 0);
  // an Offer outside a product may contain one, or be the offer of the page's product
  if (hasType(node, OFFER_TYPES) && context.path.length === 0) return offerAsProduct(node, context);
  return undefined;
}

function productRecord(node: Node, context: NodeContext, depth: number): ProductRecord {
  const { prefix, resolve, path } = context;
  const variants =
    depth > 0
      ? []
      : nodesOf(node, 'hasVariant')
          .slice(0, 100)
          .map((variant) =>
            productRecord(resolve(variant), { ...context, prefix: `${prefix}hasVariant.` }, 1),
          );
  const inner = innerMostModel(node, resolve);
  const name = stated(node, ['name', 'title'], '') ?? (inner && stated(inner, ['name'], 'model'));
  const description = stated(node, ['description'], '');
  const sku = skuOf(node);
  const gtin = gtinOf(node);
  const brand = brandOf(node, resolve);
  const offers = [...readOffers(node, prefix, resolve), ...looseOffer(node, context)];
  return {
    source: context.source,
    weight: context.weight,
    order: context.order,
    types: typesOf(node),
    images: imagesOf(node, prefix, resolve),
    urls: urlsOf(node),
    offers: depth > 0 ? offers : withCurrency(offers, node, prefix),
    variants,
    related: path.some((step) => RELATED.has(step)),
    outermost: path.length === 0,
    main: path.at(-1) === 'mainEntity' || Object.hasOwn(node, 'mainEntityOfPage'),
    ...(name && { name: prefixed(name, prefix) }),
    ...(description && { description: prefixed(description, prefix) }),
    ...(sku && { sku: prefixed(sku, prefix) }),
    ...(gtin && { gtin: prefixed(gtin, prefix) }),
    ...(brand && { brand: prefixed(brand, prefix) }),
  };
}

/** An offer from price properties of the product itself, if the markup lacks the Offer. */
function looseOffer(node: Node, context: NodeContext): OfferRecord[] {
  if (textOf(node, 'price') === undefined && textOf(node, 'lowPrice') === undefined) {
    if (textOf(node, 'availability') === undefined || nodesOf(node, 'offers').length > 0) return [];
  }
  const offer = readOffer(node, '', context.resolve);
  const fix = (entry: Stated | undefined): Stated | undefined =>
    entry && { value: entry.value, field: context.prefix + entry.field.replace(/^\./, '') };
  const price = fix(offer.price);
  const highPrice = fix(offer.highPrice);
  const currency = fix(offer.currency);
  const availability = fix(offer.availability);
  return [
    {
      aggregate: false,
      ...(price && { price }),
      ...(highPrice && { highPrice }),
      ...(currency && { currency }),
      ...(availability && { availability }),
    },
  ];
}

/** Adds the currency stated on the product itself to its offers, if none of them states one. */
function withCurrency(offers: readonly OfferRecord[], node: Node, prefix: string): OfferRecord[] {
  const stands = offers.some(({ currency }) => currency !== undefined)
    ? undefined
    : stated(node, CURRENCY, '');
  if (stands === undefined) return [...offers];
  const currency = prefixed(stands, prefix);
  return offers.length === 0
    ? [{ aggregate: false, currency }]
    : offers.map((offer) => ({ ...offer, currency }));
}

function offerAsProduct(offer: Node, context: NodeContext): ProductRecord {
  const item = nodesOf(offer, 'itemOffered').map(context.resolve)[0];
  const own = readOffer(offer, `${context.prefix}Offer`, context.resolve);
  const record = productRecord(item ?? offer, context, 0);
  return {
    ...record,
    types: item === undefined ? ['Offer'] : record.types,
    offers: [own, ...(item === undefined ? [] : record.offers)],
  };
}

function prefixed(entry: Stated, prefix: string): Stated {
  return prefix === '' ? entry : { value: entry.value, field: prefix + entry.field };
}

function innerMostModel(node: Node, resolve: Resolve): Node | undefined {
  return nodesOf(node, 'model').map(resolve)[0];
}

/** `sku`, else `productID` (which may have a scheme: `sku:1234`), but no GTIN or MPN. */
function skuOf(node: Node): Stated | undefined {
  const sku = stated(node, ['sku'], '');
  if (sku !== undefined) return sku;
  const productId = stated(node, ['productID'], '');
  if (productId === undefined || /^(?:gtin\d*|ean|upc|isbn|mpn|asin-parent):/i.test(productId.value))
    return undefined;
  return { value: productId.value.replace(/^(?:sku|id|asin|item):\s*/i, ''), field: 'productID' };
}

/** A GTIN of the product itself, under its own property or as a `productID` with a scheme. */
function gtinOf(node: Node): Stated | undefined {
  const gtin = stated(node, GTINS, '');
  if (gtin !== undefined) return gtin;
  const labelled = /^(?:gtin\d*|ean|upc|isbn):(.*)/is.exec(textOf(node, 'productID') ?? '')?.[1];
  return labelled === undefined ? undefined : { value: labelled, field: 'productID' };
}

function brandOf(node: Node, resolve: Resolve): Stated | undefined {
  for (const property of ['brand', 'manufacturer']) {
    for (const value of valuesOf(node, property)) {
      const text = scalar(value);
      if (text !== undefined) return { value: text, field: property };
      if (!isNode(value)) continue;
      const brand = resolve(value);
      const name = stated(brand, ['name', 'title', 'legalName'], property);
      if (name !== undefined) return name;
      const logo = nodesOf(brand, 'logo')[0];
      const logoName = logo && stated(logo, ['name'], `${property}.logo`);
      if (logoName !== undefined) return logoName;
    }
  }
  return undefined;
}

function imagesOf(node: Node, prefix: string, resolve: Resolve): Stated[] {
  const images: Stated[] = [];
  for (const value of valuesOf(node, 'image').slice(0, 100)) {
    const text = scalar(value);
    if (text !== undefined) images.push({ value: text, field: `${prefix}image` });
    else if (isNode(value)) {
      const image = resolve(value);
      const address = stated(image, ['contentUrl', 'url', 'image'], `${prefix}image`);
      if (address !== undefined) images.push(address);
    }
  }
  return images;
}

function urlsOf(node: Node): string[] {
  const id = Object.hasOwn(node, '@id') ? node['@id'] : undefined;
  const page = valuesOf(node, 'mainEntityOfPage').map(refOf);
  return [textOf(node, 'url'), typeof id === 'string' ? id : undefined, ...page].filter(
    (url): url is string => url !== undefined,
  );
}
