import { BOUNDS } from '../bounds.ts';
import { cleanText } from './text.ts';

/** Values that fill a field without saying anything. */
const NOTHING =
  /^(?:n\/?a|null|undefined|none|nan|false|true|-+|—|\.+|\?+|0+|no brand|unknown|default|not applicable|does not apply|object object|\[object object\])$/i;

/** What a template left behind that nobody filled. */
const TEMPLATE = /\{\{|\}\}|\$\{|<%|%>|%\w+%/;

const SKU_LABEL =
  /^(?:(?:item|ref|art|product|model)\s*#|(?:(?:product|item|article|model|style|part|catalog(?:ue)?|stock|order|artikel|produkt|bestell|art|katalog\w*)[\s.-]*)?(?:sku|code|id|no|nr|num(?:ber|mer|éro|ero)?|ref(?:erence|erencia|\.)?|mpn|asin|kód|kod|código|codice|artikelnummer|артикул|арт|код(?: товара)?)[\s.]*(?:[:#№°]+|no\.?|nr\.?)\s*)/i;
const BRAND_LABEL =
  /^(?:brand|marke|marque|marca|merk|märke|značka|marka|mærke|бренд|производитель|hersteller|manufacturer|fabricante|produttore|by)\s*:\s*/i;

/** An article number without its label; nothing for placeholders and for texts that are no number. */
export function skuText(text: string): string | undefined {
  const sku = cleanText(text, BOUNDS.shortLength)
    .replace(SKU_LABEL, '')
    .replace(/^[#:№\s]+/, '')
    .trim();
  if (sku === '' || NOTHING.test(sku) || TEMPLATE.test(sku) || sku.length > 64) return undefined;
  return sku.split(' ').length > 5 ? undefined : sku;
}

/** A brand without its label; nothing for placeholders and addresses. */
export function brandText(text: string): string | undefined {
  const brand = cleanText(text, BOUNDS.shortLength)
    .replace(BRAND_LABEL, '')
    .replace(/[\s:,;|]+$/, '')
    .trim();
  if (
    brand === '' ||
    NOTHING.test(brand) ||
    TEMPLATE.test(brand) ||
    brand.length > 80 ||
    /^(?:https?:)?\/\//i.test(brand)
  )
    return undefined;
  return brand;
}
