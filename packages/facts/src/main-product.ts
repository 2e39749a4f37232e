import { absolute, type Findings, type PageLinks } from '@touchstone/page/document';
import { pageKey } from './page-key.ts';
import type { ProductRecord } from './schema-org/record.ts';
import { statedPrice } from './values/price.ts';
import { foldText } from './values/text.ts';
import { SCORE } from './weights.ts';

/** The page's URLs and titles, by which its product is recognised. */
export interface PageIdentity {
  readonly links: PageLinks;
  /** Keys (`pageKey`) of the page's own URLs: its address, its canonical link, `og:url`. */
  readonly keys: ReadonlySet<string>;
  /** Title, main heading, `og:title`, folded. */
  readonly titles: readonly string[];
}

interface Scored {
  readonly record: ProductRecord;
  readonly score: number;
}

/**
 * The records that describe the page's product, best score first; a product in several syntaxes has several records. Empty
 * if no record does, or if the page is a list of products without a main one.
 */
export function pageProducts(
  records: readonly ProductRecord[],
  identity: PageIdentity,
  findings: Findings,
): ProductRecord[] {
  const listed = listedRecords(records, identity);
  const scored = records
    .filter((record) => !listed.has(record))
    .map((record): Scored => ({ record, score: scoreOf(record, identity) }))
    .filter(({ score }) => score > SCORE.record.rejected)
    .toSorted((a, b) => b.score - a.score || a.record.order - b.record.order);
  const [best] = scored;
  if (best === undefined) return [];
  const rivals = scored.filter(
    ({ record, score }) => score >= best.score - SCORE.record.rival && !sameProduct(record, best.record),
  );
  if (rivals.length > 0 && best.score < SCORE.record.certain) {
    // a listing: none of its products is the page's
    if (rivals.length >= SCORE.record.listed) {
      findings.add('several_products');
      return [];
    }
    findings.add('several_products', `Taken: “${best.record.name?.value ?? ''}”.`);
  }
  const own = scored.filter(
    ({ record, score }) =>
      record === best.record ||
      (score >= 0 && sameProduct(record, best.record) && !isNeighbour(record, best.record, identity)),
  );
  const open = own.filter(
    ({ record, score }) => record.source === best.record.source && score >= best.score - SCORE.record.rival,
  );
  const skus = new Set(open.flatMap(({ record }) => record.sku?.value ?? []));
  if (skus.size <= 1) return own.map(({ record }) => record);
  return own.map((one) => (open.includes(one) ? { ...one.record, oneOfSeveral: true } : one.record));
}

/**
 * Records of other products that the page does not place elsewhere: in JSON-LD, not in another node, and without an address of their own.
 * Programs that take the first product of a page may read one of them.
 */
export function unplacedProducts(
  records: readonly ProductRecord[],
  products: readonly ProductRecord[],
  identity: PageIdentity,
): ProductRecord[] {
  const own = new Set(products.map(({ order }) => order));
  return records.filter(
    (record) =>
      record.source === 'jsonld' &&
      record.outermost &&
      !own.has(record.order) &&
      addressScore(record, identity) >= 0,
  );
}

/**
 * Records of a list: `SCORE.record.listed` or more different names have offers on other pages each, or all claim the page's URL,
 * as some templates write it for every product. Excludes the record that the page's titles name.
 */
function listedRecords(records: readonly ProductRecord[], identity: PageIdentity): Set<ProductRecord> {
  const own = records.filter((record) => addressScore(record, identity) === SCORE.record.ownAddress);
  const elsewhere = records.filter((record) => isOfferedElsewhere(record, identity));
  return new Set([
    ...(isList(own)
      ? own.filter(({ name }) => titleAgreement(name?.value, identity.titles) <= SCORE.record.sameName)
      : []),
    // the title of a list shares most of its words with the names of its products
    ...(isList(elsewhere)
      ? elsewhere.filter(({ name }) => name === undefined || !isInTitle(name.value, identity.titles))
      : []),
  ]);
}

function isInTitle(name: string, titles: readonly string[]): boolean {
  const folded = foldText(name.slice(0, 500));
  return folded !== '' && titles.some((title) => title.includes(folded));
}

/** Whether the records have `SCORE.record.listed` different names. */
function isList(records: readonly ProductRecord[]): boolean {
  const names = records.flatMap(({ name }) =>
    name === undefined ? [] : [foldText(name.value.slice(0, 500))],
  );
  return new Set(names).size >= SCORE.record.listed;
}

/** Whether all addresses that a record's offers have are of other pages. */
function isOfferedElsewhere({ offers }: ProductRecord, { links, keys }: PageIdentity): boolean {
  const urls = offers.slice(0, MAX_OFFERS).flatMap(({ url }) => url ?? []);
  return (
    urls.length > 0 &&
    urls.every((url) => {
      const key = pageKey(absolute(url, links.base) ?? '');
      return key !== undefined && !keys.has(key);
    })
  );
}

/** Offers of a record whose addresses are compared. */
const MAX_OFFERS = 20;

function scoreOf(record: ProductRecord, identity: PageIdentity): number {
  const weights = SCORE.record;
  let score = record.related ? weights.related : 0;
  if (record.main) score += weights.mainEntity;
  score += addressScore(record, identity);
  score += weights.named * titleAgreement(record.name?.value, identity.titles);
  if (record.offers.some((offer) => offer.price !== undefined)) score += weights.price;
  if (record.offers.some((offer) => offer.availability !== undefined)) score += weights.availability;
  if (record.sku !== undefined || record.brand !== undefined) score += weights.skuOrBrand;
  if (record.types.includes('Offer')) score += weights.onlyOffer;
  return score;
}

/** Score for the record's URLs: positive if one is this page, negative if they name another page. */
function addressScore(record: ProductRecord, identity: PageIdentity): number {
  let other = false;
  const offers = record.offers
    .slice(0, MAX_OFFERS)
    .flatMap((offer) => (offer.url === undefined ? [] : [offer.url]));
  for (const url of [...record.urls, ...offers]) {
    const href = absolute(url, identity.links.base);
    const key = href === undefined ? undefined : pageKey(href);
    if (key === undefined) continue;
    if (identity.keys.has(key)) return SCORE.record.ownAddress;
    if (record.urls.includes(url) && !url.trim().startsWith('#') && !isRoot(key)) other = true;
  }
  return other ? SCORE.record.otherAddress : 0;
}

function isRoot(key: string): boolean {
  return !key.includes('/');
}

/** Share of the name's words that the best matching title contains, 0 to 1. */
export function titleAgreement(name: string | undefined, titles: readonly string[]): number {
  return name === undefined ? 0 : agreementWith(titles)(name);
}

/** `titleAgreement` with the titles prepared for many names. */
export function agreementWith(titles: readonly string[]): (name: string) => number {
  const wordsOfTitles = titles.map((title) => new Set(title.split(' ')));
  return (name) => {
    const words = foldText(name.slice(0, 500))
      .split(' ')
      .filter((word) => word !== '');
    if (words.length === 0) return 0;
    let best = 0;
    for (const inTitle of wordsOfTitles) {
      const shared = words.filter((word) => inTitle.has(word)).length;
      // a truncated title has fewer words than the name
      best = Math.max(best, shared / Math.min(words.length, Math.max(inTitle.size, 3)));
    }
    return Math.min(best, 1);
  };
}

/**
 * Whether a record resembles the page's product but describes another: it has no name or a different URL, and its name or
 * price differs.
 */
function isNeighbour(record: ProductRecord, main: ProductRecord, identity: PageIdentity): boolean {
  if (record.types.includes('Offer')) return false;
  const elsewhere = hasOtherAddress(record, identity) && !hasOtherAddress(main, identity);
  if (record.name !== undefined && !elsewhere) return false;
  const [price, mainPrice] = [priceOf(record), priceOf(main)];
  if (price !== undefined && mainPrice !== undefined && price !== mainPrice) return true;
  return elsewhere && foldText(record.name?.value ?? '') !== foldText(main.name?.value ?? '');
}

function hasOtherAddress(record: ProductRecord, identity: PageIdentity): boolean {
  return addressScore(record, identity) === SCORE.record.otherAddress;
}

function priceOf({ offers }: ProductRecord): number | undefined {
  const price = offers.find((offer) => offer.price !== undefined)?.price;
  const amount = price === undefined ? undefined : statedPrice(price.value);
  return amount === undefined ? undefined : Number(amount);
}

/** Whether two records describe the same product: their names share most words, or one has no name and neither is related. */
function sameProduct(a: ProductRecord, b: ProductRecord): boolean {
  if (a === b) return true;
  if (a.name === undefined || b.name === undefined) return !a.related && !b.related;
  const left = foldText(a.name.value.slice(0, 500));
  const right = foldText(b.name.value.slice(0, 500));
  if (left === right) return true;
  const least = SCORE.record.sameName;
  return titleAgreement(left, [right]) > least && titleAgreement(right, [left]) > least;
}
