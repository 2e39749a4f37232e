import { PRODUCT_LIMITS, type ProductNode } from './queries.ts';

/** The file of a bulk operation is malformed or truncated. */
export class BrokenFile extends Error {
  static readonly code = 'shopify_file_broken';
  override readonly name = 'BrokenFile';
  /** By which it is recognised when it comes from a thread. */
  readonly code = BrokenFile.code;
}

/** A product as assembled from its lines. */
export type BulkProduct =
  | { readonly kind: 'whole'; readonly node: ProductNode }
  /** Only some of its lines were found together. */
  | { readonly kind: 'part'; readonly id: string };

/** Products that are assembled at a time: the lines of one product need not be adjacent. */
const WINDOW = 2_000;
/** Characters; the fields of a product that we request have fewer than 100,000. */
const MAX_LINE = 1_000_000;

interface Line {
  readonly id?: unknown;
  readonly __parentId?: unknown;
  readonly image?: { readonly url: string } | null;
  readonly sku?: string | null;
  readonly barcode?: string | null;
}

interface Open {
  own: Omit<ProductNode, 'media' | 'variants'> | undefined;
  readonly images: ProductNode['media']['nodes'][number][];
  readonly variants: ProductNode['variants']['nodes'][number][];
}

/**
 * Assembles products from the lines of a bulk operation: one for each product, image and variant, the latter with the id of
 * their product. The lines of a product are mostly adjacent, but need not be: a product counts as complete once `window` other
 * products have followed; a line of it that comes later yields it again as a `part`, to be read by itself.
 *
 * @throws BrokenFile
 */
export async function* productsIn(
  bytes: AsyncIterable<Uint8Array>,
  window: number = WINDOW,
): AsyncGenerator<BulkProduct> {
  // in the order of their last lines, the oldest first
  const open = new Map<string, Open>();
  const openOf = (id: string): Open => {
    const present = open.get(id) ?? { own: undefined, images: [], variants: [] };
    open.delete(id);
    open.set(id, present);
    return present;
  };
  for await (const text of linesOf(bytes)) {
    const line = parsed(text);
    const parent = productIn(line.__parentId);
    if (parent !== undefined) addTo(openOf(parent), line);
    else {
      const id = productIn(line.id);
      if (id === undefined) throw new BrokenFile('A line belongs to no product.');
      openOf(id).own = line as unknown as Open['own'];
    }
    const [oldest] = open.size > window ? open : [];
    if (oldest === undefined) continue;
    open.delete(oldest[0]);
    yield closed(...oldest);
  }
  for (const [id, product] of open) yield closed(id, product);
}

function closed(id: string, { own, images, variants }: Open): BulkProduct {
  if (own === undefined) return { kind: 'part', id };
  return { kind: 'whole', node: { ...own, media: { nodes: images }, variants: { nodes: variants } } };
}

/** No more than a page would list, so that both ways of reading give the same product. */
function addTo({ images, variants }: Open, { id, image, sku = null, barcode = null }: Line): void {
  if (typeof id !== 'string') throw new BrokenFile('A line has no id.');
  if (id.startsWith('gid://shopify/ProductVariant/')) {
    if (variants.length < PRODUCT_LIMITS.variants) variants.push({ sku, barcode });
  } else if (images.length < PRODUCT_LIMITS.images) images.push({ id, image: image ?? null });
}

function productIn(gid: unknown): string | undefined {
  return /^gid:\/\/shopify\/Product\/(\d{1,18})$/.exec(String(gid))?.[1];
}

function parsed(text: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BrokenFile('A line is not JSON.');
  }
  if (typeof value !== 'object' || value === null) throw new BrokenFile('A line is not an object.');
  return value;
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE) throw new BrokenFile('A line is too long.');
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield rest;
}
