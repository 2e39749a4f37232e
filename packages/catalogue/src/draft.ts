import { parseGtin } from './gtin.ts';
import { CATALOGUE_LIMITS, overLimit } from './limits.ts';
import { type NoteCode, PROBLEMS, type ProblemCode } from './problems.ts';
import { locate } from './store-url.ts';
import type {
  CatalogueAttribute,
  CatalogueImage,
  CatalogueNote,
  CatalogueProduct,
  CatalogueRow,
  CatalogueShape,
  ProblemRow,
  ReadCatalogueOptions,
} from './types.ts';
import { identifier, line, quote, truncate } from './values.ts';

/** The options of a reading, for the readers of all formats. */
export interface Reading {
  readonly store: URL;
  /** Whether addresses on another origin are moved to that of the store. */
  readonly rebase: boolean;
  readonly shape?: ReadCatalogueOptions['shape'];
}

/** A product as read from its format, before the rules for all formats are applied. */
export interface Draft {
  readonly externalProductId: string | undefined;
  readonly name: string | undefined;
  /** Absolute address, or relative to the store. */
  readonly url: string | undefined;
  /** Values of all variants, in order; may contain empty ones. */
  readonly skus: readonly unknown[];
  readonly barcodes: readonly unknown[];
  readonly brand?: string | undefined;
  /** Absent if the source does not state it. */
  readonly visible?: boolean | undefined;
  readonly images: readonly { readonly url: unknown; readonly externalId?: unknown }[];
  readonly attributes: readonly { readonly name: string | undefined; readonly value: string | undefined }[];
  readonly price?: CatalogueProduct['price'] | undefined;
  readonly availability?: string | undefined;
  readonly notes?: readonly CatalogueNote[];
}

/** Names of attributes that are other members of a certificate, or not allowed in it (spec "Boundaries"). */
const RESERVED = /^(name|title|description|price|externalproductid|sku|gtin|brand)$/i;
const MAX_ATTRIBUTES = 12;
/** Characters; longer values are prose, which does not belong in a certificate. */
const MAX_VALUE = 120;

/** Names of attributes in a note, and their characters. */
const MAX_LEFT = 50;
const MAX_SHOWN = 1_000;

/** The position of a draft: its number (or line) in the file, and the shape as which it was read. */
export interface Origin {
  readonly row: number;
  readonly shape: CatalogueShape;
}

/** The row of a draft: a product for the registry, or why it cannot be one. */
export function rowOfDraft(draft: Draft, origin: Origin, { store, rebase }: Reading): CatalogueRow {
  const failed = (code: ProblemCode, detail?: string) =>
    problemRow(origin.row, code, detail, draft.externalProductId);
  const id = draft.externalProductId;
  if (id === undefined) return failed('id_missing');
  if (draft.name === undefined) return failed('name_missing');
  if (draft.url === undefined) return failed('address_missing');
  if (draft.images.length > CATALOGUE_LIMITS.images.most) return failed('row_too_large', overLimit('images'));
  const page = locate(store, draft.url);
  if (page.kind === 'invalid') return failed('address_missing', `It says ${quote(draft.url)}.`);
  if (page.kind === 'foreign' && !rebase) return failed('address_foreign', `It is on ${page.origin}.`);

  const notes: CatalogueNote[] = [...(draft.notes ?? [])];
  if (page.kind === 'foreign') notes.push({ code: 'url_rebased', detail: page.origin });
  const sku = commonValue(draft.skus);
  const gtin = gtinOf(draft.barcodes, notes);
  const attributes = attributesOf(draft, notes);
  const product: CatalogueProduct = {
    externalProductId: id,
    url: page.kind === 'foreign' ? page.rebased : page.url,
    name: draft.name,
    ...(sku === undefined ? {} : { sku }),
    ...(gtin === undefined ? {} : { gtin }),
    ...(draft.brand === undefined ? {} : { brand: draft.brand }),
    ...(draft.price === undefined ? {} : { price: draft.price }),
    ...(draft.availability === undefined ? {} : { availability: draft.availability }),
    ...(draft.visible === undefined ? {} : { visible: draft.visible }),
    images: imagesOf(draft, store, page.kind === 'foreign' ? page.origin : undefined, notes),
    ...(attributes.length === 0 ? {} : { attributes }),
  };
  return { ...origin, product, notes };
}

/** The value that all variants share; a certificate states no fact that applies to some variants only. */
function commonValue(values: readonly unknown[]): string | undefined {
  const distinct = new Set(values.map(line));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

function gtinOf(barcodes: readonly unknown[], notes: CatalogueNote[]): string | undefined {
  const barcode = commonValue(barcodes);
  if (barcode === undefined) return undefined;
  const gtin = parseGtin(barcode);
  if (gtin === null) notes.push({ code: 'barcode_not_gtin', detail: truncate(barcode) });
  return gtin ?? undefined;
}

/**
 * Images with their addresses as WHATWG URLs, as `contentUrl` of the certificate requires. If the page was moved to the store's
 * origin, images on the page's former origin are moved, too.
 */
function imagesOf(
  draft: Draft,
  store: URL,
  moved: string | undefined,
  notes: CatalogueNote[],
): CatalogueImage[] {
  const images = new Map<string, CatalogueImage>();
  for (const image of draft.images) {
    const address = line(image.url);
    const location = address === undefined ? { kind: 'invalid' as const } : locate(store, address);
    if (location.kind === 'invalid' || isFrontPage(address ?? '', store)) {
      notes.push({ code: 'image_dropped', detail: truncate(address ?? 'empty') });
      continue;
    }
    let url = location.kind === 'own' ? location.url : (URL.parse(address ?? '', store.href)?.href ?? '');
    if (location.kind === 'foreign' && location.origin === moved) {
      url = location.rebased;
      noteOnce(notes, 'images_rebased', location.origin);
    }
    const externalId = identifier(image.externalId);
    if (images.has(url)) notes.push({ code: 'image_repeated', detail: truncate(url) });
    else images.set(url, { url, ...(externalId === undefined ? {} : { externalId }) });
  }
  return [...images.values()];
}

/** The address of an image without a file name, as some feeds state it. */
function isFrontPage(address: string, store: URL): boolean {
  const url = URL.parse(address, store.href);
  return url?.pathname === '/' && url.search === '';
}

function attributesOf(draft: Draft, notes: CatalogueNote[]): CatalogueAttribute[] {
  const kept = new Map<string, CatalogueAttribute>();
  const left: string[] = [];
  for (const { name, value } of draft.attributes) {
    if (name === undefined || value === undefined || RESERVED.test(name) || kept.has(name)) continue;
    if (kept.size < MAX_ATTRIBUTES && name.length <= MAX_VALUE && value.length <= MAX_VALUE) {
      kept.set(name, { name, value });
    } else if (left.length < MAX_LEFT) left.push(truncate(name));
  }
  if (left.length > 0) notes.push({ code: 'attributes_cut', detail: truncate(left.join(', '), MAX_SHOWN) });
  return [...kept.values()];
}

function noteOnce(notes: CatalogueNote[], code: NoteCode, detail: string): void {
  if (!notes.some((other) => other.code === code && other.detail === detail)) notes.push({ code, detail });
}

/** The row of a product that cannot be imported; `row` 0 means the file as a whole. */
export function problemRow(
  row: number,
  code: ProblemCode,
  detail?: string,
  externalProductId?: string,
): ProblemRow {
  const reason = detail === undefined ? PROBLEMS[code] : `${PROBLEMS[code]} ${detail}`;
  return {
    problem: { row, code, reason, ...(externalProductId === undefined ? {} : { externalProductId }) },
  };
}

/** A problem of the file as a whole. */
export function fileProblem(code: ProblemCode, detail?: string): ProblemRow {
  return problemRow(0, code, detail);
}
