import { NO_FACTS, type PageReading, type Platform, type ReadOptions } from '../types.ts';
import { BOUNDS } from './bounds.ts';
import { decodePage } from './charset.ts';
import { type ChosenFacts, chooseFacts } from '../../../facts/src/choice.ts';
import { buildDocument } from './dom/build.ts';
import type { HtmlDocument } from './dom/document.ts';
import { indexPage, type PageIndex } from './dom/page-index.ts';
import { type FactCandidates, noFactCandidates } from '../../../facts/src/fact-candidates.ts';
import { Findings } from './findings.ts';
import { addRecord } from '../../../facts/src/from-records.ts';
import { detectGate, detectNonProductPage } from './gate.ts';
import { readJsonLdBlocks } from './json-ld/blocks.ts';
import { findCertificates, type Graph, readGraph } from './json-ld/graph.ts';
import { type PageLinks, pageKey, readLinks } from './links.ts';
import { type PageIdentity, pageProducts, unplacedProducts } from '../../../facts/src/main-product.ts';
import { addMeta, addMetaTexts, type MetaMap, readMeta } from '../../../facts/src/meta.ts';
import {
  isArticle,
  isListedInMeta,
  isListing,
  isMarkedAsOne,
  isOtherPage,
  statesProduct,
} from '../../../facts/src/page-kind.ts';
import { detectPlatform, signalText } from './platform.ts';
import { withoutPostIds } from '../../../facts/src/post-ids.ts';
import { collectProducts } from '../../../facts/src/schema-org/collect.ts';
import type { ProductRecord } from '../../../facts/src/schema-org/record.ts';
import { addOpenedVariant, addState } from '../../../facts/src/state/add-state.ts';
import { openedVariant } from '../../../facts/src/state/opened-variant.ts';
import { readStatements } from '../../../facts/src/statements.ts';
import { type Locale, localeOf } from '../../../facts/src/values/currency.ts';
import { foldText } from '../../../facts/src/values/text.ts';
import { offersRange, printedRange, shownVariant } from '../../../facts/src/variant-and-offers.ts';
import { addVisible, addVisibleTexts } from '../../../facts/src/visible/add-visible.ts';
import { showsOwnPrice } from '../../../facts/src/visible/own-price.ts';
import { WorkSpent } from './work.ts';

/** The parsed page, as the later steps read it. */
interface Page {
  readonly doc: HtmlDocument;
  readonly index: PageIndex;
  readonly metas: MetaMap;
  readonly links: PageLinks;
  readonly locale: Locale;
  readonly platform: Platform;
  readonly bodyClass: string;
  readonly findings: Findings;
}

/**
 * Reads a product page: its facts with their sources, certificate nodes, platform and gate. Pure and synchronous. Time and
 * memory are bounded by `BOUNDS`; hostile input does not make it throw.
 *
 * @param html the page as text, or as bytes, which are decoded by the WHATWG rules
 * @example
 * ```ts
 * import { readPage } from '@touchstone/page/read';
 *
 * const html = '<meta property="og:type" content="product"><meta property="og:title" content="Cup"><h1>Cup</h1>';
 * readPage(html, { url: 'https://shop.example/products/cup' }).facts.name?.value; // 'Cup'
 * ```
 */
export function readPage(html: string | Uint8Array, options: ReadOptions): PageReading {
  const findings = new Findings();
  const source = typeof html === 'string' ? html : decodePage(html, options.contentType, findings);
  const doc = buildDocument(source, findings);
  const index = indexPage(doc);
  const links = readLinks(doc, index, options.url);
  const graph = readGraph(readJsonLdBlocks(doc, index.scripts, findings), findings);
  const certificates = findCertificates(graph, [options.namespaceUrl ?? []].flat(), findings);
  // finding certificates is bounded by the page's size; the cost of the following steps depends on its content
  doc.work.allow(options.maxSteps ?? BOUNDS.steps);
  const product = withinWork(() =>
    readProductOf({ doc, index, links, findings }, graph, certificates.length > 0),
  );
  if (product === undefined) findings.add('reading_stopped');
  return {
    ...(product ?? UNREAD),
    certificates,
    canonicalUrl: links.canonical,
    findings: findings.list(),
  };
}

/** Runs `read`; undefined if it takes more steps than allowed. */
function withinWork<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof WorkSpent) return undefined;
    throw error;
  }
}

type ProductReading = Pick<
  PageReading,
  'facts' | 'explanation' | 'statements' | 'statesProduct' | 'platform_detected' | 'gate'
>;

const NOTHING: ChosenFacts = { facts: NO_FACTS, explanation: [] };
const UNREAD: ProductReading = { ...NOTHING, platform_detected: 'custom', gate: null };

function readProductOf(
  { doc, index, links, findings }: Pick<Page, 'doc' | 'index' | 'links' | 'findings'>,
  graph: Graph,
  hasCertificate: boolean,
): ProductReading {
  const metas = readMeta(doc, index);
  const language = index.html === null ? undefined : doc.attr(index.html, 'lang');
  const title = index.title === null ? '' : doc.text(index.title, 500);
  const locale = localeOf(hostOf(links.url), language ?? metas.get('og:locale')?.[0], title);
  const bodyClass = index.body === null ? '' : (doc.attr(index.body, 'class') ?? '');
  const signals = signalText(doc, index);
  const platform = detectPlatform(signals, doc.source, metas, bodyClass);
  const page: Page = { doc, index, metas, links, locale, platform, bodyClass, findings };

  const records = collectProducts(doc, index, graph, findings);
  const identity = identityOf(page);
  const products = pageProducts(records, identity, findings);
  const gate =
    products.length > 0 || hasCertificate
      ? null
      : detectGate({ doc, index, metas, signals, pageUrl: links.url });
  if (gate !== null) return { ...NOTHING, platform_detected: platform, gate };
  const candidates = noFactCandidates();
  const chosen = readFacts(page, identity, { products, graph, candidates });
  const others = unplacedProducts(records, products, identity);
  const states = statesProduct(page, products, chosen.facts);
  return {
    ...chosen,
    statements: readStatements({ ...page, products, others, candidates }),
    // only of interest with certificates, which may be those of a list
    statesProduct: states || (hasCertificate && chosen === NOTHING && showsProduct(page, identity)),
    platform_detected: platform,
    gate,
  };
}

/** Where a page's facts are read: its data, and the candidates, to which what else is read is added. */
interface Evidence {
  readonly products: readonly ProductRecord[];
  readonly graph: Graph;
  readonly candidates: FactCandidates;
}

function readFacts(
  page: Page,
  identity: PageIdentity,
  { products, graph, candidates }: Evidence,
): ChosenFacts {
  const opened = openedVariant(page.doc, page.index, page.links.url);
  for (const product of products) addRecord(product, { ...page, opened }, candidates);
  if (
    products.length === 0 &&
    (isArticle(page, graph) ||
      isOtherPage(page, page.links.url) ||
      isListing(graph, identity.keys, page.links.base) ||
      isListedInMeta(page.metas) ||
      isNonProductPage(page))
  )
    return NOTHING;
  if (opened === undefined && products.some((product) => isMarkedAsOne(product, identity.keys, page.links))) {
    page.findings.add('several_products');
    return NOTHING;
  }
  if (opened !== undefined) addOpenedVariant(opened, page.locale, candidates);
  addMeta(page, candidates);
  addMetaTexts(page.metas, candidates);
  addVisibleTexts(page.doc, page.index, candidates);
  const stated = products.flatMap(({ name }) =>
    name === undefined ? [] : [foldText(name.value.slice(0, 500))],
  );
  const names = namesOf(page, stated);
  if (!addVisible({ ...page, names, ownKeys: identity.keys, siteNames: siteNames(page) }, candidates)) {
    page.findings.add('several_products');
    return NOTHING;
  }
  addState({ ...page, names, url: page.links.url, opened }, candidates);
  if (opened !== undefined) {
    for (const name of ['price', 'sku'] as const)
      candidates[name] = candidates[name].filter(({ value }) => !opened.ids.has(value));
  }
  candidates.sku = withoutPostIds(page, candidates.sku);
  const brands = new Set(candidates.brand.map(({ value }) => foldText(value)));
  candidates.sku = candidates.sku.filter(({ value }) => /\d/.test(value) || !brands.has(foldText(value)));
  const titles = new Set([...pageNames(page), ...stated]);
  candidates.brand = candidates.brand.filter(({ value }) => !titles.has(foldText(value)));
  const chosen = chooseFacts(withEvidence(candidates, products.length > 0), page.findings);
  const context = { ...page, opened };
  const more = {
    variant: shownVariant(products, context),
    offers: offersRange(products, context) ?? printedRange(candidates),
  };
  return { ...chosen, facts: { ...chosen.facts, ...more } };
}

/** Names of the page that its product is matched against. */
const MAX_NAMES = 12;

function namesOf(page: Page, stated: readonly string[]): string[] {
  const names = [...pageNames(page), ...addressNames(page.links.url), ...stated];
  return [...new Set(names)].slice(0, MAX_NAMES);
}

/** Whether the page shows a product below its heading, even if its address or its data say that it is another kind of page. */
function showsProduct(page: Page, identity: PageIdentity): boolean {
  const names = namesOf(page, []);
  return showsOwnPrice({ ...page, names, ownKeys: identity.keys, siteNames: siteNames(page) });
}

/** Whether another page was served in place of the product page; adds a finding. */
function isNonProductPage({ doc, index, findings }: Page): boolean {
  const code = detectNonProductPage(doc, index);
  if (code !== undefined) findings.add(code);
  return code !== undefined;
}

/**
 * Drops the currency if there is no price. If there is no product or article number either, also drops an availability
 * inferred from a buy or contact control, which may be for anything, such as tickets.
 */
function withEvidence(candidates: FactCandidates, hasProduct: boolean): FactCandidates {
  if (candidates.price.length > 0) return candidates;
  const named = hasProduct || candidates.sku.length > 0;
  const availability = candidates.availability.filter(
    ({ field }) => named || (field !== 'text:buy' && field !== 'text:contact'),
  );
  return { ...candidates, currency: [], availability };
}

function identityOf(page: Page): PageIdentity {
  const { doc, index, metas, links } = page;
  const urls = [links.url, links.canonical, metas.get('og:url')?.[0]];
  const keys = urls.flatMap((url) => (typeof url === 'string' ? (pageKey(url) ?? []) : []));
  const headings = index.headings.filter((el) => el.name === 'h1').slice(0, 5);
  const titles = headings
    .filter((el) => !doc.inFallback(el))
    .map((el) => foldText(doc.text(el, 500)))
    .filter((title) => title !== '');
  return { links, keys: new Set(keys), titles: [...pageNames(page), ...titles] };
}

/** The page's title and `og:title`, folded. */
function pageNames({ doc, index, metas }: Page): string[] {
  const title = index.title === null ? '' : doc.text(index.title, 500);
  const preview = metas.get('og:title')?.[0]?.slice(0, 500) ?? '';
  return [title, preview].map(foldText).filter((name) => name !== '');
}

/** Names of the shop, from meta elements and the labels of its host name; folded, without spaces. */
function siteNames({ metas, links }: Page): Set<string> {
  const names = [
    metas.get('og:site_name')?.[0],
    metas.get('application-name')?.[0],
    ...hostOf(links.url).split('.'),
  ];
  return new Set(names.flatMap((name) => (name === undefined ? [] : [foldText(name).replaceAll(' ', '')])));
}

/** Names in a URL: the words of its path, usually the product's name, and query values of several words. */
function addressNames(url: string): string[] {
  try {
    const { pathname, searchParams } = new URL(url);
    const titles = [...searchParams.values()].filter((value) => /\p{L}{2}.*\s.*\s/u.test(value)).slice(0, 2);
    const words = decodeURIComponent(pathname)
      .split('/')
      .filter((segment) => !GENERIC_SEGMENT.test(segment))
      .join(' ');
    return [foldText(words), ...titles.map((title) => foldText(title.slice(0, 500)))];
  } catch {
    return [];
  }
}

/** Path segments that name the kind of page, not the product; headings use the same words. */
const GENERIC_SEGMENT =
  /^(?:products?|produkte?|produkty|produits?|productos?|produtos?|prodott[oi]|item|items|artikel|article|details?|shop|store|catalog|katalog|sklep|magazin|urun|tovar|goods|index)(?:\.\w{2,5})?$/i;

function hostOf(url: string): string {
  try {
    return new URL(url).hostname;
  } catch {
    return '';
  }
}
