import { articleKey, gtin14 } from '../agreement/identifiers.ts';
import { comparePrice } from '../agreement/offers.ts';
import { type SignedPrice, signedPriceOf, signedValuesOf } from '../agreement/signed-values.ts';
import type { SignedValues } from '../agreement/types.ts';
import { comparePageUrls } from '../binding/compare-page-urls.ts';
import { hostOf, isDomainOf } from '../binding/hosts.ts';
import type { VerificationResult } from '../verify/result.ts';
import { compareTexts } from './compare-texts.ts';
import { picturesUnsigned, signedPictures } from './signed-pictures.ts';
import { statedGtin } from './stated-gtin.ts';
import {
  ITEM_FIELDS,
  type ItemField,
  type ItemFields,
  type NotComparedReason,
  type StatedItem,
  type StatedPrice,
} from './types.ts';

/** Values of one field that are compared: more than shops have variants or pictures. One beyond them does not agree. */
const MAX_VALUES = 5_000;
/** Values that are told, and characters of each. */
const MAX_TOLD = 10;
const MAX_TEXT = 500;

/** The parts of a verification result that say what is signed. */
export type Signed = Pick<VerificationResult, 'signed' | 'checks'>;

/**
 * Compares each field of an item with the certificate: what both state either agrees, or differs. All values of a field count, so that one
 * altered number of a variant or one swapped picture is a difference. Pure; the work is bounded.
 *
 * @param document - the certificate as it was verified
 * @param result - its verification. Unless signature and integrity were found good, nothing is compared
 */
export function compareItem(
  item: StatedItem,
  document: Readonly<Record<string, unknown>>,
  result: Signed,
): ItemFields {
  const values = signedValuesOf(document, result);
  const { signed } = result;
  if (values === undefined || signed === undefined) return nothingSigned(item);
  const { name, options, brands, skus, gtins, availability } = item;
  const links = linksOf(item);
  return {
    host: compareAll(values.domain, links.map(hostOrText), isDomainOf),
    page: compareAll(signed.url, links, (own, theirs) => comparePageUrls(own, theirs).equal),
    name: compareName(values, name, options),
    brand: compareAll(
      values.brand,
      brands,
      (own, theirs) => compareTexts(own, theirs, { ...values, brand: own }) === 'agrees',
    ),
    sku: compareAll(values.sku, skus, isSameArticle),
    gtin: compareAll(values.gtin, gtins, isSameGtin),
    pictures: comparePictures(document, item),
    price: comparePrices(signedPriceOf(document, result), item.prices),
    availability: notCompared(availability === undefined ? 'not_stated' : 'not_signed', {
      stated: availability,
    }),
  };
}

/** Nothing is compared, for want of a certificate that is validly signed. */
export function nothingSigned(item: StatedItem): ItemFields {
  const { name, brands, skus, gtins, pictures, prices, availability } = item;
  const links = linksOf(item);
  const stated: Readonly<Record<keyof ItemFields, string | readonly string[] | undefined>> = {
    host: links.map(hostOrText),
    page: links,
    name,
    brand: brands,
    sku: skus,
    gtin: gtins,
    pictures: pictures?.map(({ url }) => url),
    price: prices?.map(priceText),
    availability,
  };
  return Object.fromEntries(
    ITEM_FIELDS.map((one) => [one, notCompared('item_unsigned', { stated: stated[one] })]),
  ) as unknown as ItemFields;
}

type Told = string | readonly string[] | undefined;

function linksOf({ link, links = [] }: StatedItem): readonly string[] {
  return [...new Set(link === undefined ? links : [link, ...links])];
}

/** The host of an address; what is none is told as it is. */
function hostOrText(link: string): string {
  return hostOf(link) ?? link;
}

/** Every stated value must be the signed one; those that are not are told. */
function compareAll(
  signed: string | undefined,
  stated: readonly string[] = [],
  isSame: (signed: string, stated: string) => boolean,
): ItemField {
  if (signed === undefined) return notCompared('not_signed', { stated });
  const values = stated.filter((value) => value.trim() !== '');
  if (values.length === 0) return notCompared('not_stated', { signed });
  const others = values.filter((value, at) => at >= MAX_VALUES || !isSame(signed, value));
  return others.length === 0
    ? field('agrees', { signed, stated: values })
    : field('differs', { signed, stated: others });
}

function compareName(
  values: SignedValues,
  stated: string | undefined,
  options: StatedItem['options'],
): ItemField {
  const { productName: signed } = values;
  if (stated === undefined) return notCompared('not_stated', { signed });
  const compared = compareTexts(signed, stated, values, options);
  if (compared === 'options') return notCompared('variant_words', { signed, stated });
  return field(compared, { signed, stated });
}

function isSameArticle(signed: string, stated: string): boolean {
  const key = articleKey(signed);
  return key === '' ? signed.trim() === stated.trim() : key === articleKey(stated);
}

/** What is no GTIN is none of the signed product either. */
function isSameGtin(signed: string, stated: string): boolean {
  const own = gtin14(signed);
  return own === null ? signed.trim() === stated.trim() : own === statedGtin(stated);
}

function comparePictures(
  document: Readonly<Record<string, unknown>>,
  { pictures: stated = [] }: StatedItem,
): ItemField {
  const signed = signedPictures(document);
  const urls = (some: readonly { readonly url: string }[]) => some.map(({ url }) => url);
  if (signed.length === 0) return notCompared('not_signed', { stated: urls(stated) });
  if (stated.length === 0) return notCompared('not_stated', { signed: urls(signed) });
  const others = picturesUnsigned(signed, stated.slice(0, MAX_VALUES)).concat(stated.slice(MAX_VALUES));
  return others.length === 0
    ? field('agrees', { signed: urls(signed), stated: urls(stated) })
    : field('differs', { signed: urls(signed), stated: urls(others) });
}

/** Sure facts for `comparePrice`, which compares readings of pages. */
const SURE = { source: 'data', field: 'price', confidence: 1 } as const;

function comparePrices(signed: SignedPrice | undefined, prices: readonly StatedPrice[] = []): ItemField {
  const told = { signed: signed && priceText(signed), stated: prices.map(priceText) };
  if (signed === undefined) return notCompared('not_signed', told);
  if (prices.length === 0) return notCompared('not_stated', told);
  const results = prices.map((price) => pricesAgree(signed, price));
  const others = prices.filter((_, at) => results[at] === 'differs').map(priceText);
  if (others.length > 0) return field('differs', { ...told, stated: others });
  const open = results.find((result) => result !== 'agrees');
  return open === undefined || open === 'differs' ? field('agrees', told) : notCompared(open, told);
}

/** Amounts of one currency are the same or not, unless only one of them may include tax. */
function pricesAgree(
  signed: SignedPrice,
  stated: StatedPrice,
): 'agrees' | 'differs' | Extract<NotComparedReason, 'other_currency' | 'tax_unknown'> {
  if (signed.currency !== stated.currency) return 'other_currency';
  if (Number(signed.amount) === Number(stated.amount)) return 'agrees';
  const asked = {
    price: { ...SURE, value: stated.amount },
    currency: { ...SURE, value: stated.currency },
    offers: null,
  };
  const isTold = signed.includesTax !== undefined && signed.includesTax === stated.includesTax;
  return !isTold && comparePrice(signed, asked) === 'not_comparable' ? 'tax_unknown' : 'differs';
}

function priceText({ amount, currency }: { readonly amount: string; readonly currency: string }): string {
  return `${amount} ${currency}`;
}

function field(result: 'agrees' | 'differs', { signed, stated }: { signed: Told; stated: Told }): ItemField {
  return { result, ...toldAs('signed', signed), ...toldAs('stated', stated) };
}

function notCompared(
  why: NotComparedReason,
  { signed, stated }: { readonly signed?: Told; readonly stated?: Told },
): ItemField {
  return { result: 'not_compared', why, ...toldAs('signed', signed), ...toldAs('stated', stated) };
}

/** A value as it is told: one as text, several as a list, cut. */
function toldAs(name: 'signed' | 'stated', value: Told): Pick<ItemField, 'signed' | 'stated'> {
  const all = [...new Set(typeof value === 'string' ? [value] : value)]
    .slice(0, MAX_TOLD)
    .map((text) => cut(text));
  const [first] = all;
  if (first === undefined) return {};
  return { [name]: all.length === 1 ? first : all };
}

/** The beginning of a text. */
export function cut(text: string, most: number = MAX_TEXT): string {
  return text.slice(0, most).toWellFormed();
}
