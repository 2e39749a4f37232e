import { type FactsReading, NO_FACTS, type ParsedPage } from '@touchstone/page/document';
import { type ChosenFacts, chooseFacts } from './choice.ts';
import { readClaims } from './claims/read-claims.ts';
import { type FactCandidates, noFactCandidates } from './fact-candidates.ts';
import { addRecord } from './from-records.ts';
import { type PageIdentity, pageProducts, unplacedProducts } from './main-product.ts';
import { addMeta, addMetaTexts } from './meta.ts';
import { detectNonProductPage } from './non-product-page.ts';
import { pageKey } from './page-key.ts';
import {
  isArticle,
  isListedInMeta,
  isListing,
  isMarkedAsOne,
  isOtherPage,
  statesProduct,
} from './page-kind.ts';
import { withoutPostIds } from './post-ids.ts';
import { collectProducts } from './schema-org/collect.ts';
import { readMarkup } from './schema-org/markup.ts';
import type { ProductRecord } from './schema-org/record.ts';
import { addOpenedVariant, addState } from './state/add-state.ts';
import { openedVariant } from './state/opened-variant.ts';
import { readStatements } from './statements.ts';
import { type Locale, localeOf } from './values/currency.ts';
import { foldText } from './values/text.ts';
import { offersRange, printedRange, shownVariant } from './variant-and-offers.ts';
import { addVisible, addVisibleTexts } from './visible/add-visible.ts';
import { showsOwnPrice } from './visible/own-price.ts';

/** The parsed page, as the later steps read it. */
interface Page extends ParsedPage {
  readonly locale: Locale;
}

const NOTHING: ChosenFacts = { facts: NO_FACTS, explanation: [] };

/**
 * Reads what a product page states: its facts with their sources, how they were chosen, and what identifies its product. Given to
 * `readPage` of `@touchstone/page/read`, which parses the page and limits the work. Pure; hostile input does not make it throw.
 *
 * @example
 * ```ts
 * import { readFacts } from '@touchstone/facts';
 * import { readPage } from '@touchstone/page/read';
 *
 * const html = '<meta property="og:type" content="product"><meta property="og:title" content="Cup"><h1>Cup</h1>';
 * const { facts } = readPage(html, { url: 'https://shop.example/products/cup' }, readFacts);
 * facts.name?.value; // 'Cup'
 * ```
 */
export function readFacts(parsed: ParsedPage): FactsReading {
  const { doc, index, graph, findings } = parsed;
  const page: Page = { ...parsed, locale: pageLocale(parsed) };
  const markup = readMarkup(doc, index);
  const records = collectProducts(doc, index, graph, markup, findings);
  const identity = identityOf(page);
  const products = pageProducts(records, identity, findings);
  const candidates = noFactCandidates();
  const chosen = chosenFacts(page, identity, { products, candidates });
  const others = unplacedProducts(records, products, identity);
  const states = statesProduct(page, products, chosen.facts);
  const hasCertificate = page.certificates.length > 0;
  const claims = readClaims(page, markup);
  return {
    ...chosen,
    ...(claims.length > 0 && { claims }),
    statements: readStatements({ ...page, products, others, candidates }),
    // only of interest with certificates, which may be those of a list
    statesProduct: states || (hasCertificate && chosen === NOTHING && showsProduct(page, identity)),
  };
}

function pageLocale({ doc, index, metas, links }: ParsedPage): Locale {
  const language = index.html === null ? undefined : doc.attr(index.html, 'lang');
  const title = index.title === null ? '' : doc.text(index.title, 500);
  return localeOf(hostOf(links.url), language ?? metas.get('og:locale')?.[0], title);
}

/** Where a page's facts are read: its data, and the candidates, to which what else is read is added. */
interface Evidence {
  readonly products: readonly ProductRecord[];
  readonly candidates: FactCandidates;
}

function chosenFacts(page: Page, identity: PageIdentity, { products, candidates }: Evidence): ChosenFacts {
  const opened = openedVariant(page.doc, page.index, page.links.url);
  for (const product of products) addRecord(product, { ...page, opened }, candidates);
  if (
    products.length === 0 &&
    (isArticle(page, page.graph) ||
      isOtherPage(page, page.links.url) ||
      isListing(page.graph, identity.keys, page.links.base) ||
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
