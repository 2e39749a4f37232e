import type { Node } from '@touchstone/page/document';
import { hasType, nodesOf, scalar, textOf, valuesOf } from '../markup-node.ts';
import type { OfferRecord, Stated } from './record.ts';

/** Resolves a reference by `@id` to the full node. */
export type Resolve = (node: Node) => Node;

const AGGREGATE: ReadonlySet<string> = new Set(['AggregateOffer']);
const MAX_OFFERS = 100;

/** All offers in a node's `offers`; those of an AggregateOffer follow it. */
export function readOffers(node: Node, field: string, resolve: Resolve): OfferRecord[] {
  const offers: OfferRecord[] = [];
  for (const value of nodesOf(node, 'offers').slice(0, MAX_OFFERS)) {
    const offer = resolve(value);
    offers.push(readOffer(offer, `${field}offers`, resolve));
    if (!hasType(offer, AGGREGATE)) continue;
    for (const inner of nodesOf(offer, 'offers').slice(0, MAX_OFFERS)) {
      offers.push(readOffer(resolve(inner), `${field}offers.offers`, resolve));
    }
  }
  return offers;
}

/** The property of schema.org, and other spellings that shops use. */
export const CURRENCY = ['priceCurrency', 'pricecurrency', 'PriceCurrency', 'currency'];

/** Properties that hold a GTIN, and other spellings that shops use. */
export const GTINS = ['gtin13', 'gtin', 'gtin14', 'gtin12', 'gtin8', 'isbn', 'ean', 'upc'];

export function readOffer(offer: Node, field: string, resolve: Resolve): OfferRecord {
  const specification = currentSpecification(offer, resolve);
  const price = priceOf(offer, field, specification);
  const currency =
    stated(offer, CURRENCY, field) ??
    (specification === undefined
      ? undefined
      : stated(specification, CURRENCY, `${field}.priceSpecification`));
  const highPrice =
    stated(offer, ['highPrice'], field) ??
    (specification === undefined
      ? undefined
      : stated(specification, ['maxPrice'], `${field}.priceSpecification`));
  const availability = availabilityOf(offer, field);
  const sku = stated(offer, ['sku'], field);
  const gtin = stated(offer, GTINS, field);
  const url = textOf(offer, 'url');
  return {
    aggregate: hasType(offer, AGGREGATE),
    ...(price && { price }),
    ...(highPrice && { highPrice }),
    ...(currency && { currency }),
    ...(availability && { availability }),
    ...(isNet(offer, specification) && { net: true as const }),
    ...(sku && { sku }),
    ...(gtin && { gtin }),
    ...(url !== undefined && { url }),
    ...(isUsed(offer) && { used: true as const }),
  };
}

/** schema.org OfferItemCondition other than new, by name or address. */
function isUsed(offer: Node): boolean {
  return /(?:used|refurbished|damaged)condition$/i.test((textOf(offer, 'itemCondition') ?? '').slice(-100));
}

function priceOf(offer: Node, field: string, specification: Node | undefined): Stated | undefined {
  return (
    stated(offer, ['price'], field) ??
    (specification === undefined
      ? undefined
      : stated(specification, ['price', 'minPrice'], `${field}.priceSpecification`)) ??
    stated(offer, ['lowPrice'], field)
  );
}

/** Whether `valueAddedTaxIncluded` is false. Some shop software also states this where there is no tax at all. */
function isNet(offer: Node, specification: Node | undefined): boolean {
  return [offer, specification ?? {}].some((node) =>
    valuesOf(node, 'valueAddedTaxIncluded').some(
      (value) => value === false || /^(?:false|no|0)$/i.test(String(value)),
    ),
  );
}

/** Types of prices other than the current one (schema.org PriceTypeEnumeration). */
const NOT_CURRENT =
  /(?:list|strikethrough|regular|srp|msrp|suggested|invoice|minimumadvertised)\w*price$|^(?:list|msrp|srp)$/i;

/** The specification of the current price: a sale price if stated, never a list or strike-through price. */
function currentSpecification(offer: Node, resolve: Resolve): Node | undefined {
  const all = nodesOf(offer, 'priceSpecification').slice(0, 50).map(resolve);
  const current = all.filter((node) => !NOT_CURRENT.test(priceType(node)));
  return current.find((node) => /SalePrice$/i.test(priceType(node))) ?? current[0];
}

/** The last 100 characters of the price type, a schema.org name or IRI: its end determines the type. */
function priceType(specification: Node): string {
  return (textOf(specification, 'priceType') ?? '').slice(-100);
}

function availabilityOf(offer: Node, field: string): Stated | undefined {
  for (const value of valuesOf(offer, 'availability')) {
    const text = typeof value === 'object' && value !== null ? idOf(value as Node) : scalar(value);
    if (text !== undefined) return { value: text, field: `${field}.availability` };
  }
  return undefined;
}

function idOf(node: Node): string | undefined {
  const id = Object.hasOwn(node, '@id') ? node['@id'] : undefined;
  return typeof id === 'string' ? id : textOf(node, 'name');
}

/** The first of several properties that has a text value. */
export function stated(node: Node, names: readonly string[], field: string): Stated | undefined {
  for (const name of names) {
    const value = textOf(node, name);
    if (value !== undefined) return { value, field: field === '' ? name : `${field}.${name}` };
  }
  return undefined;
}
