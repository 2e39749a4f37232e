import { MOST, type ProductNode } from './queries.ts';

/** The file of a bulk operation is none, or ends in the middle. */
export class BrokenFile extends Error {
  override readonly name = 'BrokenFile';
}

/** What the lines say of a product. */
export type BulkProduct =
  | { readonly kind: 'whole'; readonly node: ProductNode }
  /** A part of it came alone, far from the rest. */
  | { readonly kind: 'part'; readonly id: string };

/** Products that are put together at a time: their lines may stand apart. */
const WINDOW = 2_000;
/** Characters of a line; what is asked of a product has fewer than 100,000. */
const LONGEST_LINE = 1_000_000;

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
 * Puts products together of the lines of a bulk operation: one for each product, image and variant, which names the product it
 * belongs to. They mostly stand together, and need not: a product ends once the lines of so many others have come, and a line
 * that comes later still has the product read by itself.
 *
 * @throws BrokenFile
 */
export async function* productsIn(
  bytes: AsyncIterable<Uint8Array>,
  window: number = WINDOW,
): AsyncGenerator<BulkProduct> {
  // the one that had no line for longest comes first
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
      if (id === undefined) throw new BrokenFile('A line is of no product.');
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

/** As many as a page would list, so that both ways say the same of a product. */
function addTo({ images, variants }: Open, { id, image, sku = null, barcode = null }: Line): void {
  if (typeof id !== 'string') throw new BrokenFile('A line has no id.');
  if (id.startsWith('gid://shopify/ProductVariant/')) {
    if (variants.length < MOST.variants) variants.push({ sku, barcode });
  } else if (images.length < MOST.images) images.push({ id, image: image ?? null });
}

function productIn(gid: unknown): string | undefined {
  return /^gid:\/\/shopify\/Product\/(\d{1,18})$/.exec(String(gid))?.[1];
}

function parsed(text: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BrokenFile('A line is no JSON.');
  }
  if (typeof value !== 'object' || value === null) throw new BrokenFile('A line is no object.');
  return value;
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of bytes) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > LONGEST_LINE) throw new BrokenFile('A line has no end.');
    for (const line of lines) if (line.trim() !== '') yield line;
  }
  rest += decoder.decode();
  if (rest.trim() !== '') yield rest;
}
