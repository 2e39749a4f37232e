import type { Conclusion } from '../verify/conclusion/conclude.ts';
import type { ItemConclusionCode } from '../verify/conclusion/item-conclusions.ts';
import type { VerificationResult } from '../verify/result.ts';

/**
 * What an item of a feed, catalogue or commerce protocol states, without its format; what it does not state is absent. `readItem` of
 * `@touchstone/catalogue` returns it for the usual formats.
 */
export interface StatedItem {
  /** The merchant's own identifier. */
  readonly id?: string | undefined;
  /** Address of the page to which the item links, as the item states it. */
  readonly link?: string | undefined;
  /** Further addresses that the item states for the same page, such as those of its variants and offers. */
  readonly links?: readonly string[] | undefined;
  readonly name?: string | undefined;
  /** Values of the options of the variant, such as a colour, which feeds add to names. */
  readonly options?: readonly string[] | undefined;
  readonly brands?: readonly string[] | undefined;
  /** Those of all variants of the item; also in the following. */
  readonly skus?: readonly string[] | undefined;
  /** GTINs of 8, 12, 13 or 14 digits, or GS1 Digital Links. */
  readonly gtins?: readonly string[] | undefined;
  readonly pictures?: readonly StatedPicture[] | undefined;
  readonly prices?: readonly StatedPrice[] | undefined;
  /** A name of schema.org's ItemAvailability, or as stated. */
  readonly availability?: string | undefined;
  /** Names of what else the item states. None of it is compared. */
  readonly others?: readonly string[] | undefined;
  /** The certificates that the item carries. At most four are verified. */
  readonly certificates?: readonly CarriedCertificate[] | undefined;
}

/** A picture of an item. */
export interface StatedPicture {
  /** Absolute. */
  readonly url: string;
  /** Hash of its bytes, hex, if the item states it. */
  readonly sha256?: string | undefined;
}

/** A price of an item. */
export interface StatedPrice {
  /** Decimal, such as `24.90`. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly includesTax?: boolean | undefined;
}

/** A certificate in an item. */
export interface CarriedCertificate {
  /** Where in the item it was found, such as `metadata.example.touchstone`. */
  readonly place: string;
  /** Any value. */
  readonly document: unknown;
}

/** The fields of an item that are compared with what was signed, in the order in which they are told; a closed list. */
export const ITEM_FIELDS = [
  'host',
  'page',
  'name',
  'brand',
  'sku',
  'gtin',
  'pictures',
  'price',
  'availability',
] as const;

/** One of `ITEM_FIELDS`. */
export type ItemFieldName = (typeof ITEM_FIELDS)[number];

/** Result of comparing one field; a closed list. */
export const ITEM_RESULTS = ['agrees', 'differs', 'not_compared'] as const;

/** Why a field was not compared, with its sentence; a closed list. */
export const NOT_COMPARED = {
  item_unsigned: 'Nothing about this item is validly signed.',
  not_signed: 'The certificate does not sign this.',
  not_stated: 'The item does not state this.',
  variant_words:
    'The name consists of the signed words and those of the options of the variant, which are not signed, or of the latter alone.',
  other_currency: 'The price is stated in another currency than the signed one.',
  tax_unknown: 'One of the two prices may include tax, and the other not.',
} as const;

/** A code of `NOT_COMPARED`. */
export type NotComparedReason = keyof typeof NOT_COMPARED;

/** Whether one field of an item agrees with what was signed. */
export interface ItemField {
  readonly result: (typeof ITEM_RESULTS)[number];
  /** Present exactly if it was not compared. */
  readonly why?: NotComparedReason;
  /** The signed value, if there is one. */
  readonly signed?: string | readonly string[];
  /** What the item states; of several values those that differ, if any does. At most ten. */
  readonly stated?: string | readonly string[];
}

/** Each field of an item. */
export type ItemFields = Readonly<Record<ItemFieldName, ItemField>>;

/** What is told of an item besides its checks, with its sentence; a closed list. */
export const ITEM_NOTES = {
  item_link_missing: 'The item links to no page, so nothing could be compared with the signed address.',
  item_offered_by_another_host:
    'The item is offered by another host than the certificate is for: who sells by that offer is not signed.',
  item_price_differs:
    'The item asks another price than the certificate signs. Shops change prices before certificates are renewed.',
} as const;

/** A code of `ITEM_NOTES`. */
export type ItemNote = keyof typeof ITEM_NOTES;

/** Where the certificate of an item was found. */
export const ITEM_CERTIFICATES = ['carried', 'by_address', 'none'] as const;

/** The verification of an item: as of a page, at the address to which the item links. */
export interface ItemVerification extends Omit<VerificationResult, 'productId' | 'conclusion'> {
  readonly conclusion: Conclusion<ItemConclusionCode>;
  /** The product that the certificate names; absent if there is none. */
  readonly productId?: string;
  /** `carried`: in the item; `by_address`: the service found it by the link of the item. */
  readonly certificate: (typeof ITEM_CERTIFICATES)[number];
  /** Where in the item it was, if it was carried. */
  readonly place?: string;
  /** The item's own identifier, link and name, as stated. */
  readonly item: { readonly id?: string; readonly link?: string; readonly name?: string };
  readonly fields: ItemFields;
  /** Names of what else the item states. */
  readonly notCompared: readonly string[];
  /** The host that offers the item, as the caller says; absent if the caller does not say. */
  readonly offeredBy?: string;
}
