import { randomUUID } from 'node:crypto';
import type { ProductAttribute } from '@touchstone/certificate';
import { hostOf } from '@touchstone/certificate/binding';
import type { Availability, ImageInput, ProductRow } from '@touchstone/contract';
import type { Standing } from '../events.ts';
import { storedPageKey } from './page-key.ts';

/** An existing product, possibly deleted: it may be restored. */
export interface PresentProduct {
  readonly id: string;
  readonly externalProductId: string;
  readonly name: string;
  readonly url: string;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly brand: string | null;
  readonly attributes: readonly ProductAttribute[];
  readonly price: NonNullable<ProductRow['price']> | null;
  readonly availability: string | null;
  readonly visible: boolean;
  /** Its certificates were withdrawn by hand: no row shows it. */
  readonly keptHidden: boolean;
  readonly hostKnown: boolean;
  readonly deleted: boolean;
  readonly standing: Standing;
  /** Including removed ones, which keep their ids. */
  readonly images: readonly PresentImage[];
}

export interface PresentImage {
  readonly id: string;
  readonly url: string;
  readonly externalId: string | null;
  readonly position: number;
  readonly removed: boolean;
}

/** The step for one row. */
export interface Step {
  readonly id: string;
  readonly status: 'created' | 'updated' | 'unchanged' | 'revived';
  /** Name or address are others than those of the existing product. */
  readonly isRenamed: boolean;
  readonly product: WantedProduct;
  readonly images: readonly ImageStep[];
}

export interface WantedProduct {
  readonly external_product_id: string;
  readonly name: string;
  readonly url: string;
  readonly host: string;
  /** bigint, as text. */
  readonly page_key: string;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly brand: string | null;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly price: NonNullable<ProductRow['price']> | null;
  readonly availability: Availability | null;
  readonly visible: boolean;
}

export interface ImageStep {
  readonly id: string;
  readonly url: string;
  readonly external_id: string | null;
  readonly position: number;
  readonly removed: boolean;
  /** `null`: it is new. */
  readonly wasRemoved: boolean | null;
}

/** Plans what each row changes in the existing products. Pure, except for new ids. */
export function planRows(rows: readonly ProductRow[], present: ReadonlyMap<string, PresentProduct>): Step[] {
  return rows.map((row) => planRow(row, present.get(row.externalProductId)));
}

function planRow(row: ProductRow, present: PresentProduct | undefined): Step {
  // a restored product is visible, like a new one, unless the row states otherwise
  const before = present === undefined || present.deleted ? true : present.visible;
  const product = wanted(row, (row.visible ?? before) && present?.keptHidden !== true);
  const images = planImages(row.images, present?.images ?? []);
  const id = present?.id ?? randomUUID();
  if (present === undefined) return { id, status: 'created', isRenamed: false, product, images };
  const isRenamed = product.name !== present.name || product.url !== present.url;
  if (present.deleted) return { id, status: 'revived', isRenamed, product, images };
  const same = images.length === 0 && present.hostKnown && isSame(product, present);
  return { id, status: same ? 'unchanged' : 'updated', isRenamed, product, images };
}

function wanted(row: ProductRow, visible: boolean): WantedProduct {
  return {
    external_product_id: row.externalProductId,
    name: row.name,
    url: row.url,
    host: hostOf(row.url) ?? '',
    page_key: storedPageKey(row.url),
    // an empty text counts as absent
    sku: row.sku || null,
    gtin: row.gtin || null,
    brand: row.brand || null,
    attributes: row.attributes ?? [],
    price: row.price ?? null,
    availability: row.availability ?? null,
    visible,
  };
}

function isSame(product: WantedProduct, present: PresentProduct): boolean {
  const shape = (one: WantedProduct | PresentProduct) => {
    const { name, url, sku, gtin, brand, visible, attributes, price, availability } = one;
    return JSON.stringify([
      name,
      url,
      sku,
      gtin,
      brand,
      visible,
      [price?.amount, price?.currency, price?.includesTax],
      availability,
      attributes.map((attribute) => [attribute.name, attribute.value]),
    ]);
  };
  return shape(product) === shape(present);
}

/** The images that change. An address that the product had before keeps its id, even if it was removed. */
export function planImages(
  inputs: readonly ImageInput[] | undefined,
  present: readonly PresentImage[],
): ImageStep[] {
  if (inputs === undefined) return [];
  const byUrl = new Map(present.map((image) => [image.url, image]));
  const kept = inputs.map((input, position): ImageStep => {
    const image = byUrl.get(input.url);
    byUrl.delete(input.url);
    return {
      id: image?.id ?? randomUUID(),
      url: input.url,
      external_id: input.externalId ?? null,
      position,
      removed: false,
      wasRemoved: image?.removed ?? null,
    };
  });
  const gone = [...byUrl.values()].map(
    (image): ImageStep => ({
      id: image.id,
      url: image.url,
      external_id: image.externalId,
      position: image.position,
      removed: true,
      wasRemoved: image.removed,
    }),
  );
  const before = new Map(present.map((image) => [image.id, image]));
  return [...kept, ...gone].filter((step) => !isSameImage(step, before.get(step.id)));
}

function isSameImage(step: ImageStep, present: PresentImage | undefined): boolean {
  return (
    present !== undefined &&
    present.removed === step.removed &&
    present.position === step.position &&
    present.externalId === step.external_id
  );
}
