import type { DatabaseTransaction } from '../../platform/database/database.ts';
import type { NewEvent } from '../../platform/events/new-event.ts';

/** The state of a product but for a pause of its merchant: `product_standing` of the schema. */
export type Standing = 'deleted' | 'disabled' | 'hidden' | 'host_lost' | 'no_slot' | 'active';

/** A product that a transaction has changed. */
export interface ChangedProduct {
  readonly id: string;
  readonly storeId: string;
  /** `null`: it is new. */
  readonly was: Standing | null;
  readonly is: Standing;
  /** Its name or address is another, or it signs prices now, or no longer. */
  readonly isRenamed: boolean;
}

/** An image that a product got, lost or got back, or whose place among the others changed. */
export interface ChangedImage {
  readonly id: string;
  readonly productId: string;
  readonly host: string;
  /** `null`: it is new. */
  readonly wasRemoved: boolean | null;
  readonly isRemoved: boolean;
}

/** What is like a shop. */
export type Likeness =
  | {
      readonly kind: 'pictures';
      /** Different pictures of the page that are certified for the shop, of how many. */
      readonly pictures: number;
      readonly of: number;
      /** What else the page states as a product of the shop with one of them. */
      readonly same: readonly string[];
    }
  | { readonly kind: 'name'; readonly resemblance: readonly string[] };

/** What happens in the core, each with its details. */
export interface CoreEvents {
  /** Products were created or changed. Emitted once in a transaction, after all of its writes, under the lock of their merchant. */
  readonly productsChanged: {
    readonly merchantId: string;
    readonly products: readonly ChangedProduct[];
    /** They follow their store, which was deleted before. */
    readonly ofDeletedStore: boolean;
    readonly now: Date;
  };
  /**
   * All certificates of these products were withdrawn for good, those of their images included: those issued until
   * `products.withdrawn_at`. Emitted after `productsChanged`, in the same transaction.
   */
  readonly certificatesWithdrawn: {
    readonly merchantId: string;
    readonly productIds: readonly string[];
    readonly now: Date;
  };
  /** Images of products were added, moved or removed; for the products, `productsChanged` is emitted too. */
  readonly imagesChanged: {
    readonly merchantId: string;
    readonly storeId: string;
    readonly images: readonly ChangedImage[];
  };
  /** A scan found something else about an image of the product than the scan before. */
  readonly imageScanned: {
    readonly merchantId: string;
    readonly storeId: string;
    readonly productId: string;
  };
  readonly storeCreated: { readonly merchantId: string; readonly storeId: string };
  /** Its name or address is another, or it signs prices now, or no longer. */
  readonly storeAltered: { readonly merchantId: string; readonly storeId: string };
  readonly storeDeleted: { readonly merchantId: string; readonly storeId: string };
  /** A page check found a certificate, validly signed, on a host that is no domain of its store. */
  readonly certificateCopied: {
    /** As signed. */
    readonly productId: string;
    readonly host: string;
    /** Without credentials, query and fragment, which may identify the person who checked the page. */
    readonly url: string;
    readonly now: Date;
  };
  /**
   * A page check found on a host of somebody else what is like a merchant's shop: pictures that are certified for it, or a name like that
   * of its host.
   */
  readonly likenessFound: {
    readonly merchantId: string;
    /** The merchant's host, proven. */
    readonly original: string;
    readonly host: string;
    /** Without credentials, query and fragment. */
    readonly url: string;
    readonly found: Likeness;
    readonly now: Date;
  };
  /** A sweep has read the page of an active product at its own address, on a host that its merchant has proven. */
  readonly ownPageRead: {
    readonly merchantId: string;
    readonly productId: string;
    /** As the page states it; absent: it states none. */
    readonly description?: string | undefined;
  };
  /** A merchant lets a host use the pictures of a store, or no longer. */
  readonly hostAllowed: {
    readonly merchantId: string;
    readonly storeId: string;
    readonly host: string;
    readonly allowed: boolean;
  };
  /** The operator has paused the merchant, or ended the pause. */
  readonly merchantPaused: { readonly merchantId: string; readonly paused: boolean; readonly now: Date };
  /** The merchant's proof of control of a hostname has begun or ended. */
  readonly ownerChanged: { readonly merchantId: string; readonly hostname: string };
  readonly apiKeyRevoked: { readonly keyId: string };
  readonly signingKeyRevoked: {
    readonly kid: string;
    /** As the operator states it. */
    readonly reason?: string | undefined;
    /** API key of the operator. */
    readonly keyId?: string | undefined;
    readonly now: Date;
  };
  /** What parts publish besides certificates and keys has changed (`PublicDocuments`). */
  readonly publicDocumentsChanged: { readonly now: Date };
  /** Something happened for which merchants may have subscribed a webhook. */
  readonly recorded: readonly NewEvent[];
}

/** What is done in the transaction in which something happens, so that it cannot be forgotten, and happens only with it. */
export type CoreListener = {
  readonly [Event in keyof CoreEvents]?: (
    trx: DatabaseTransaction,
    detail: CoreEvents[Event],
    emit: Emit,
  ) => Promise<void>;
};

/** Calls the listeners of an event, within the transaction. */
export type Emit = <Event extends keyof CoreEvents>(
  trx: DatabaseTransaction,
  event: Event,
  detail: CoreEvents[Event],
) => Promise<void>;

/** Calls these listeners one after another: they lock rows in this order. */
export function emitTo(listeners: readonly CoreListener[]): Emit {
  const emit: Emit = async (trx, event, detail) => {
    for (const listener of listeners) await listener[event]?.(trx, detail, emit);
  };
  return emit;
}
