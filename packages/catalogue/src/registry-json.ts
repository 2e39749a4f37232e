import type { Draft } from './draft.ts';
import { registryOffer } from './offers.ts';
import { identifier, type JsonRecord, line, records } from './values.ts';

/** A row as the registry accepts it (`PUT …/stores/{id}/products`). */
export function isRegistryRow(value: JsonRecord): boolean {
  return 'externalProductId' in value && 'url' in value;
}

export function registryDraft(value: JsonRecord): Draft {
  return {
    externalProductId: identifier(value.externalProductId),
    name: line(value.name),
    url: line(value.url),
    skus: [value.sku],
    barcodes: [value.gtin],
    brand: line(value.brand),
    visible: typeof value.visible === 'boolean' ? value.visible : undefined,
    images: records(value.images).map(({ url, externalId }) => ({ url, externalId })),
    attributes: records(value.attributes).map((entry) => ({
      name: line(entry.name),
      value: line(entry.value),
    })),
    ...registryOffer(value),
  };
}
