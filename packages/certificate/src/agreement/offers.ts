import type { FieldResult } from './types.ts';

/** A price that was signed, or that a shop sent. */
export interface OfferPrice {
  /** Decimal. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  /** Whether it includes tax; absent: unknown. */
  readonly includesTax?: boolean | undefined;
}

/** A fact that was read from a page, as in `facts` of a page check. */
export interface OfferFact {
  readonly value: string;
  readonly confidence?: number | undefined;
  readonly doubts?: readonly string[] | undefined;
}

/** What a page states of the offer of its product: members of `facts` of a page check. */
export interface OfferFacts {
  readonly price: OfferFact | null;
  readonly currency: OfferFact | null;
  readonly availability: OfferFact | null;
  /** The range of prices of its variants. */
  readonly offers?: { readonly low: string; readonly high: string } | null | undefined;
  /** The variant that the page shows. */
  readonly variant?: OfferFact | null | undefined;
}

/** From this confidence on, a fact counts: 792 of 806 such facts of real pages are right (docs/page-reading.md). */
const SURE = 0.75;
/** Share by which amounts may differ that are the same but for rounding; at least a hundredth. */
const ROUNDING = 0.005;

/** Standard rates of tax, in percent, by currency; a currency with none is one whose prices are stated without tax everywhere. */
const TAX_RATES: Readonly<Record<string, readonly number[]>> = {
  AED: [5],
  AUD: [10],
  CAD: [5, 13, 14, 15],
  CHF: [8.1],
  CNY: [13],
  CZK: [21],
  DKK: [25],
  EUR: [17, 18, 19, 20, 21, 22, 23, 24, 25, 25.5],
  GBP: [20],
  HUF: [27],
  ILS: [18],
  INR: [5, 18],
  JPY: [10],
  KRW: [10],
  MXN: [16],
  NOK: [25],
  NZD: [15],
  PLN: [23],
  RON: [19, 21],
  SEK: [25],
  SGD: [9],
  THB: [7],
  TRY: [20],
  USD: [],
  ZAR: [15],
};
const OTHER_RATES = [5, 7, 10, 12, 15, 16, 18, 19, 20, 21];
/** The highest standard rate. */
const MOST_TAX = 1.27;

/**
 * Compares the price of a product with what a page asks. Pure.
 *
 * `same`: the amounts differ by at most 0.5 %, or a hundredth. `not_comparable`, which is no difference:
 *
 * - the page states no currency or another: shops show visitors of other countries another one;
 * - the reading is not sure of the price (confidence below 0.75, or a doubt);
 * - the amount lies within the range of prices that the page states for its variants;
 * - one may be the other with tax. By a standard rate of the currency; if the price is known to be without tax, whatever the page
 *   adds up to 27 %; if it is known to include it, only if the page asks less.
 *
 * @param facts - as read from the page
 * @example
 * ```ts
 * import { comparePrice } from '@touchstone/certificate/agreement';
 *
 * const stated = (value: string) => ({ value, source: 'jsonld', field: 'offers', confidence: 1 }) as const;
 * const facts = { price: stated('31.90'), currency: stated('EUR'), offers: null };
 * comparePrice({ amount: '24.90', currency: 'EUR' }, facts); // 'different'
 * ```
 */
export function comparePrice(
  price: OfferPrice,
  facts: Pick<OfferFacts, 'price' | 'currency' | 'offers'>,
): FieldResult {
  const { price: stated, currency, offers } = facts;
  if (stated === null) return 'not_stated';
  const [own, asked] = [Number(price.amount), Number(stated.value)];
  if (!Number.isFinite(asked) || (currency !== null && currency.value !== price.currency))
    return 'not_comparable';
  if (isEqual(own, asked)) return 'same';
  if (!isSure(stated) || currency === null) return 'not_comparable';
  if (offers && isWithin(own, offers)) return 'not_comparable';
  return mayBeTax(price, own, asked) ? 'not_comparable' : 'different';
}

const SOLD_OUT: ReadonlySet<string> = new Set(['OutOfStock', 'SoldOut', 'Reserved', 'Discontinued']);

/**
 * Compares whether a product can be bought with what a page says. Pure. Availabilities are the same if both allow to order, or both do
 * not. If the page has variants, it may say so of one of them: then nothing differs.
 *
 * @param availability - a name of schema.org, such as `InStock`
 * @example
 * ```ts
 * import { compareAvailability } from '@touchstone/certificate/agreement';
 *
 * const availability = { value: 'OutOfStock', source: 'jsonld', field: 'offers', confidence: 1 } as const;
 * compareAvailability('InStock', { availability, offers: null, variant: null }); // 'different'
 * ```
 */
export function compareAvailability(
  availability: string,
  facts: Pick<OfferFacts, 'availability' | 'offers' | 'variant'>,
): FieldResult {
  const { availability: stated, offers, variant } = facts;
  if (stated === null) return 'not_stated';
  if (SOLD_OUT.has(availability) === SOLD_OUT.has(stated.value)) return 'same';
  return isSure(stated) && !offers && !variant ? 'different' : 'not_comparable';
}

function isSure(fact: OfferFact): boolean {
  return (fact.confidence ?? 0) >= SURE && fact.doubts === undefined;
}

function isEqual(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(0.0101, ROUNDING * Math.max(a, b));
}

function isWithin(amount: number, { low, high }: { readonly low: string; readonly high: string }): boolean {
  const [least, most] = [Number(low), Number(high)];
  return (amount >= least && amount <= most) || isEqual(amount, least) || isEqual(amount, most);
}

function mayBeTax({ currency, includesTax }: OfferPrice, own: number, asked: number): boolean {
  if (includesTax === false) return asked >= own && asked <= own * MOST_TAX;
  if (includesTax === true && asked > own) return false;
  const [net, gross] = own < asked ? [own, asked] : [asked, own];
  // prices in whole units are rounded to them
  const tolerance = Number.isInteger(gross) || Number.isInteger(net) ? 0.51 : 0.0101;
  const rates = TAX_RATES[currency] ?? OTHER_RATES;
  return rates.some((rate) => Math.abs(net * (1 + rate / 100) - gross) <= tolerance);
}
