import { createHash } from 'node:crypto';

/** The product that a webhook names. */
export interface ToldProduct {
  readonly id: string;
  /** SHA-256 of the data on which certificates depend, hexadecimal. */
  readonly digest: string;
}

/** Members of a product on which certificates depend, by their names in webhooks (REST API). */
const MEMBERS = [
  'handle',
  'title',
  'vendor',
  'product_type',
  'status',
  'published_at',
  'images',
  'variants',
] as const;
/** The same for its variants; stock and timestamps change too often. */
const VARIANT_MEMBERS = ['id', 'sku', 'barcode'] as const;

/** Reads the body of a webhook; `null` if it names no product. */
export function toldProduct(bytes: Buffer): ToldProduct | null {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(bytes.toString()) as Record<string, unknown>;
  } catch {
    return null;
  }
  const id = String(value?.id ?? '');
  if (!/^[1-9]\d{0,17}$/.test(id)) return null;
  const relevant = Object.fromEntries(MEMBERS.map((name) => [name, value[name] ?? null]));
  if (Array.isArray(relevant.variants))
    relevant.variants = relevant.variants.map((variant: Record<string, unknown>) =>
      VARIANT_MEMBERS.map((name) => variant?.[name] ?? null),
    );
  return { id, digest: createHash('sha256').update(JSON.stringify(relevant)).digest('hex') };
}
