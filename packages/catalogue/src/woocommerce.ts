import type { Draft } from './draft.ts';
import type { CatalogueNote } from './types.ts';
import { htmlLine, identifier, type JsonRecord, line, records } from './values.ts';

/** `/wp-json/wc/store/v1/products`: public, prices as an object, published products only. */
export function isStoreApiProduct(value: JsonRecord): boolean {
  return 'permalink' in value && ('prices' in value || 'is_purchasable' in value || 'is_in_stock' in value);
}

/** `/wp-json/wc/v3/products`: with keys, drafts and private products included. */
export function isRestProduct(value: JsonRecord): boolean {
  return 'permalink' in value && ('status' in value || 'regular_price' in value || 'date_created' in value);
}

/** A variation is on its parent's page; its own permalink only preselects it. */
export function isVariation(value: JsonRecord): boolean {
  return value.type === 'variation';
}

export function storeApiDraft(value: JsonRecord): Draft {
  return { ...common(value), visible: value.is_password_protected !== true };
}

export function restDraft(value: JsonRecord): Draft {
  const published = line(value.status)?.toLowerCase() === 'publish';
  const open = line(value.post_password) === undefined;
  return { ...common(value), visible: 'status' in value ? published && open : undefined };
}

function common(value: JsonRecord): Draft {
  return {
    externalProductId: identifier(value.id),
    name: htmlLine(value.name),
    url: line(value.permalink),
    skus: [value.sku],
    barcodes: [value.global_unique_id],
    ...brandOf(value.brands),
    images: records(value.images).map((image) => ({ url: image.src, externalId: image.id })),
    attributes: [{ name: 'category', value: names(value.categories) }, ...attributesOf(value.attributes)],
  };
}

function brandOf(value: unknown): { brand?: string; notes?: readonly CatalogueNote[] } {
  const brands = names(value, ' | ');
  if (brands === undefined) return {};
  if (records(value).length > 1) return { notes: [{ code: 'brand_ambiguous', detail: brands }] };
  return { brand: brands };
}

function names(value: unknown, separator = ', '): string | undefined {
  return line(
    records(value)
      .map((entry) => htmlLine(entry.name))
      .filter((name) => name !== undefined)
      .join(separator),
  );
}

/** Attributes of the product itself, without those by which its variations differ (such as colour and size). */
function attributesOf(value: unknown): Draft['attributes'] {
  return records(value)
    .filter((entry) => entry.variation !== true && entry.has_variations !== true && entry.visible !== false)
    .map((entry) => ({ name: htmlLine(entry.name), value: names(entry.terms) ?? options(entry.options) }));
}

function options(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  return line(
    value
      .map(htmlLine)
      .filter((option) => option !== undefined)
      .join(', '),
  );
}
