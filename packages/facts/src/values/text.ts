import { cleanText } from '@touchstone/page/document';
import { decodeHTML } from 'entities/decode';
import { BOUNDS } from '../bounds.ts';

const TAG = /<\/?[a-z!][^<>]{0,2000}>/gi;

const REFERENCE = /&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/i;

/** Decodes character references, which shop software may have encoded twice (`&amp;amp;`). */
function decodeText(text: string): string {
  if (!text.includes('&')) return text;
  const once = decodeHTML(text);
  return REFERENCE.test(once) ? decodeHTML(once) : once;
}

/** Text of a value that may be HTML, as descriptions in structured data often are. */
export function htmlToText(value: string, max: number): string {
  const head = value.length > max * 8 ? value.slice(0, max * 8) : value;
  const decoded = decodeText(head);
  const bare = decoded.includes('<') ? decoded.replace(TAG, ' ') : decoded;
  return cleanText(bare, max);
}

/** Folds text for comparison: without case, diacritics and punctuation. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Placeholder values. */
const NOTHING =
  /^(?:n\/?a|null|undefined|none|nan|false|true|-+|—|\.+|\?+|0+|no brand|unknown|(?:not |un)specified|no especificad[oa]|non sp[ée]cifi[ée]e?|non specificato|nicht angegeben|não especificad[oa]|not available|tbd|default|not applicable|does not apply|object object|\[object object\])$/i;

/** Unfilled template placeholders. */
const TEMPLATE =
  /\{\{|\}\}|\$\{|<%|%>|%\w+%|^[[{<#@]{1,2}\s*[\w.:-]+\s*[\]}>#@]{1,2}$|^__\w+__$|^[A-Z]+(?:_[A-Z]+)*_(?:BRAND|NAME|SKU|VENDOR)$|^(?:BRAND|VENDOR|SKU|MANUFACTURER)_[A-Z_]+$|^(?:product|item)[._](?:brand|vendor|sku|manufacturer)(?:[._]name)?$/;
/** Placeholders for a brand in templates. */
const NO_BRAND =
  /^(?:brands?(?: ?name)?|(?:your|my|the|default|test|sample|other|all) brands?|marken?|marques?|marcas?|merken?|marki|vendor|manufacturer|hersteller|fabricant|fabricante|sin marca|sem marca|senza marca|sans marque|ohne marke|keine marke|brak(?: producenta)?|без бренда|нет бренда|ノーブランド|无品牌|無品牌|기타)$/i;

const SKU_LABEL =
  /^(?:(?:item|ref|art|product|model)\s*#|(?:(?:product|item|article|model|style|part|catalog(?:ue)?|stock|order|artikel|produkt|bestell|art|katalog\w*)[\s.-]*)?(?:sku|code|id|no|nr|num(?:ber|mer|éro|ero)?|ref(?:erence|erencia|\.)?|mpn|asin|kód|kod|código|codice|artikelnummer|артикул|арт|код(?: товара)?)[\s.]*(?:[:#№°]+|no\.?|nr\.?)\s*)/i;
const BRAND_LABEL =
  /^(?:brand|marke|marque|marca|merk|märke|značka|marka|mærke|бренд|производитель|hersteller|manufacturer|fabricante|produttore|by)\s*:\s*/i;

/** Number of words above which only the printed page can distinguish an article number from a description. */
const SKU_WORDS = 5;

/** Extracts an article number, without its label; `undefined` for placeholders and other texts. */
export function skuText(text: string): string | undefined {
  const sku = longSkuText(text);
  return sku === undefined || isLongSku(sku) ? undefined : sku;
}

/** Like `skuText`, with any number of words. */
export function longSkuText(text: string): string | undefined {
  const sku = cleanText(firstLine(text), BOUNDS.shortLength)
    .replace(SKU_LABEL, '')
    .replace(/^[#:№\s]+/, '')
    .replace(/[.,;:\s]+$/, '')
    .trim();
  return sku === '' || NOTHING.test(sku) || TEMPLATE.test(sku) || sku.length > 64 ? undefined : sku;
}

export function isLongSku(sku: string): boolean {
  return sku.split(' ').length > SKU_WORDS;
}

/** The first line that is not just a label, decoded; further lines often belong to the next element of the template. */
function firstLine(text: string): string {
  const head = text.slice(0, BOUNDS.shortLength * 8).trim();
  const lines = /[\r\n]/.test(head) ? head.split(/[\r\n]+/) : [head];
  const line = lines.find((one) => /[^\s:：]\s*$/u.test(one)) ?? head;
  return decodeText(line);
}

/** Whether a text is a brand's code in scripts: brand names are not written like this. */
export function isBrandCode(brand: string): boolean {
  return /^[a-z\d]{1,3}$/.test(brand);
}

/** Extracts a brand, without its label; `undefined` for placeholders and URLs. */
export function brandText(text: string): string | undefined {
  const brand = cleanText(firstLine(text), BOUNDS.shortLength)
    .replace(BRAND_LABEL, '')
    .replace(/[\s:,;|]+$/, '')
    .trim();
  if (
    brand === '' ||
    NOTHING.test(brand) ||
    NO_BRAND.test(brand) ||
    /^\d{1,2}$/.test(brand) ||
    TEMPLATE.test(brand) ||
    brand.length > 80 ||
    /^(?:https?:)?\/\//i.test(brand)
  )
    return undefined;
  return brand;
}
