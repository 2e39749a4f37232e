import type { ProblemRow } from '../types.ts';

/**
 * What one item of a feed, catalogue or commerce protocol states, whatever its format. Absent or empty: the item does not state it. Of an
 * item with variants, the values of all of them.
 */
export interface ReadItem {
  readonly id?: string;
  /** Address of the page to which the item links, as stated. */
  readonly link?: string;
  /** Further addresses for the same page: of its variants and offers. */
  readonly links: readonly string[];
  readonly name?: string;
  /** Values of the options of the variant, such as its colour. */
  readonly options: readonly string[];
  readonly brands: readonly string[];
  readonly skus: readonly string[];
  /** As stated: digits, or GS1 Digital Links. */
  readonly gtins: readonly string[];
  readonly pictures: readonly { readonly url: string; readonly sha256?: string }[];
  readonly prices: readonly ItemPrice[];
  /** A name of schema.org's ItemAvailability, or as stated. */
  readonly availability?: string;
  /** Names of the members that were not read. */
  readonly others: readonly string[];
  /** The certificates that it carries, at most eight. */
  readonly certificates: readonly { readonly place: string; readonly document: unknown }[];
}

/** What anyone pays for an item. */
export interface ItemPrice {
  /** Decimal. */
  readonly amount: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly includesTax?: boolean;
}

/** An item as read from its format, with values of any type. */
export interface ItemDraft {
  readonly id?: unknown;
  readonly link?: unknown;
  readonly links?: readonly unknown[];
  /** One line of plain text, or HTML. */
  readonly name?: unknown;
  readonly options?: readonly unknown[];
  readonly brands?: readonly unknown[];
  readonly skus?: readonly unknown[];
  readonly gtins?: readonly unknown[];
  readonly pictures?: readonly { readonly url: unknown; readonly sha256?: unknown }[];
  readonly prices?: readonly (ItemPrice | undefined)[];
  readonly availability?: unknown;
  /** Names of the members that the reader used. */
  readonly read: readonly string[];
  /** Names of members that it could not use, such as a price without a currency. */
  readonly unread?: readonly string[];
}

/** How an item is read. */
export interface ReadItemOptions {
  /**
   * Address of the feed, catalogue or shop that offers the item. Only Shopify's own format needs it, which states no addresses of pages:
   * they are on this origin.
   */
  readonly source?: string | undefined;
}

/** A certificate to be written into an item. */
export interface CertificateToWrite {
  /** Its JSON in ASCII without `<`, `>` and `&` (`certificateJson`), so that it can stand in any format and encoding. */
  readonly json: string;
  /** The namespace of its service, as its context states it. */
  readonly namespaceUrl: string;
  /** Address of its service, which names it in UCP (`ucpNames`). */
  readonly issuer: string;
}

/** Part of a feed; the texts of all parts, one after another, are that of the feed, but for the column that a table gets. */
export type FeedPart =
  /** Between items. */
  | { readonly text: string }
  | FeedPartOfItem
  /** What cannot be read, with its text; that of the feed as a whole (row 0) comes last. */
  | (ProblemRow & { readonly text: string });

/** An item with its text. */
export interface FeedPartOfItem {
  readonly row: number;
  readonly item: ReadItem;
  readonly text: string;
  /**
   * The text with a certificate, or without any: the certificates in it for which `isReplaced` returns true are removed.
   *
   * @returns `null` if this item has no place for one
   */
  readonly write: (
    certificate: CertificateToWrite | undefined,
    isReplaced: (document: unknown) => boolean,
  ) => string | null;
}
