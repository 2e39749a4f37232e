import type { El, HtmlDocument } from '@touchstone/page/document';
import type { FactCandidate } from '../fact-candidates.ts';
import { ADDRESS_ID } from '../weights.ts';

const MAX_TOKENS = 6;
const MAX_OCCURRENCES = 200;

const ID_NAME =
  /(?:^|[-_.])(?:product|produkt|prod|item|sku|article|artikel|ad|offer|listing|goods|deal|pid|post|asin|model|master|style)(?:s)?[-_.]?(?:id|ids|no|nr|num|number|code|sku|main)?$|^(?:productid|itemid|articleid|offerid|listingid|adid|dealid|goodsid|postid|prodid|skuid|masterid)$/;
const ID_KEY =
  /(?:product|produkt|prod|item|sku|article|artikel|ad|offer|listing|goods|deal|p|post|main|master|ecomm_prod|content)[-_]?(?:id|ids|no|nr|num|number|code)?["']?\s*[:=]\s*\[?\s*["']?$/i;

/**
 * The identifier in the page's URL, if the page uses it for its product: in an attribute or key named for a product
 * id, in the body's class, or in image paths.
 */
export function pageIdCandidates(doc: HtmlDocument, url: string): FactCandidate[] {
  const found: FactCandidate[] = [];
  const body = doc.elements.find(({ name }) => name === 'body');
  const bodyClass = body === undefined ? '' : (doc.attr(body, 'class') ?? '').slice(0, 2_000);
  for (const token of idTokens(url)) {
    const evidence =
      attributeEvidence(doc, token) ?? keyEvidence(doc, token) ?? bodyEvidence(bodyClass, token);
    if (evidence !== undefined) found.push({ value: token, source: 'html', ...evidence, inferred: true });
  }
  // the last of equals: URLs name categories before products
  return found
    .toReversed()
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, 1);
}

/** Parts of a URL that look like identifiers: 5 to 20 digits, or codes of 8 to 14 capitals and digits. */
function idTokens(url: string): string[] {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return [];
  }
  const segments = parsed.pathname
    .split('/')
    .filter((segment) => segment !== '')
    .slice(-3);
  const queries = [...parsed.searchParams].filter(
    ([name]) => ID_NAME.test(name.toLowerCase()) || name === 'id' || name === 'p',
  );
  const texts = [...segments, ...queries.map(([, value]) => value)].map(decoded);
  const tokens = new Set<string>();
  for (const text of texts) {
    for (const [run] of text.matchAll(/\d{5,20}/g)) tokens.add(run);
    for (const [code] of text.matchAll(
      /(?<![A-Za-z0-9])(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{8,14}(?![A-Za-z0-9])/g,
    )) {
      tokens.add(code);
    }
  }
  return [...tokens].slice(-MAX_TOKENS);
}

type Evidence = Pick<FactCandidate, 'field' | 'weight'>;

function attributeEvidence(doc: HtmlDocument, token: string): Evidence | undefined {
  const { source, attrStart, attrEnd } = doc;
  doc.work.spend(attrStart.length);
  for (let i = 0; i < attrStart.length; i++) {
    const start = attrStart[i] as number;
    if ((attrEnd[i] as number) - start !== token.length || !source.startsWith(token, start)) continue;
    const name = doc.attrNames[i] as string;
    if (name.startsWith('data-') && ID_NAME.test(name.slice(5)))
      return { field: `attribute:${name}`, weight: ADDRESS_ID.attribute };
    if ((name === 'value' || name === 'content') && namedForId(doc, i))
      return { field: `attribute:${name}`, weight: ADDRESS_ID.attribute };
  }
  return undefined;
}

/** Whether the `name`, `id` or `property` of an attribute's element refers to a product id. */
function namedForId(doc: HtmlDocument, attribute: number): boolean {
  const el = ownerOf(doc, attribute);
  return (
    el !== undefined &&
    ['name', 'id', 'property'].some((name) =>
      ID_NAME.test((doc.attr(el, name) ?? '').slice(0, 100).toLowerCase()),
    )
  );
}

/** The element of an attribute in the attribute table: a binary search, since elements are in the order of their attributes. */
function ownerOf(doc: HtmlDocument, attribute: number): El | undefined {
  let low = 0;
  let high = doc.elements.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const el = doc.elements[middle] as El;
    if (el.attrTo <= attribute) low = middle + 1;
    else if (el.attrFrom > attribute) high = middle - 1;
    else return el;
  }
  return undefined;
}

function keyEvidence(doc: HtmlDocument, token: string): Evidence | undefined {
  const { source } = doc;
  let inPath = false;
  let at = source.indexOf(token);
  for (let n = 0; at >= 0 && n < MAX_OCCURRENCES; n++, at = source.indexOf(token, at + token.length)) {
    if (/[\da-z]/i.test(source[at + token.length] ?? '')) continue;
    const before = source.slice(Math.max(0, at - 40), at);
    const key = ID_KEY.exec(before);
    if (key !== null) return { field: 'script:id', weight: ADDRESS_ID.key };
    if (
      before.endsWith('/') &&
      /^\/[^"'\s]{1,120}\.(?:jpe?g|png|webp|gif|avif)/i.test(
        source.slice(at + token.length, at + token.length + 140),
      )
    ) {
      inPath = true;
    }
  }
  return inPath ? { field: 'image:path', weight: ADDRESS_ID.imagePath } : undefined;
}

/** Many shop platforms identify the product in the body's class: `postid-123`, `product-some-lamp-123`. */
function bodyEvidence(bodyClass: string, token: string): Evidence | undefined {
  const named = bodyClass
    .split(/\s+/)
    .some((name) => /^(?:product|item|article|post-?id)[-_]/i.test(name) && name.endsWith(`-${token}`));
  return named ? { field: 'body:class', weight: ADDRESS_ID.bodyClass } : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
