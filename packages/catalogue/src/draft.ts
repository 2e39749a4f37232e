import { parseGtin } from './gtin.ts';
import { type NoteCode, PROBLEMS, type ProblemCode } from './problems.ts';
import { place } from './store-url.ts';
import type {
  CatalogueAttribute,
  CatalogueImage,
  CatalogueNote,
  CatalogueProduct,
  CatalogueRow,
  CatalogueShape,
  ReadCatalogueOptions,
} from './types.ts';
import { identifier, line, quote, truncate } from './values.ts';

/** What the readers of each form need to know. */
export interface Reading {
  readonly store: URL;
  /** Whether an address on another origin is moved to the store's. */
  readonly rebase: boolean;
  readonly shape?: ReadCatalogueOptions['shape'];
}

/** What a shape has found, before the rules that hold for all shapes. */
export interface Draft {
  readonly externalProductId: string | undefined;
  readonly name: string | undefined;
  /** Absolute address, or relative to the store. */
  readonly url: string | undefined;
  /** Those of all variants, in order, empty ones included or not. */
  readonly skus: readonly unknown[];
  readonly barcodes: readonly unknown[];
  readonly brand?: string | undefined;
  /** Absent where the source does not say. */
  readonly visible?: boolean | undefined;
  readonly images: readonly { readonly url: unknown; readonly externalId?: unknown }[];
  readonly attributes: readonly { readonly name: string | undefined; readonly value: string | undefined }[];
  readonly notes?: readonly CatalogueNote[];
}

/** Names that a certificate states elsewhere, or must not state at all (spec "Boundaries"). */
const RESERVED = /^(name|title|description|price|externalproductid|sku|gtin|brand)$/i;
const MAX_ATTRIBUTES = 12;
/** Longer values are prose, which has no place in a certificate. */
const MAX_VALUE = 120;

/** Where a draft was found: its number (or line) in the file, and the shape it was read as. */
export interface Origin {
  readonly row: number;
  readonly shape: CatalogueShape;
}

/** Turns a draft into the product for the registry, or says why it cannot be one. */
export function finish(draft: Draft, origin: Origin, { store, rebase }: Reading): CatalogueRow {
  const failed = (code: ProblemCode, detail?: string) =>
    problemRow(origin.row, code, detail, draft.externalProductId);
  const id = draft.externalProductId;
  if (id === undefined) return failed('id_missing');
  if (draft.name === undefined) return failed('name_missing');
  if (draft.url === undefined) return failed('address_missing');
  const page = place(store, draft.url);
  if (page.kind === 'invalid') return failed('address_missing', `It says ${quote(draft.url)}.`);
  if (page.kind === 'foreign' && !rebase) return failed('address_foreign', `It is on ${page.origin}.`);

  const notes: CatalogueNote[] = [...(draft.notes ?? [])];
  if (page.kind === 'foreign') notes.push({ code: 'url_rebased', detail: page.origin });
  const sku = only(draft.skus);
  const gtin = gtinOf(draft.barcodes, notes);
  const attributes = attributesOf(draft, notes);
  const product: CatalogueProduct = {
    externalProductId: id,
    url: page.kind === 'foreign' ? page.rebased : page.url,
    name: draft.name,
    ...(sku === undefined ? {} : { sku }),
    ...(gtin === undefined ? {} : { gtin }),
    ...(draft.brand === undefined ? {} : { brand: draft.brand }),
    ...(draft.visible === undefined ? {} : { visible: draft.visible }),
    images: imagesOf(draft, store, page.kind === 'foreign' ? page.origin : undefined, notes),
    ...(attributes.length === 0 ? {} : { attributes }),
  };
  return { ...origin, product, notes };
}

/** The one value that all variants share; a certificate states no fact that holds for some of them only. */
function only(values: readonly unknown[]): string | undefined {
  const distinct = new Set(values.map(line));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

function gtinOf(barcodes: readonly unknown[], notes: CatalogueNote[]): string | undefined {
  const barcode = only(barcodes);
  if (barcode === undefined) return undefined;
  const gtin = parseGtin(barcode);
  if (gtin === null) notes.push({ code: 'barcode_not_gtin', detail: truncate(barcode) });
  return gtin ?? undefined;
}

/**
 * Addresses are written as WHATWG URLs, so that the certificate's `contentUrl` is one. Images on the origin that
 * the page was moved from move along: nobody else can fetch them there.
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
    const placed = address === undefined ? { kind: 'invalid' as const } : place(store, address);
    if (placed.kind === 'invalid' || isFrontPage(address ?? '', store)) {
      notes.push({ code: 'image_dropped', detail: truncate(address ?? 'empty') });
      continue;
    }
    let url = placed.kind === 'own' ? placed.url : (URL.parse(address ?? '', store.href)?.href ?? '');
    if (placed.kind === 'foreign' && placed.origin === moved) {
      url = placed.rebased;
      note(notes, 'images_rebased', placed.origin);
    }
    const externalId = identifier(image.externalId);
    if (images.has(url)) notes.push({ code: 'image_repeated', detail: truncate(url) });
    else images.set(url, { url, ...(externalId === undefined ? {} : { externalId }) });
  }
  return [...images.values()];
}

/** What feeds put together of the shop's address and no file name. */
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
    } else left.push(truncate(name));
  }
  if (left.length > 0) notes.push({ code: 'attributes_cut', detail: left.join(', ') });
  return [...kept.values()];
}

function note(notes: CatalogueNote[], code: NoteCode, detail: string): void {
  if (!notes.some((other) => other.code === code && other.detail === detail)) notes.push({ code, detail });
}

/** The row of a product that cannot be taken; `row` 0 means the file as a whole. */
export function problemRow(
  row: number,
  code: ProblemCode,
  detail?: string,
  externalProductId?: string,
): CatalogueRow {
  const reason = detail === undefined ? PROBLEMS[code] : `${PROBLEMS[code]} ${detail}`;
  return {
    problem: { row, code, reason, ...(externalProductId === undefined ? {} : { externalProductId }) },
  };
}

/** A problem of the file as a whole. */
export function fileProblem(code: ProblemCode, detail?: string): CatalogueRow {
  return problemRow(0, code, detail);
}
