import { isRecord, type JsonRecord, records } from '../values.ts';
import type { ItemDraft, ItemPrice } from './types.ts';

/** Members of products and variants that are read. */
const READ =
  'id title url media variants barcodes sku price price_range availability options variant_options selected_options brand'.split(
    ' ',
  );

/**
 * A product or variant of UCP (Universal Commerce Protocol) or of an ACP feed (Agentic Commerce Protocol), which have the same form: a
 * price is an object in minor units, and pictures are media.
 */
export function isProtocolItem(value: JsonRecord): boolean {
  if (!('id' in value && ('title' in value || 'variants' in value))) return false;
  if (isRecord(value.price_range) || isPrice(value.price) || Array.isArray(value.barcodes)) return true;
  const [first] = records(value.variants);
  if (first === undefined) return Array.isArray(value.media) && !('handle' in value);
  return isPrice(first.price) || (!('handle' in value) && 'title' in first);
}

export function protocolDraft(value: JsonRecord): ItemDraft {
  const variants = records(value.variants);
  const parts = variants.length === 0 ? [value] : [value, ...variants];
  const priced = variants.length === 0 ? [value] : variants;
  const [first] = variants;
  const titled = value.title ?? (variants.length === 1 ? first?.title : undefined);
  return {
    id: value.id,
    link: value.url ?? first?.url,
    links: variants.map(({ url }) => url),
    name: titled,
    // those of several variants stand in no name
    options: variants.length > 1 ? [] : optionsOf(first ?? value),
    brands: [isRecord(value.brand) ? value.brand.name : value.brand],
    skus: parts.map(({ sku }) => sku),
    gtins: parts.flatMap(({ barcodes }) => records(barcodes).map((barcode) => barcode.value)),
    pictures: parts.flatMap(({ media }) =>
      records(media)
        .filter(isImage)
        .map(({ url }) => ({ url })),
    ),
    prices: priced.map(({ price }) => minorPrice(price)),
    availability: priced.length === 1 ? availabilityOf(priced[0]?.availability) : undefined,
    read: READ,
  };
}

function isPrice(value: unknown): boolean {
  return isRecord(value) && 'amount' in value && 'currency' in value;
}

function isImage({ type }: JsonRecord): boolean {
  return type === 'image' || type === undefined;
}

/** UCP: `options` of a variant, with `label`; ACP: `variant_options`, with `value`. */
function optionsOf(variant: JsonRecord): unknown[] {
  return [...records(variant.options), ...records(variant.variant_options)].map(
    ({ label, value }) => label ?? value,
  );
}

function availabilityOf(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return (
    value.status ??
    (value.available === undefined ? undefined : value.available === true ? 'InStock' : 'OutOfStock')
  );
}

/** Currencies whose minor unit is not a hundredth (ISO 4217). */
const DECIMALS: Readonly<Record<string, number>> = {
  BHD: 3,
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  IQD: 3,
  ISK: 0,
  JOD: 3,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  PYG: 0,
  RWF: 0,
  TND: 3,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
};

/**
 * A decimal amount in the minor units of its currency (ISO 4217), as protocols state prices.
 *
 * @returns `undefined` if it is none, or has more decimals than the currency
 * @example
 * ```ts
 * import { toMinorUnits } from '@touchstone/catalogue';
 *
 * toMinorUnits('24.9', 'EUR'); // 2490
 * ```
 */
export function toMinorUnits(amount: string, currency: string): number | undefined {
  const [, whole = '', part = ''] = /^(\d{1,12})(?:\.(\d{1,4}))?$/.exec(amount) ?? [];
  const decimals = DECIMALS[currency] ?? 2;
  const kept = part.replace(/0+$/, '');
  if (whole === '' || kept.length > decimals) return undefined;
  return Number(whole + kept.padEnd(decimals, '0'));
}

/** A price in minor units. */
function minorPrice(value: unknown): ItemPrice | undefined {
  if (!isRecord(value)) return undefined;
  const { amount, currency } = value;
  if (!Number.isSafeInteger(amount) || Number(amount) < 0 || typeof currency !== 'string') return undefined;
  return { amount: fromMinor(String(amount), DECIMALS[currency] ?? 2), currency };
}

/** An amount in minor units as a decimal. */
export function fromMinor(digits: string, decimals: number): string {
  if (decimals === 0) return digits;
  const padded = digits.padStart(decimals + 1, '0');
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}
