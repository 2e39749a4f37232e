import type { Candidate } from '../candidates.ts';
import type { El } from '../dom/document.ts';
import { brandText, skuText } from '../values/labels.ts';
import { MARK } from './context.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** Labels of an article number, the surest group first; text is folded to lower case. */
const SKU_LABELS: readonly RegExp[] = [
  /^(?:sku|asin|product sku|item sku)$/u,
  /^(?:(?:product|item|article|catalog(?:ue)?|stock|order|web|listing|ad|post|ebay item|store sku|lot) ?(?:code|number|num|no\.?|nr\.?|#|id)|(?:item|product|article|model|order|ref|catalog) ?#|item|art\.?[- ]?(?:nr|no|n°|num)\.?|artikel(?:nummer|[- ]?nr\.?|code|[- ]?no\.?)|artikelnummer|artnr\.?|bestell(?:nummer|[- ]?nr\.?)|produkt(?:nummer|[- ]?nr\.?|code)|anzeigen?(?:nummer|[- ]?id|[- ]?nr\.?)?|ebay-artikelnummer|référence|réf\.?|ref\.?|reference|numéro (?:de l'objet|d'article)(?: ebay)?|code (?:article|produit)|codice(?: (?:articolo|prodotto))?|cod\.?(?: prod(?:otto|us|uto)?\.?| articol)?|numero oggetto(?: ebay)?|código(?: (?:de(?:l)? )?(?:producto|produto|artículo|artigo))?|referencia|referência|número de artículo|kod(?: (?:produktu|towaru|produs))?|numer (?:katalogowy|produktu|artykułu|referencyjny)|nr (?:kat\.?|katalogowy|ref\.?|artykułu)|symbol|kód(?: (?:produktu|zboží|tovaru|zbozi))?|(?:objednací|katalógové|katalogové) (?:číslo|kód)|číslo (?:produktu|zboží|tovaru|výrobku)|cikkszám|termékkód|cod produs|артикул|арт\.?|код(?: товара| товару)?|номер (?:товара|объявления)|артикул товара|каталожный номер|šifra(?: (?:artikla|proizvoda|izdelka))?|kataloški broj|produkta kods|preces kods|prekės kodas|tootekood|tuotenumero|tuotekoodi|artikelnr\.?|varenummer|varenr\.?|ürün kodu|stok kodu|κωδικός(?: προϊόντος)?|קוד מוצר|קוד פריט|מק"ט|מק״ט|رقم المنتج|رمز المنتج|商品番号|品番|商品コード|商品编号|货号|상품번호|상품코드|mã sản phẩm|รหัสสินค้า|kode produk)$/u,
  /^(?:model(?: (?:number|no\.?|nr\.?|#))?|modell(?:nummer|nr\.?)?|modèle|modello|modelo|модель|דגם|part(?: (?:number|no\.?))?|style(?: (?:number|no\.?|#|code))?)$/u,
];
const SKU_WEIGHTS = [0.55, 0.5, 0.25] as const;

const BRAND_LABEL =
  /^(?:brand(?: name)?|marke|marque|marca|merk|märke|varemerke|mærke|merkki|značka|marka|márka|бренд|торговая марка|производитель|виробник|manufacturer|hersteller|fabricant|fabricante|produttore|fabrikant|producent|výrobce|výrobca|gyártó|producător|producator|proizvođač|proizvajalec|blagovna znamka|znamka|ražotājs|zīmols|gamintojas|prekės ženklas|tootja|valmistaja|tillverkare|produsent|üretici|μάρκα|κατασκευαστής|מותג|יצרן|العلامة التجارية|الماركة|メーカー|ブランド|品牌|브랜드|제조사|thương hiệu|ยี่ห้อ|merek|make|make ?\/ ?manufacturer|label|studio)$/u;
const BYLINES: readonly RegExp[] = [
  /^visit the (.{2,60}) store$/iu,
  /^besuche(?:n sie)? den (.{2,60}?)[- ]store$/iu,
  /^visiter la boutique (.{2,60})$/iu,
  /^visita lo store di (.{2,60})$/iu,
  /^visita la (?:store|tienda) de (.{2,60})$/iu,
  /^visite a loja (.{2,60})$/iu,
  /^bezoek de (.{2,60})-store$/iu,
  /^(?:shop all|more from|see all from|all products (?:from|by)|mehr von|alle produkte von|voir tous les produits) (.{2,40})$/iu,
];

/** Article number and brand by the labels that stand before them near the heading. */
export function labelCandidates(region: Region): { sku: Candidate[]; brand: Candidate[] } {
  const sku: Candidate[] = [];
  const brand: Candidate[] = [];
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
    const byline = bylineOf(run);
    if (byline !== undefined)
      brand.push({ value: byline, source: 'html', field: 'text:byline', weight: 0.5 });
  }
  brand.push(...namedBrand(region), ...linkedBrand(region), ...brandLogo(region));
  return { sku: bestOf(sku), brand: bestOf(brand) };
}

const NEAR = 20;

interface Pair {
  readonly label: string;
  readonly value: string;
  readonly colon: boolean;
}

function addSku({ label, value, colon }: Pair, run: Run, out: Candidate[]): void {
  const group = SKU_LABELS.findIndex((labels) => labels.test(label));
  if (group < 0) return;
  const sku = skuText(value);
  if (sku === undefined || !/\d/.test(sku) || !/^[\p{L}\p{N}][\p{L}\p{N}\-_./ ]*$/u.test(sku)) return;
  // a number of several words is a model's name more often than an article number
  const odd = sku.includes(' ') ? 0.2 : 0;
  const weight = (SKU_WEIGHTS[group] ?? 0) - Math.abs(run.distance) / 5_000 + (colon ? 0.03 : 0) - odd;
  out.push({ value: sku, source: 'html', field: `text:${label}`.slice(0, 60), weight });
}

function addBrand({ label, value }: Pair, run: Run, out: Candidate[]): void {
  if (!BRAND_LABEL.test(label)) return;
  const brand = brandText(value);
  if (brand === undefined || brand.length > 50 || !/\p{L}/u.test(brand)) return;
  const weight = 0.5 - Math.abs(run.distance) / 5_000;
  out.push({ value: brand, source: 'html', field: `text:${label}`.slice(0, 60), weight });
}

function bestOf(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((a, b) => b.weight - a.weight).slice(0, 1);
}

/** `Label: value` in one run, or a label run with the value in the next one of its row. */
function labelledValue(region: Region, i: number, run: Run): Pair | undefined {
  const inline = /^([^:：#]{2,40}?)\s*(?:[:：#]|n[°º])\s*(.{1,80})$/u.exec(run.text.trim());
  if (inline?.[1] !== undefined && inline[2] !== undefined) {
    return { label: fold(inline[1]), value: inline[2], colon: true };
  }
  if (run.text.length > 45) return undefined;
  const label = fold(run.text);
  const next = region.runs[i + 1];
  if (next !== undefined && /^[:：#\s-]+$/.test(next.text)) {
    const value = region.runs[i + 2];
    return value === undefined ? undefined : { label, value: value.text, colon: true };
  }
  if (next === undefined || !isLabelFor(run, next)) return spaced(run.text);
  return { label, value: next.text.replace(/^[:：\s]+/, ''), colon: /[:：]\s*$/.test(run.text) };
}

/** `Produkta kods 520501927`: a label and a number with a space between. */
function spaced(text: string): Pair | undefined {
  const match = /^(\D{3,30}?)\s+([\p{L}\d][\p{L}\d\-_./]*\d[\p{L}\d\-_./]*)$/u.exec(text.trim());
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { label: fold(match[1]), value: match[2], colon: false };
}

/** Whether the next run is the value of a label: it says so by a colon, or both stand in one row. */
function isLabelFor(run: Run, next: Run): boolean {
  if (/[:：#]\s*$/.test(run.text)) return true;
  const shared = rowOf(run);
  if ((shared !== undefined && shared === rowOf(next)) || run.owner.parent === next.owner.parent) return true;
  return isKnownLabel(fold(run.text)) && sameBlock(run, next);
}

function rowOf(run: Run): El | undefined {
  let el = run.owner;
  for (let level = 0; level < 4 && el.parent !== null; level++) {
    if (el.name === 'tr' || el.name === 'dl' || el.name === 'li') return el;
    el = el.parent;
  }
  return undefined;
}

function isKnownLabel(label: string): boolean {
  return BRAND_LABEL.test(label) || SKU_LABELS.some((labels) => labels.test(label));
}

function fold(label: string): string {
  return label
    .toLowerCase()
    .replace(/^[\s•·*–—-]+|[\s:：#.]+$/gu, '')
    .replace(/\s+/g, ' ');
}

function bylineOf(run: Run): string | undefined {
  const text = run.text.trim();
  if (Math.abs(run.distance) > 60 || text.length > 80) return undefined;
  for (const pattern of BYLINES) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return brandText(name);
  }
  return undefined;
}

/** Text of an element that is named as the brand, close to the heading. */
function namedBrand(region: Region): Candidate[] {
  const named = region.runs.filter(
    (run) =>
      isNamedBrand(region, run.owner) &&
      (run.marks & (MARK.related | MARK.frame | MARK.talk)) === 0 &&
      run.distance > -15 &&
      run.distance < 25 &&
      run.text.length <= 40,
  );
  return named.flatMap((run) => {
    if (/[:：]$/.test(run.text.trim()) || BRAND_LABEL.test(fold(run.text))) return [];
    const brand = brandText(run.text.replace(/^(?:by|von|de|par|di|da|от)\s+/i, ''));
    return brand === undefined || !/\p{L}/u.test(brand) || /^\d/.test(brand)
      ? []
      : [{ value: brand, source: 'html' as const, field: 'text:brand', weight: 0.45 }];
  });
}

/** By a name of its own or of a parent that holds nothing else; a link home is the shop's logo. */
function isNamedBrand(region: Region, owner: El): boolean {
  if (/^(?:https?:\/\/[^/]+)?\/?$/.test(hrefAround(region, owner) ?? '#')) return false;
  const { parent } = owner;
  const alone = parent !== null && parent.textTo - parent.textFrom === 1;
  return ((region.around.own(owner) | (alone ? region.around.own(parent) : 0)) & MARK.brand) !== 0;
}

/** Addresses of a shop's pages about one brand. */
const BRAND_PAGE =
  /\/(?:brands?|marken?|marques?|marcas?|merken|designers?|manufacturers?|hersteller|fabricantes?|producent(?:s|i)?|producenci|vyrobc[ei]|vyrobca|znack[ay]|znamke|proizvajalci|marki|vendors?|brand-?stores?)[/=?-]+[^/?#]{2,}/i;
const NO_BRAND = /^(?:all )?(?:brands?|marken|marques|marcas|more|home|shop|back|new|sale)$|\d{3,}/i;

/** Text of a link to a page about a brand, close to the heading. */
function linkedBrand(region: Region): Candidate[] {
  for (const run of region.runs) {
    if (run.distance < -12 || run.distance > 30 || run.text.length > 30) continue;
    if ((run.marks & MARK.linkAway) === 0 || (run.marks & (MARK.related | MARK.frame | MARK.talk)) !== 0)
      continue;
    const href = hrefAround(region, run.owner);
    if (href === undefined || !BRAND_PAGE.test(href) || NO_BRAND.test(run.text)) continue;
    const value = brandText(run.text);
    if (value !== undefined) return [{ value, source: 'html', field: 'link:brand', weight: 0.45 }];
  }
  return [];
}

function hrefAround(region: Region, owner: El): string | undefined {
  for (let el: El | null = owner, level = 0; el !== null && level < 4; el = el.parent, level++) {
    if (el.name === 'a') return region.doc.attr(el, 'href');
  }
  return undefined;
}

/** Alternative text of a picture in an element that is named as the brand, close to the heading. */
function brandLogo(region: Region): Candidate[] {
  const { doc, around, heading } = region;
  const from = Math.max(0, heading.index - LOGO_ELEMENTS);
  const to = Math.min(doc.elements.length, heading.end + LOGO_ELEMENTS);
  for (let i = from; i < to; i++) {
    const el = doc.elements[i] as El;
    if (el.name !== 'img' || el.parent === null) continue;
    const named = around.own(el) | around.own(el.parent);
    if ((named & MARK.brand) === 0) continue;
    if ((around.of(el) & (MARK.related | MARK.frame | MARK.talk | MARK.hidden)) !== 0) continue;
    const alt = (doc.attr(el, 'alt') ?? '').replace(/\blogo\b/gi, '').trim();
    const value = alt.length > 30 || NO_BRAND.test(alt) ? undefined : brandText(alt);
    if (value !== undefined) return [{ value, source: 'html', field: 'img:alt', weight: 0.42 }];
  }
  return [];
}

const LOGO_ELEMENTS = 60;
