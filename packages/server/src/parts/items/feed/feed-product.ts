import type { ProductSnapshot } from '@touchstone/certificate';
import { PRICE_PROPERTIES } from '@touchstone/certificate/agreement';
import type { Availability, Price } from '@touchstone/contract';
import type { StreamEntry } from '../../../core/certificates/stream-certificates.ts';

/** A product as feeds state it, whatever their format: what is signed as it was signed, the rest as the registry has it. */
export interface FeedProduct extends Pick<ProductSnapshot, 'name' | 'url' | 'sku' | 'gtin' | 'brand'> {
  /** The merchant's own identifier. */
  readonly id: string;
  readonly mpn?: string;
  readonly images: readonly Pick<ProductSnapshot['images'][number], 'contentUrl' | 'width' | 'height'>[];
  readonly price?: Price;
  readonly availability?: FeedAvailability;
  readonly certificate: object;
  readonly cursor: string;
}

/** The values of Google and UCP that both know. */
export type FeedAvailability = 'in_stock' | 'out_of_stock' | 'preorder' | 'backorder';

const AVAILABILITY: Readonly<Record<Availability, FeedAvailability | undefined>> = {
  InStock: 'in_stock',
  LimitedAvailability: 'in_stock',
  OnlineOnly: 'in_stock',
  // not to be bought by whoever reads a feed, or only at a time that is not known
  InStoreOnly: undefined,
  MadeToOrder: undefined,
  Reserved: undefined,
  BackOrder: 'backorder',
  PreOrder: 'preorder',
  PreSale: 'preorder',
  OutOfStock: 'out_of_stock',
  SoldOut: 'out_of_stock',
  Discontinued: 'out_of_stock',
};

type Current = Extract<StreamEntry, { status: 'current' }>;

export function feedProduct({ snapshot, price, availability, certificate, cursor }: Current): FeedProduct {
  const { externalProductId: id, name, url, sku, gtin, brand, images, attributes } = snapshot;
  const of = (wanted: string) => attributes.find((one) => one.name.toLowerCase() === wanted)?.value;
  const mpn = of('mpn');
  const known = availability === null ? undefined : AVAILABILITY[availability as Availability];
  // a signed price is the one that a verifier compares
  const signed = signedPrice((wanted) => attributes.find((one) => one.name === wanted)?.value);
  const stated = signed ?? price ?? undefined;
  return {
    id,
    name,
    url,
    ...(sku === undefined ? {} : { sku }),
    ...(gtin === undefined ? {} : { gtin }),
    ...(brand === undefined ? {} : { brand }),
    ...(mpn === undefined ? {} : { mpn }),
    images,
    ...(stated === undefined ? {} : { price: stated }),
    ...(known === undefined ? {} : { availability: known }),
    certificate,
    cursor,
  };
}

function signedPrice(attributeOf: (name: string) => string | undefined): Price | undefined {
  const [amount, currency, since] = [
    PRICE_PROPERTIES.amount,
    PRICE_PROPERTIES.currency,
    PRICE_PROPERTIES.since,
  ].map(attributeOf);
  return amount === undefined || currency === undefined || since === undefined
    ? undefined
    : { amount, currency };
}
