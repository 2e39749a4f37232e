import {
  absolute,
  type Graph,
  type HtmlDocument,
  localName,
  type MetaMap,
  type PageFacts,
  type PageIndex,
  type PageLinks,
} from '@touchstone/page/document';
import { refOf } from './markup-node.ts';
import { pageKey } from './page-key.ts';
import type { ProductRecord } from './schema-org/record.ts';
import { foldText } from './values/text.ts';

interface PageView {
  readonly doc: HtmlDocument;
  readonly index: PageIndex;
  readonly metas: MetaMap;
}

/** Body classes that shop software sets on product pages. */
const PRODUCT_BODY =
  /(?:^|\s)(?:single-product|product-template-default|catalog-product-view|template-product)(?:\s|$)/;

/**
 * Whether the page declares itself an article; prices in its meta elements then belong to something it mentions. SEO
 * plugins declare every page of a shop an article, so signals of the shop software take precedence.
 */
export function isArticle({ doc, index, metas }: PageView, graph: Graph): boolean {
  const bodyClass = index.body === null ? '' : (doc.attr(index.body, 'class') ?? '');
  if (PRODUCT_BODY.test(bodyClass)) return false;
  if (sellsItself(doc, index)) return false;
  if (isArticleByMeta(metas) && !(hasCartForm(doc) && !metas.has('article:published_time'))) return true;
  if (graph.nodes.some(({ types, path }) => path.length <= 1 && types.some((name) => ARTICLES.has(name))))
    return true;
  return index.microdata.some(
    (el) => !doc.hasAttr(el, 'itemprop') && ARTICLES.has(localName((doc.attr(el, 'itemtype') ?? '').trim())),
  );
}

function isArticleByMeta(metas: MetaMap): boolean {
  if (isProductByMeta(metas)) return false;
  const type = metas.get('og:type')?.[0]?.trim().toLowerCase();
  return type === 'article' || metas.has('article:published_time');
}

function isProductByMeta(metas: MetaMap): boolean {
  const types = metas.get('og:type') ?? [];
  return types.some((type) => /^\s*(?:og:)?product(?:\.item)?\s*$/i.test(type));
}

/**
 * Whether the page states a product of its own: in structured data that is not of a list, in its meta elements, by a class of the shop
 * software, or by a price or an article number in what it shows. Its main heading alone may be that of a list.
 */
export function statesProduct(
  { metas, bodyClass }: Pick<PageView, 'metas'> & { readonly bodyClass: string },
  products: readonly ProductRecord[],
  { price, sku }: PageFacts,
): boolean {
  const isProduct = isProductByMeta(metas) || PRODUCT_BODY.test(bodyClass);
  return products.length > 0 || isProduct || price !== null || sku !== null;
}

/** URL paths that shops commonly use for pages other than product pages. */
const OTHER_PAGES =
  /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:(?:cart|basket|bag|checkout|search|shop|contact(?:-us)?|about(?:-us)?|faqs?|account|login|register|wishlist|warenkorb|kontakt|impressum|agb|panier|carrito|carrello|koszyk|kosik|sepet|korzina)(?:\.html?|\.php)?|collections\/[^/]+|(?:product-(?:category|tag)|pages|policies|blogs?|account|checkout)\/.+)\/?$/i;

/** A query that identifies one product, in shops without readable URLs: `/shop?product_id=7`. */
const NAMES_ONE = /[?&](?:p|p?id|sku|item|article|product|(?:product|item|article)[-_]?(?:id|nr|no))=/i;

/**
 * Whether the URL is that of a home page, listing, cart, search or help page, whose amounts belong to many products or to
 * none. Called only if the page states no product.
 */
export function isOtherPage({ metas }: PageView, url: string): boolean {
  const { pathname, search } = new URL(url);
  if (isProductByMeta(metas) || metas.has('product:price:amount') || NAMES_ONE.test(search)) return false;
  return (pathname === '/' && search === '') || OTHER_PAGES.test(pathname);
}

const LISTS: ReadonlySet<string> = new Set(['ItemList', 'OfferCatalog']);
const LISTING_PAGES: ReadonlySet<string> = new Set(['CollectionPage', 'SearchResultsPage']);
/** Minimum number of products that make a list of products. */
const LEAST_LISTED = 3;

/**
 * Whether the structured data lists products and either gives the list the page's own URL or declares the page a
 * collection; printed amounts then belong to those products. Called only if the page states no product.
 */
export function isListing(graph: Graph, ownKeys: ReadonlySet<string>, base: string): boolean {
  const listed = graph.nodes.filter(({ path }) => path.includes('itemListElement')).length;
  if (listed < LEAST_LISTED) return false;
  return graph.nodes.some(({ node, types, path }) => {
    if (types.some((type) => LISTING_PAGES.has(type))) return true;
    if (path.length > 1 || !types.some((type) => LISTS.has(type))) return false;
    const url = refOf(node);
    return url !== undefined && ownKeys.has(pageKey(absolute(url, base) ?? '') ?? '');
  });
}

/** Whether the page's meta elements state the prices of several products. Called only if the page states no product. */
export function isListedInMeta(metas: MetaMap): boolean {
  return new Set(metas.get('product:price:amount')).size >= LEAST_LISTED;
}

/**
 * Whether a list of products is marked up as one product: its offers have pages and prices of their own, on this host and none
 * of them this page. Variants share the product's page, and a price comparison's offers are on other hosts.
 */
export function isMarkedAsOne(
  { offers, sku, variants }: ProductRecord,
  ownKeys: ReadonlySet<string>,
  { url, base }: PageLinks,
): boolean {
  if (sku !== undefined || variants.length > 0 || offers.length < LEAST_LISTED) return false;
  const host = hostKey(url);
  const pages = new Set<string>();
  const prices = new Set<string>();
  for (const offer of offers) {
    if (offer.aggregate || offer.url === undefined) continue;
    const key = pageKey(absolute(offer.url, base) ?? '');
    if (key === undefined || ownKeys.has(key)) return false;
    if (!key.startsWith(`${host}/`)) continue;
    pages.add(key);
    if (offer.price !== undefined) prices.add(offer.price.value);
  }
  return pages.size >= LEAST_LISTED && prices.size > 1;
}

function hostKey(url: string): string {
  return (pageKey(url) ?? '').split('/', 1)[0] ?? '';
}

/** Whether the page has an add-to-cart form; product cards in articles have a link instead. */
function hasCartForm(doc: HtmlDocument): boolean {
  return doc.elements.some(
    (el) =>
      el.name === 'form' &&
      (/(?:^|\s)cart(?:\s|$)/.test(doc.attr(el, 'class') ?? '') ||
        /cart\/add|add-?_?to-?_?(?:cart|basket)/i.test(doc.attr(el, 'action') ?? '')),
  );
}

/** Whether a cart button has a price, and a name that the page's title starts with: site generators declare every page an article. */
function sellsItself(doc: HtmlDocument, index: PageIndex): boolean {
  const title = index.title === null ? '' : foldText(doc.text(index.title, 500));
  return (
    title !== '' &&
    doc.elements.some((el) => {
      const name = doc.hasAttr(el, 'data-item-price') ? doc.attr(el, 'data-item-name') : undefined;
      const folded = name === undefined ? '' : foldText(name.slice(0, 500));
      return folded !== '' && title.startsWith(folded);
    })
  );
}

const ARTICLES: ReadonlySet<string> = new Set([
  'Article',
  'NewsArticle',
  'BlogPosting',
  'Report',
  'TechArticle',
]);
