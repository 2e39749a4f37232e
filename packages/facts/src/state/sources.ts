import { type El, type HtmlDocument, isJsonLdScript, type PageIndex } from '@touchstone/page/document';
import { type ParsedLiteral, parseLiteral } from './literal.ts';

/** Data embedded in a page's scripts or attributes, with the name of its convention. */
export interface EmbeddedState {
  readonly value: unknown;
  /** `shopify`, `woocommerce`, `dataLayer`, `state`, `attribute`. */
  readonly origin: string;
}

const MAX_LENGTH = 1_500_000;
/** Maximum characters of a script with literals; longer scripts are code. */
const MAX_SCRIPT = 400_000;
const MAX_STATES = 60;
const MAX_TOTAL = 4_000_000;
/** Maximum characters parsed, as a multiple of the page: literals may be nested, so each opener could parse the rest again. */
const MAX_TIMES = 2;

/** Patterns before `{…}` in inline scripts (`name = {…}`, `name({…})`), with names that platforms and shops commonly use. */
const OPENERS: readonly (readonly [string, RegExp])[] = [
  [
    'shopify',
    /\bvar meta\s*=\s*(?=\{)|"productVariants"\s*:\s*(?=\[\s*\{)|\bShopify\.OptionSelectors\(\s*['"][^'"\n]{0,80}['"]\s*,\s*(?=\{)/g,
  ],
  [
    'dataLayer',
    /\bdataLayer\s*\.\s*push\s*\(\s*(?=\{)|\bdataLayer\s*=\s*(?:window\.dataLayer\s*\|\|\s*)?(?=\[\s*\{)/gi,
  ],
  ['dataLayer', /\bgtag\s*\(\s*['"]event['"]\s*,\s*['"]view_item['"]\s*,\s*(?=\{)/g],
  ['dataLayer', /\bfbq\s*\(\s*['"]track['"]\s*,\s*['"]ViewContent['"]\s*,\s*(?=\{)/g],
  [
    'dataLayer',
    /\b(?:utag_data|digitalData|universal_variable|_satellite_data|google_tag_params|tc_vars|wa_data|productData|pageData)\s*=\s*(?=\{)/g,
  ],
  [
    'state',
    /\b(?:window\s*\.\s*|var\s+|const\s+|let\s+)(?:__[A-Z_]{4,40}__|[\w$]{0,30}(?:State|STATE|Product|product|PRODUCT|Store|Data|DATA))\s*=\s*(?=\{)/g,
  ],
];
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['data-product_variations', 'woocommerce'],
  ['data-product', 'attribute'],
  ['data-product-json', 'attribute'],
  ['data-product-info', 'attribute'],
  ['data-product-data', 'attribute'],
  ['data-gtm-product', 'attribute'],
  ['data-gtm', 'attribute'],
  ['data-analytics', 'attribute'],
  ['data-props', 'attribute'],
  ['data-page', 'attribute'],
]);

/** Parses a page's embedded data lazily, within the limits. */
export function* embeddedStates(doc: HtmlDocument, index: PageIndex): Generator<EmbeddedState> {
  let count = 0;
  let left = Math.min(MAX_TOTAL, MAX_TIMES * doc.source.length);
  for (const { origin, length, read } of rawStates(doc, index)) {
    if (++count > MAX_STATES || length > left) return;
    const parsed = read(left);
    left -= parsed.length;
    doc.work.spendOn(parsed.length);
    if (typeof parsed.value === 'object' && parsed.value !== null) yield { value: parsed.value, origin };
  }
}

interface RawState {
  readonly origin: string;
  /** Length in characters; 0 if it is not known before parsing. */
  readonly length: number;
  /** Parses at most `most` characters. */
  readonly read: (most: number) => ParsedLiteral;
}

function jsonState(origin: string, length: number, text: () => string): RawState {
  return { origin, length, read: () => ({ value: parseJson(text()), length }) };
}

function* rawStates(doc: HtmlDocument, index: PageIndex): Generator<RawState> {
  yield* fromAttributes(doc);
  for (const script of index.scripts) {
    if (doc.hasAttr(script, 'src') || isJsonLdScript(doc, script)) continue;
    const length = script.innerTo - script.innerFrom;
    if (length < 30 || length > MAX_LENGTH) continue;
    if (isJson(doc, script)) {
      const origin = /shopify|product-?json/i.test(`${doc.attr(script, 'id')} ${doc.attr(script, 'class')}`)
        ? 'shopify'
        : 'state';
      yield jsonState(origin, length, () => doc.inner(script));
    } else if (length <= MAX_SCRIPT) yield* fromScript(doc.inner(script));
  }
}

function isJson(doc: HtmlDocument, script: El): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(doc.attr(script, 'type')?.trim() ?? '');
}

/** The payload of Next.js: a string with lines of `id:JSON`. */
const NEXT_PAYLOAD = /^\s*self\.__next_f\.push\(\[1,\s*(?=")/;

function* fromNextPayload(text: string, from: number): Generator<RawState> {
  const payload = jsonOrNothing(text.slice(from, text.lastIndexOf('"') + 1));
  if (typeof payload !== 'string') return;
  for (const line of payload.split('\n')) {
    const id = /^[\da-f]+:(?=[[{])/i.exec(line)?.[0];
    if (id === undefined || !/price|product/i.test(line)) continue;
    yield jsonState('state', line.length, () => line.slice(id.length));
  }
}

function* fromScript(text: string): Generator<RawState> {
  // a cheap test first: most scripts contain no product data
  if (!/price|product/i.test(text)) return;
  const next = NEXT_PAYLOAD.exec(text)?.[0].length;
  if (next !== undefined) {
    yield* fromNextPayload(text, next);
    return;
  }
  for (const [origin, opener] of OPENERS) {
    for (const match of text.matchAll(opener)) {
      const at = match.index + match[0].length;
      yield { origin, length: 0, read: (most) => parseLiteral(text, at, Math.min(MAX_LENGTH, most)) };
    }
  }
}

function* fromAttributes(doc: HtmlDocument): Generator<RawState> {
  for (let i = 0; i < doc.attrNames.length; i++) {
    const origin = ATTRIBUTES.get(doc.attrNames[i] as string);
    if (origin === undefined) continue;
    const length = (doc.attrEnd[i] as number) - (doc.attrStart[i] as number);
    if (length > 20) yield jsonState(origin, length, () => doc.attrValue(i));
  }
}

function parseJson(text: string): unknown {
  const trimmed = text.trim().replace(/^<!--|-->$/g, '');
  return /^[[{]/.test(trimmed) ? jsonOrNothing(trimmed) : undefined;
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
