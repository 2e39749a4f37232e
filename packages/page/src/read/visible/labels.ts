import type { El } from '../dom/document.ts';
import type { FactCandidate } from '../fact-candidates.ts';
import { brandText, skuText } from '../values/text.ts';
import { SHOWN_BRAND, SHOWN_SKU } from '../weights.ts';
import { MARK } from './marks.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** The surest article number, and all brands, by the labels that stand before them near the heading. */
export function labelCandidates(region: Region): { sku: FactCandidate[]; brand: FactCandidate[] } {
  const sku: FactCandidate[] = [];
  const brand: FactCandidate[] = [];
  for (const [i, run] of region.runs.entries()) {
    // close to the heading a rating's row often holds the number too
    const foreign =
      Math.abs(run.distance) <= NEAR ? MARK.related | MARK.frame : MARK.related | MARK.frame | MARK.talk;
    if ((run.marks & foreign) !== 0) continue;
    const pair = labelledValue(region, i, run);
    if (pair !== undefined) {
      addSku(pair, run, sku);
      addBrand(pair, run, brand);
    }
  }
  return { sku: bestOf(sku), brand };
}

const NEAR = 20;

interface Pair {
  readonly label: string;
  readonly value: string;
  readonly colon: boolean;
}

function addSku({ label, value, colon }: Pair, run: Run, out: FactCandidate[]): void {
  const group = SKU_LABELS.findIndex((labels) => labels.test(label));
  if (group < 0) return;
  const sku = skuText(value);
  if (sku === undefined || !/\d/.test(sku) || !/^[\p{L}\p{N}][\p{L}\p{N}\-_./ ]*$/u.test(sku)) return;
  const weights = SHOWN_SKU;
  const weight =
    (weights.labels[group] ?? 0) -
    Math.abs(run.distance) * weights.perRun +
    (colon ? weights.colon : 0) +
    (sku.includes(' ') ? weights.severalWords : 0);
  out.push({ value: sku, source: 'html', field: `text:${label}`.slice(0, 60), weight });
}

function addBrand({ label, value }: Pair, run: Run, out: FactCandidate[]): void {
  if (!BRAND_LABEL.test(label)) return;
  const brand = brandText(value);
  if (brand === undefined || brand.length > 50 || !/\p{L}/u.test(brand)) return;
  const weight = SHOWN_BRAND.label - Math.abs(run.distance) * SHOWN_BRAND.perRun;
  out.push({ value: brand, source: 'html', field: `text:${label}`.slice(0, 60), weight });
}

/** The heaviest, the first of equals. */
export function bestOf(candidates: readonly FactCandidate[]): FactCandidate[] {
  return candidates.toSorted((a, b) => b.weight - a.weight).slice(0, 1);
}

/** `Label: value` in one run, or a label run with the value in the next one of its row. */
function labelledValue(region: Region, i: number, run: Run): Pair | undefined {
  const inline = /^([^:：#]{2,40}?)\s*(?:[:：#]|n[°º])\s*(.{1,80})$/u.exec(run.text.trim());
  if (inline?.[1] !== undefined && inline[2] !== undefined) {
    return { label: foldLabel(inline[1]), value: inline[2], colon: true };
  }
  if (run.text.length > 45) return undefined;
  const label = foldLabel(run.text);
  const next = region.runs[i + 1];
  if (next !== undefined && /^[:：#\s-]+$/.test(next.text)) {
    const value = region.runs[i + 2];
    return value === undefined ? undefined : { label, value: value.text, colon: true };
  }
  const inOne = spaced(run.text);
  if (next === undefined || (inOne !== undefined && isKnownLabel(inOne.label)) || !isLabelFor(run, next))
    return inOne;
  return { label, value: next.text.replace(/^[:：\s]+/, ''), colon: /[:：]\s*$/.test(run.text) };
}

/** `Produkta kods 520501927`: a label and a number with a space between. */
function spaced(text: string): Pair | undefined {
  const match = /^(\D{3,30}?)\s+([\p{L}\d][\p{L}\d\-_./]*\d[\p{L}\d\-_./]*)$/u.exec(text.trim());
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { label: foldLabel(match[1]), value: match[2], colon: false };
}

/** Whether the next run is the value of a label: it says so by a colon, or both stand in one row. */
function isLabelFor(run: Run, next: Run): boolean {
  if (/[:：#]\s*$/.test(run.text)) return true;
  const shared = rowOf(run);
  if ((shared !== undefined && shared === rowOf(next)) || run.owner.parent === next.owner.parent) return true;
  return isKnownLabel(foldLabel(run.text)) && sameBlock(run, next);
}

function rowOf(run: Run): El | undefined {
  let el = run.owner;
  for (let level = 0; level < 4 && el.parent !== null; level++) {
    if (el.name === 'tr' || el.name === 'dl' || el.name === 'li') return el;
    el = el.parent;
  }
  return undefined;
}

/** Labels of an article number, the surest group first; text is folded to lower case. */
export const SKU_LABELS: readonly RegExp[] = [
  /^(?:sku|asin|product sku|item sku)$/u,
  /^(?:(?:product|item|article|catalog(?:ue)?|stock|order|web|listing|ad|post|ebay item|store sku|lot) ?(?:code|number|num|no\.?|nr\.?|#|id)|(?:item|product|article|model|order|ref|catalog) ?#|item|art\.?[- ]?(?:nr|no|n°|num)\.?|artikel(?:nummer|[- ]?nr\.?|code|[- ]?no\.?)|artikelnummer|artnr\.?|bestell(?:nummer|[- ]?nr\.?)|produkt(?:nummer|[- ]?nr\.?|code)|anzeigen?(?:nummer|[- ]?id|[- ]?nr\.?)?|ebay-artikelnummer|référence|réf\.?|ref\.?|reference|numéro (?:de l'objet|d'article)(?: ebay)?|code (?:article|produit)|codice(?: (?:articolo|prodotto))?|c[oó]d\.?(?: (?:do )?prod(?:otto|us|uto)?\.?| articol)?|numero oggetto(?: ebay)?|código(?: (?:de(?:l)? )?(?:producto|produto|artículo|artigo))?|referencia|referência|número de artículo|kod(?: (?:produktu|towaru|produs))?|numer (?:katalogowy|produktu|artykułu|referencyjny)|nr (?:kat\.?|katalogowy|ref\.?|artykułu)|symbol|kód(?: (?:produktu|zboží|tovaru|zbozi))?|(?:objednací|katalógové|katalogové) (?:číslo|kód)|číslo (?:produktu|zboží|tovaru|výrobku)|cikkszám|termékkód|cod produs|артикул|арт\.?|код(?: товара| товару)?|номер (?:товара|объявления)|артикул товара|каталожный номер|šifra(?: (?:artikla|proizvoda|izdelka))?|kataloški broj|produkta kods|preces kods|prekės kodas|tootekood|tuotenumero|tuotekoodi|artikelnr\.?|varenummer|varenr\.?|ürün kodu|stok kodu|ilan (?:no|numarası)|κωδικός(?: προϊόντος)?|קוד מוצר|קוד פריט|מק"ט|מק״ט|رقم المنتج|رمز المنتج|商品番号|品番|商品コード|商品编号|商品編號|货号|貨號|상품번호|상품코드|mã sản phẩm|รหัสสินค้า|kode produk)$/u,
  /^(?:model(?: (?:number|no\.?|nr\.?|#))?|modell(?:nummer|nr\.?)?|modèle|modello|modelo|модель|דגם|part(?: (?:number|no\.?))?|style(?: (?:number|no\.?|#|code))?)$/u,
];

export const BRAND_LABEL =
  /^(?:brand(?: name)?|marke|marque|marca|merk|märke|varemerke|mærke|merkki|značka|marka|márka|бренд|торговая марка|производитель|виробник|manufacturer|hersteller|fabricant|fabricante|produttore|fabrikant|producent|výrobce|výrobca|gyártó|producător|producator|proizvođač|proizvajalec|blagovna znamka|znamka|ražotājs|zīmols|gamintojas|prekės ženklas|tootja|valmistaja|tillverkare|produsent|üretici|μάρκα|κατασκευαστής|מותג|יצרן|العلامة التجارية|الماركة|メーカー|ブランド|品牌|브랜드|제조사|thương hiệu|ยี่ห้อ|merek|make|make ?\/ ?manufacturer|label|studio)$/u;

export function isKnownLabel(label: string): boolean {
  return BRAND_LABEL.test(label) || SKU_LABELS.some((labels) => labels.test(label));
}

const BEFORE_LABEL = ' \u00A0\t\n•·*–—-';
const AFTER_LABEL = ' \u00A0\t\n:：#.';

/** A label without its colon and bullet, in lower case; asked of every short text of a page. */
export function foldLabel(label: string): string {
  let from = 0;
  let to = label.length;
  while (from < to && BEFORE_LABEL.includes(label.charAt(from))) from++;
  while (from < to && AFTER_LABEL.includes(label.charAt(to - 1))) to--;
  // the capital İ of Turkish leaves a dot behind
  return label
    .slice(from, to)
    .toLowerCase()
    .replace(/\u0307/g, '')
    .replace(/\s+/g, ' ');
}
