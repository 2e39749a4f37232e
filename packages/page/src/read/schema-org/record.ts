import type { FactSource } from '../../types.ts';

/** Something that a page states, raw, with the name of the place. */
export interface Stated {
  readonly value: string;
  readonly field: string;
}

/** One offer as stated. */
export interface OfferRecord {
  readonly price?: Stated;
  /** The high end, where the price is the low end of a range. */
  readonly highPrice?: Stated;
  readonly currency?: Stated;
  readonly availability?: Stated;
  /** The price is said to be without the tax that buyers may pay on top. */
  readonly net?: true;
  readonly sku?: Stated;
  readonly url?: string;
  /** A range over several sellers or variants (AggregateOffer). */
  readonly aggregate: boolean;
}

/** One product as structured data of any syntax states it. */
export interface ProductRecord {
  readonly source: FactSource;
  /** Of its syntax (`weights.ts`). */
  readonly weight: number;
  /** Position among the records of the page. */
  readonly order: number;
  readonly types: readonly string[];
  readonly name?: Stated;
  readonly description?: Stated;
  readonly sku?: Stated;
  readonly brand?: Stated;
  readonly images: readonly Stated[];
  /** Addresses and ids by which it may name its page. */
  readonly urls: readonly string[];
  readonly offers: readonly OfferRecord[];
  readonly variants: readonly ProductRecord[];
  /** Stands under a property that speaks of other products, or in a list. */
  readonly related: boolean;
  /** Named as the page's main entity. */
  readonly main: boolean;
  /** One of several records of the page's product with article numbers of their own, none of them pointed at. */
  readonly oneOfSeveral?: true;
}
