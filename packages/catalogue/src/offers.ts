import type { CatalogueNote, CatalogueProduct } from './types.ts';
import { isRecord, line } from './values.ts';

/** What a catalogue states of the offer of a product. */
export interface Offer {
  readonly price?: CatalogueProduct['price'] | undefined;
  readonly availability?: string | undefined;
  readonly notes?: readonly CatalogueNote[];
}

const AMOUNT = /^(\d{1,12})(?:[.,](\d{1,4}))?$/;
const CURRENCY = /^[A-Z]{3}$/;

/**
 * The offer of an item of a Google Merchant feed. Its price is the sale price, if it states one; none while that is for a period only,
 * since the price changes without the feed.
 *
 * @param of - the attribute that all variants share
 */
export function feedOffer(of: (name: string) => string | undefined): Offer {
  const text = of('sale_price') ?? of('price');
  const isForPeriod = of('sale_price') !== undefined && of('sale_price_effective_date') !== undefined;
  const price = text === undefined || isForPeriod ? undefined : feedPrice(text);
  const isUnread = text !== undefined && !isForPeriod && price === undefined;
  return {
    price,
    availability: availabilityOf(of('availability')),
    ...(isUnread && { notes: [{ code: 'price_unread' as const, detail: 'state it as 24.90 EUR' }] }),
  };
}

/** `24.90 EUR`, as Google's specification has it; also with a comma, or the currency first. */
function feedPrice(text: string): CatalogueProduct['price'] {
  const [first = '', second = '', more] = text.trim().split(/\s+/);
  const [amount, currency] = CURRENCY.test(first) ? [second, first] : [first, second];
  const [, whole, decimals] = AMOUNT.exec(amount) ?? [];
  if (whole === undefined || more !== undefined || !CURRENCY.test(currency)) return undefined;
  return { amount: decimals === undefined ? whole : `${whole}.${decimals}`, currency };
}

/** The offer of a row as the registry accepts it. */
export function registryOffer({ price, availability }: Readonly<Record<string, unknown>>): Offer {
  const { amount, currency, includesTax } = isRecord(price) ? price : {};
  const isRead = AMOUNT.test(String(amount)) && CURRENCY.test(String(currency));
  return {
    availability: availabilityOf(line(availability)),
    ...(isRead && {
      price: {
        amount: String(amount).replace(',', '.'),
        currency: String(currency),
        ...(typeof includesTax === 'boolean' && { includesTax }),
      },
    }),
    ...(price !== undefined &&
      price !== null &&
      !isRead && {
        notes: [
          { code: 'price_unread' as const, detail: 'state it as {"amount": "24.90", "currency": "EUR"}' },
        ],
      }),
  };
}

/** Google's values and schema.org's names, by their letters. */
const AVAILABILITIES: ReadonlyMap<string, string> = new Map(
  [
    'InStock',
    'LimitedAvailability',
    'OnlineOnly',
    'InStoreOnly',
    'MadeToOrder',
    'BackOrder',
    'PreOrder',
    'PreSale',
    'OutOfStock',
    'SoldOut',
    'Reserved',
    'Discontinued',
  ].map((name) => [name.toLowerCase(), name]),
);

function availabilityOf(text: string | undefined): string | undefined {
  const name = text?.split('/').at(-1) ?? '';
  return AVAILABILITIES.get(name.toLowerCase().replace(/[\s_-]/g, ''));
}
