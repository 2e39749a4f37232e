import { problemRow, type Reading, rowOfDraft } from '../draft.ts';
import type { CatalogueRow } from '../types.ts';
import { bytesOf, discard, type PoliteWeb } from './web.ts';

/** The facts of a page about its product that a catalogue uses. */
export interface ReadProduct {
  readonly name: string | undefined;
  readonly sku: string | undefined;
  readonly brand: string | undefined;
  readonly images: readonly string[];
  /** The canonical address of the page, if it states one. */
  readonly canonicalUrl: string | undefined;
}

/** Reads a page; `null` if it states no product. */
export type ReadProductPage = (body: Uint8Array<ArrayBuffer>, url: string) => Promise<ReadProduct | null>;

const PAGE_BYTES = 5_000_000;
/** Characters of an identifier in the registry. */
const MAX_ID = 200;

/**
 * Reads a product page as a row. Its path is the identifier, as no other in a page is sure to be permanent.
 *
 * @returns `undefined` for a page that states no product, unless its sitemap is one of products
 */
export async function rowOfPage(
  page: string,
  row: number,
  {
    web,
    readPage,
    reading,
    areProducts,
  }: {
    readonly web: PoliteWeb;
    readonly readPage: ReadProductPage;
    readonly reading: Reading;
    readonly areProducts: boolean;
  },
): Promise<CatalogueRow | undefined> {
  const path = pathOf(page);
  const answer = await web.get(page);
  if (answer.status !== 200) {
    await discard(answer);
    return problemRow(row, 'page_unreadable', `${page} answered ${answer.status}.`, path);
  }
  const body = await bytesOf(answer, PAGE_BYTES);
  if (body === null) return problemRow(row, 'page_unreadable', `${page} is over 5 MB.`, path);
  const product = await readPage(body, answer.finalUrl);
  if (product === null) {
    return areProducts ? problemRow(row, 'page_no_product', `It is ${page}.`, path) : undefined;
  }
  const own = sameHost(product.canonicalUrl, answer.finalUrl) ?? answer.finalUrl;
  return rowOfDraft(
    {
      externalProductId: pathOf(own),
      name: product.name,
      url: own,
      skus: [product.sku],
      barcodes: [],
      brand: product.brand,
      images: product.images.map((url) => ({ url })),
      attributes: [],
    },
    { row, shape: 'pages' },
    reading,
  );
}

function sameHost(canonical: string | undefined, landing: string): string | undefined {
  const url = URL.parse(canonical ?? '', landing);
  return canonical !== undefined && url?.host === new URL(landing).host ? url.href : undefined;
}

function pathOf(page: string): string {
  const { pathname, search } = new URL(page);
  const path = `${pathname.replace(/\/+$/, '')}${search}`.slice(1);
  return path.length <= MAX_ID ? path : path.slice(-MAX_ID);
}
