import { absolute, type Findings, type PageLinks } from '@touchstone/page/document';
import { BOUNDS } from './bounds.ts';
import { addUnread, type FactCandidate, type FactCandidates, type FactName } from './fact-candidates.ts';
import { imageUrl } from './image-url.ts';
import type { OfferRecord, ProductRecord, Stated } from './schema-org/record.ts';
import type { OpenedVariant } from './state/opened-variant.ts';
import { availabilityName } from './values/availability.ts';
import { currencyOf, type Locale } from './values/currency.ts';
import { parsePrice, rangeIn, statedPrice } from './values/price.ts';
import { brandText, htmlToText, isLongSku, longSkuText } from './values/text.ts';
import { GUESSED_CURRENCY, RECORD_SHARE } from './weights.ts';

export interface RecordContext {
  readonly links: PageLinks;
  readonly locale: Locale;
  /** The variant that the page shows, if its own data identifies it. */
  readonly opened: OpenedVariant | undefined;
  readonly findings: Findings;
}

/** Adds the statements of a product record as normalised candidates. */
export function addRecord(record: ProductRecord, context: RecordContext, out: FactCandidates): void {
  const give: Give = (name, stated, value, share = 1, more = {}) => {
    if (stated === undefined || value === '') return;
    if (value !== undefined) out[name].push({ ...candidate(record, stated, value, share), ...more });
    else if (REPORTED_IF_UNREAD.has(name))
      addUnread(context.findings, name, { value: stated.value, source: record.source, field: stated.field });
  };
  give('name', record.name, record.name && htmlToText(record.name.value, BOUNDS.nameLength));
  give(
    'description',
    record.description,
    record.description && htmlToText(record.description.value, BOUNDS.descriptionLength),
  );
  give('brand', record.brand, record.brand && brandText(record.brand.value));
  const variant = chosenVariant(record, context);
  addSku(record, variant, context, give);
  const offered = variant !== undefined && variant.offers.length > 0 ? variant : record;
  addOffer(offered, record.offers, context, give);
  for (const image of record.images) {
    const href = imageUrl(image.value, context.links.base, context.findings);
    if (href !== undefined) out.images.push(candidate(record, image, href, 1));
  }
}

/** Facts whose unparsable values are reported; in other facts such values are mostly placeholders. */
const REPORTED_IF_UNREAD: ReadonlySet<FactName> = new Set(['price', 'currency', 'availability']);

function candidate(record: ProductRecord, { field }: Stated, value: string, share: number): FactCandidate {
  return { value, source: record.source, field, weight: record.weight * share };
}

type Give = (
  name: FactName,
  stated: Stated | undefined,
  value: string | undefined,
  share?: number,
  more?: Pick<FactCandidate, 'inferred' | 'range' | 'onlyPrinted' | 'yields'>,
) => void;

/** `ofProduct`: offers of the product that the variant belongs to; the currency may be stated only there. */
function addOffer(
  record: ProductRecord,
  ofProduct: readonly OfferRecord[],
  context: RecordContext,
  give: Give,
): void {
  const selected = selectedOffer(record.offers, context);
  const offer = selected ?? defaultOffer(asNew(record.offers));
  if (offer === undefined) return;
  const price = offer.price === undefined ? undefined : statedPrice(offer.price.value);
  const range = rangeOf(offer);
  const share = shareOf(price, offer);
  const yields = share === RECORD_SHARE.zero || share === RECORD_SHARE.net;
  give('price', offer.price, price, share, {
    ...(range !== undefined && { range }),
    ...(yields && { yields }),
  });
  if (selected === undefined) giveAlternatives(record, price, give);
  const all = [offer, ...record.offers, ...record.variants.flatMap(({ offers }) => offers), ...ofProduct];
  const currency = all.find((other) => other.currency !== undefined)?.currency;
  if (currency !== undefined) give('currency', currency, currencyOf(currency.value, context.locale)?.iso);
  else if (offer.price !== undefined) {
    const mark = parsePrice(offer.price.value)?.mark;
    if (mark !== undefined) giveMark(offer.price, mark, context, give);
  }
  const availability = offer.availability ?? sharedAvailability(record.offers);
  give('availability', availability, availability && availabilityName(availability.value));
  if (record.sku === undefined && offer.sku !== undefined) {
    const open = selected === undefined && differ(record.offers.map(({ sku }) => sku?.value));
    giveSku(offer.sku, give, RECORD_SHARE.offerSku, open);
  }
}

/** Adds the chosen variant's number, else the product's. If no variant is chosen, a variant's number must be printed too. */
function addSku(
  record: ProductRecord,
  variant: ProductRecord | undefined,
  context: RecordContext,
  give: Give,
): void {
  const open =
    variant !== undefined &&
    namedVariant(record, context) === undefined &&
    differ(record.variants.map(({ sku }) => sku?.value));
  const sku = open ? (record.sku ?? variant.sku) : (variant?.sku ?? record.sku);
  if (sku !== undefined) giveSku(sku, give, 1, (open && sku === variant.sku) || record.oneOfSeveral === true);
}

function giveSku(stated: Stated, give: Give, share: number, open: boolean): void {
  const sku = longSkuText(stated.value);
  give('sku', stated, sku, share, sku !== undefined && (open || isLongSku(sku)) ? { onlyPrinted: true } : {});
}

function differ(values: readonly (string | undefined)[]): boolean {
  return new Set(values).size > 1;
}

/** Adds the currency of a symbol printed with the price; an unknown symbol is not reported. */
function giveMark(price: Stated, mark: string, { locale }: RecordContext, give: Give): void {
  const currency = currencyOf(mark, locale);
  if (currency !== undefined)
    give(
      'currency',
      price,
      currency.iso,
      currency.guessed ? GUESSED_CURRENCY : RECORD_SHARE.currencyMark,
      currency.guessed ? { inferred: true } : {},
    );
}

function shareOf(price: string | undefined, offer: OfferRecord): number {
  if (price !== undefined && Number(price) === 0) return RECORD_SHARE.zero;
  if (offer.net === true) return RECORD_SHARE.net;
  return isLowEnd(offer) ? RECORD_SHARE.lowPrice : 1;
}

/**
 * The only variant, else the one that the page's URL selects, else (if the product itself has no price) the first that can
 * be bought.
 */
function chosenVariant(record: ProductRecord, context: RecordContext): ProductRecord | undefined {
  const { variants } = record;
  if (variants.length <= 1) return variants[0];
  const named = namedVariant(record, context);
  if (named !== undefined) return named;
  const prices = new Set(variants.map((variant) => variant.offers[0]?.price?.value));
  if (prices.size > 1 && record.offers.every((offer) => offer.price === undefined)) {
    context.findings.add('variants_disagree');
  }
  if (record.offers.some((offer) => offer.price !== undefined)) return undefined;
  return (
    variants.find(({ offers }) => offers.some((offer) => isPriced(offer) && !isSoldOut(offer))) ?? variants[0]
  );
}

/** The variant that the page's URL or the shop's own data selects. */
export function namedVariant(record: ProductRecord, context: RecordContext): ProductRecord | undefined {
  const page = parsed(context.links.url);
  return record.variants.find((variant) =>
    [...variant.urls, ...variant.offers.flatMap((offer) => offer.url ?? [])].some((url) =>
      selects(url, page, context),
    ),
  );
}

/** Whether a variant's URL has the page's path, and shares a query parameter (name and value) or the fragment with it. */
function selects(url: string, page: URL | undefined, context: RecordContext): boolean {
  const href = absolute(url, context.links.base);
  const variant = href === undefined ? undefined : parsed(href);
  if (variant === undefined || page === undefined) return false;
  if (variant.pathname !== page.pathname || variant.host !== page.host) return false;
  const chosen = new Set([...page.searchParams].map(([name, value]) => `${name}=${value}`));
  if (context.opened !== undefined) chosen.add(`variant=${context.opened.id}`);
  for (const [name, value] of variant.searchParams)
    if (value !== '' && chosen.has(`${name}=${value}`)) return true;
  return page.hash.length > 1 && page.hash === variant.hash;
}

function parsed(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/** The offer that the page's URL selects, if it has a price. */
export function selectedOffer(
  offers: readonly OfferRecord[],
  context: RecordContext,
): OfferRecord | undefined {
  if (offers.length <= 1) return undefined;
  const page = parsed(context.links.url);
  const selected = offers.find((offer) => offer.url !== undefined && selects(offer.url, page, context));
  return selected !== undefined && isPriced(selected) ? selected : undefined;
}

/** The first offer that has a price and can be bought, as storefronts preselect it; else the first with a price. */
function defaultOffer(offers: readonly OfferRecord[]): OfferRecord | undefined {
  return (
    offers.find((offer) => isPriced(offer) && !offer.aggregate && !isSoldOut(offer)) ??
    offers.find((offer) => isPriced(offer) && !offer.aggregate) ??
    offers.find(isPriced) ??
    offers.find(({ price }) => price !== undefined) ??
    offers[0]
  );
}

/** The offers of new articles, if there are any: shops offer used ones of the same product beside them. */
function asNew(offers: readonly OfferRecord[]): readonly OfferRecord[] {
  const unused = offers.filter((offer) => offer.used !== true);
  return unused.some((offer) => isPriced(offer) && !offer.aggregate) ? unused : offers;
}

/** Adds the prices of the other offers: too light to win by themselves, but the page may print one as the current price. */
function giveAlternatives(record: ProductRecord, taken: string | undefined, give: Give): void {
  const seen = new Set([taken]);
  const others = asNew([...record.offers, ...record.variants.flatMap((variant) => variant.offers)]);
  for (const { price } of others.slice(0, MAX_ALTERNATIVES)) {
    const value = price === undefined ? undefined : statedPrice(price.value);
    if (value === undefined || Number(value) === 0 || seen.has(value)) continue;
    seen.add(value);
    give('price', price, value, RECORD_SHARE.otherOffer);
  }
}

const MAX_ALTERNATIVES = 60;

function isLowEnd({ price }: OfferRecord): boolean {
  return price !== undefined && /(?:lowPrice|minPrice)$/.test(price.field);
}

/** The range of which a price is the low end, if its two ends differ or only the low end is stated. */
function rangeOf(offer: OfferRecord): string | undefined {
  const { price, highPrice } = offer;
  if (price === undefined) return undefined;
  if (!isLowEnd(offer)) return rangeIn(price.value);
  if (highPrice === undefined) return `from ${price.value}`;
  return Number(statedPrice(highPrice.value)) === Number(statedPrice(price.value))
    ? undefined
    : `${price.value} to ${highPrice.value}`;
}

function isSoldOut(offer: OfferRecord): boolean {
  const name = offer.availability === undefined ? undefined : availabilityName(offer.availability.value);
  return name === 'OutOfStock' || name === 'SoldOut' || name === 'Discontinued';
}

function isPriced({ price }: OfferRecord): boolean {
  return price !== undefined && statedPrice(price.value) !== undefined;
}

/** The availability of all offers that state one, if they agree. */
function sharedAvailability(offers: readonly OfferRecord[]): Stated | undefined {
  const stated = offers.flatMap(({ availability }) => (availability === undefined ? [] : [availability]));
  const [first] = stated;
  return first !== undefined && stated.every(({ value }) => value === first.value) ? first : undefined;
}
