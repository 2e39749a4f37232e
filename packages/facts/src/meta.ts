import type { Findings, MetaMap, PageLinks } from '@touchstone/page/document';
import { BOUNDS } from './bounds.ts';
import { addUnread, type FactCandidate, type FactCandidates, type FactName } from './fact-candidates.ts';
import { imageUrl } from './image-url.ts';
import { availabilityName } from './values/availability.ts';
import { currencyOf, type Locale } from './values/currency.ts';
import { parsePrice, rangeIn, statedPrice } from './values/price.ts';
import { brandText, htmlToText, skuText } from './values/text.ts';
import { GUESSED_CURRENCY, META, RECORD_SHARE } from './weights.ts';

export interface MetaInput {
  readonly metas: MetaMap;
  readonly links: PageLinks;
  readonly locale: Locale;
  readonly findings: Findings;
}

/** Adds candidates from the page's meta elements. */
export function addMeta({ metas, links, locale, findings }: MetaInput, out: FactCandidates): void {
  const give: Give = (name, field, value, weight, more = {}) => {
    if (value !== undefined && value !== '')
      out[name].push({ value, source: 'meta', field, weight, ...more });
  };
  const read: Read = (name, { field, value: text }, value, weight, more) => {
    if (value === undefined) addUnread(findings, name, { value: text, source: 'meta', field });
    else give(name, field, value, weight, more);
  };
  addOffer(metas, locale, give, read);
  const sku = firstMeta(metas, ['product:retailer_item_id', 'product:sku', 'og:sku', 'sku']);
  if (sku !== undefined) give('sku', sku.field, skuText(sku.value), META.product);
  const brand = firstMeta(metas, ['product:brand', 'og:brand', 'brand']);
  if (brand !== undefined) give('brand', brand.field, brandText(brand.value), META.product);
  for (const image of [
    ...(metas.get('og:image:secure_url') ?? []),
    ...(metas.get('og:image') ?? []),
    ...(metas.get('twitter:image') ?? []),
  ]) {
    const value = imageUrl(image, links.base, findings);
    if (value !== undefined)
      out.images.push({ value, source: 'meta', field: 'og:image', weight: META.preview });
  }
}

/** Adds name and description, which pages without a product have too. */
export function addMetaTexts(metas: MetaMap, out: FactCandidates): void {
  const name = firstMeta(metas, ['og:title', 'twitter:title']);
  if (name !== undefined) {
    const value = htmlToText(name.value, BOUNDS.nameLength);
    if (value !== '') out.name.push({ value, source: 'meta', field: name.field, weight: META.text });
  }
  const description = firstMeta(metas, ['og:description', 'twitter:description', 'description']);
  if (description !== undefined) {
    const value = htmlToText(description.value, BOUNDS.descriptionLength);
    if (value !== '')
      out.description.push({ value, source: 'meta', field: description.field, weight: META.text });
  }
}

type More = Pick<FactCandidate, 'inferred' | 'range'>;
type Give = (name: FactName, field: string, value: string | undefined, weight: number, more?: More) => void;
/** Like `Give`, but reports a value that could not be parsed. */
type Read = (
  name: FactName,
  stated: MetaText,
  value: string | undefined,
  weight: number,
  more?: More,
) => void;

function addOffer(metas: MetaMap, locale: Locale, give: Give, read: Read): void {
  const amount = firstMeta(metas, [
    'product:sale_price:amount',
    'product:price:amount',
    'og:price:amount',
    'product:price',
    'og:price',
  ]);
  if (amount !== undefined) {
    const price = statedPrice(amount.value);
    const range = rangeIn(amount.value);
    const weight = META.product * (Number(price) === 0 ? RECORD_SHARE.zero : 1);
    read('price', amount, price, weight, range === undefined ? {} : { range });
    giveMark(parsePrice(amount.value)?.mark, amount.field, locale, give);
  }
  const currency = firstMeta(metas, [
    'product:sale_price:currency',
    'product:price:currency',
    'og:price:currency',
    'product:currency',
    'og:currency',
  ]);
  if (currency !== undefined)
    read('currency', currency, currencyOf(currency.value, locale)?.iso, META.product);
  const availability = firstMeta(metas, [
    'product:availability',
    'og:availability',
    'og:product:availability',
  ]);
  if (availability !== undefined)
    read('availability', availability, availabilityName(availability.value), META.product);
  addTwitter(metas, locale, give);
}

function addTwitter(metas: MetaMap, locale: Locale, give: Give): void {
  for (const [label, { value, field }] of twitterLabels(metas)) {
    if (
      /^(?:price|prix|preis|precio|prezzo|preço|cena|цена|ціна|prijs|pris|hinta|ár|preț|fiyat|τιμή|价格|價格|価格|가격|السعر|מחיר)$/.test(
        label,
      )
    ) {
      const price = parsePrice(value);
      if (price === undefined) continue;
      give('price', field, statedPrice(value), META.preview);
      giveMark(price.mark, field, locale, give);
    } else if (
      /^(?:availability|verfügbarkeit|disponibilit[éàa]|disponibilidade?|beschikbaarheid|dostępność|dostupnost|наличие|наявність|tilgjengelighet|tilgængelighed|tillgänglighet|saatavuus|elérhetőség|disponibilitate|stok durumu|在庫状況|可用性)$/.test(
        label,
      )
    ) {
      give('availability', field, availabilityName(value), META.preview);
    } else if (/^(?:brand|marke|marque|marca|merk|marka|značka|бренд)$/.test(label))
      give('brand', field, brandText(value), META.preview);
  }
}

/** Adds the currency of a symbol printed with a price, with little weight if several currencies share the symbol. */
function giveMark(mark: string | undefined, field: string, locale: Locale, give: Give): void {
  const currency = mark === undefined ? undefined : currencyOf(mark, locale);
  if (currency !== undefined)
    give(
      'currency',
      field,
      currency.iso,
      currency.guessed ? GUESSED_CURRENCY : META.preview,
      currency.guessed ? { inferred: true } : {},
    );
}

interface MetaText {
  readonly value: string;
  readonly field: string;
}

function firstMeta(metas: MetaMap, names: readonly string[]): MetaText | undefined {
  for (const name of names) {
    const value = metas.get(name)?.[0];
    if (value !== undefined) return { value, field: name };
  }
  return undefined;
}

/** `twitter:data1` to `twitter:data4`, by the lower-case text of their labels. */
function twitterLabels(metas: MetaMap): Map<string, { value: string; field: string }> {
  const pairs = new Map<string, { value: string; field: string }>();
  for (let i = 1; i <= 4; i++) {
    const label = metas.get(`twitter:label${i}`)?.[0]?.trim().toLowerCase();
    const value = metas.get(`twitter:data${i}`)?.[0];
    if (label !== undefined && value !== undefined) pairs.set(label, { value, field: `twitter:data${i}` });
  }
  return pairs;
}
