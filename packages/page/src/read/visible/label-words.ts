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
