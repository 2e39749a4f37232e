import { isNode, type Node } from '@touchstone/page/document';

/**
 * Embedded data of the variant that a page opens with: the one that the URL names, else the first that can be bought, as
 * storefronts do.
 */
export interface OpenVariant {
  readonly sku?: string;
  readonly price?: string;
  readonly currency?: string;
  readonly available?: boolean;
}

const MAX_VARIANTS = 500;

/**
 * Determines the open variant of a product object: one of its `variants`, or the object itself if it is a variant (Shopify's
 * `public_title`). If neither the URL nor the stock determines one of several, only values shared by all are returned.
 */
export function openVariant(product: Node, wanted: string | undefined): OpenVariant | undefined {
  const variants = variantsOf(product);
  const [first] = variants;
  if (first === undefined) return undefined;
  const named = wanted === undefined ? undefined : variants.find((variant) => idOf(variant) === wanted);
  const open = named ?? variants.find(({ available }) => available === true);
  const chosen = open ?? (variants.some(({ available }) => available === false) ? first : undefined);
  const entries = ['sku', 'price', 'currency', 'available'] as const;
  const cents = countsInCents(product);
  const read = (chosen === undefined ? variants : [chosen]).map((variant) => readVariant(variant, cents));
  return Object.fromEntries(
    entries.flatMap((key) => {
      const value = read[0]?.[key];
      return value !== undefined && read.every((variant) => variant[key] === value) ? [[key, value]] : [];
    }),
  );
}

/** Keys that only Shopify's product data has; whole-number prices in it are cents. */
const SHOPIFY_KEYS = ['public_title', 'compare_at_price', 'inventory_management', 'requires_shipping'];

/** Whether whole numbers in an object are amounts in cents: in Shopify's product and variant objects. */
export function countsInCents(node: Node): boolean {
  if (SHOPIFY_KEYS.some((key) => Object.hasOwn(node, key))) return true;
  if (!Object.hasOwn(node, 'vendor')) return false;
  return ['handle', 'variants', 'price_min'].some((key) => Object.hasOwn(node, key));
}

/** The product's name if it is stated on its variants (`var meta`) or one level below them (web pixels). */
export function titleOfVariants(node: Node): string | undefined {
  if (Object.hasOwn(node, 'title') && !Object.hasOwn(node, 'public_title') && !isNode(node.product))
    return undefined;
  const [variant] = variantsOf(node);
  if (variant === undefined) return undefined;
  const { name, public_title: option, product } = variant;
  if (isNode(product)) return typeof product.title === 'string' ? product.title : undefined;
  if (typeof name !== 'string' || !Object.hasOwn(variant, 'public_title')) return undefined;
  return typeof option === 'string' && name.endsWith(` - ${option}`)
    ? name.slice(0, -option.length - 3)
    : name;
}

/** Converts a list of variants to one product; returns any other value unchanged. */
export function asProduct(value: unknown): unknown {
  if (!Array.isArray(value) || !isNode(value[0])) return value;
  const [first] = value;
  const listed = Object.hasOwn(first, 'public_title') || (isNode(first.product) && isNode(first.price));
  return listed ? { variants: value, product: first.product } : value;
}

function variantsOf(product: Node): Node[] {
  const variants = Object.hasOwn(product, 'variants') ? product.variants : undefined;
  if (Array.isArray(variants))
    return variants
      .slice(0, MAX_VARIANTS)
      .filter(isNode)
      .filter((variant) => Object.hasOwn(variant, 'price'));
  const isVariant =
    Object.hasOwn(product, 'public_title') || (isNode(product.product) && isNode(product.price));
  return isVariant ? [product] : [];
}

function idOf({ id }: Node): string | undefined {
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

function readVariant(variant: Node, cents: boolean): OpenVariant {
  const { sku, available, price } = variant;
  const amount = isNode(price) ? price.amount : price;
  const currency = isNode(price) ? price.currencyCode : undefined;
  const text =
    typeof amount === 'number' &&
    Number.isInteger(amount) &&
    !isNode(price) &&
    (cents || countsInCents(variant))
      ? (amount / 100).toFixed(2)
      : typeof amount === 'number' || typeof amount === 'string'
        ? String(amount)
        : undefined;
  return {
    ...(typeof sku === 'string' && sku.trim() !== '' && { sku }),
    ...(text !== undefined && { price: text }),
    ...(typeof currency === 'string' && { currency }),
    ...(typeof available === 'boolean' && { available }),
  };
}
