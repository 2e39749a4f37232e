/** Labels of an article number, in groups from most to least reliable; compared in lower case. */
const SKU_LABELS: readonly RegExp[] = [
  /^(?:sku|asin|product sku|item sku)$/u,
  /^(?:(?:product|item|article|catalog(?:ue)?|stock|order|web|listing|ad|post|ebay item|store sku|lot) ?(?:code|number|num|no\.?|nr\.?|#|id)|(?:item|product|article|model|order|ref|catalog) ?#|item|art\.?[- ]?(?:nr|no|n°|num)\.?|(?:artikel|bestell|produkt|waren)[- ]?(?:nummer|nr\.?|code|no\.?)|artnr\.?|anzeigen?(?:nummer|[- ]?id|[- ]?nr\.?)?|ebay-artikelnummer|référence|réf\.?|ref\.?|reference|numéro (?:de l'objet|d'article)(?: ebay)?|code (?:article|produit)|codice(?: (?:articolo|prodotto))?|c[oó]d\.?(?: (?:do )?prod(?:otto|us|uto)?\.?| articol)?|numero oggetto(?: ebay)?|código(?: (?:del? |do )?(?:producto|produto|artículo|artigo))?|referencia|referência|número de artículo|kod(?: (?:produktu|towaru|produs))?|numer (?:katalogowy|produktu|artykułu|referencyjny)|nr (?:kat\.?|katalogowy|ref\.?|artykułu)|symbol|kód(?: (?:produktu|zboží|tovaru|zbozi))?|(?:objednací|katalógové|katalogové) (?:číslo|kód)|číslo (?:produktu|zboží|tovaru|výrobku)|cikkszám|termékkód|cod produs|артикул|арт\.?|код(?: товара| товару)?|номер (?:товара|объявления)|артикул товара|каталожный номер|šifra(?: (?:artikla|proizvoda|izdelka))?|kataloški broj|produkta kods|preces kods|prekės kodas|tootekood|tuotenumero|tuotekoodi|artikelnr\.?|varenummer|varenr\.?|ürün kodu|stok kodu|ilan (?:no|numarası)|κωδικός(?: προϊόντος)?|קוד מוצר|קוד פריט|מק"ט|מק״ט|رقم المنتج|رمز المنتج|商品番号|品番|注文コード|商品コード|商品编号|商品編號|货号|貨號|상품번호|상품코드|mã sản phẩm|รหัสสินค้า|kode produk)$/u,
  /^(?:model(?: (?:number|no\.?|nr\.?|#))?|modell(?:nummer|nr\.?)?|modèle|modello|modelo|модель|דגם|part(?: (?:number|no\.?))?|style(?: (?:number|no\.?|#|code))?)$/u,
];

/** Labels of the second group in further languages; compared in lower case. */
const MORE_SKU_LABELS: ReadonlySet<string> = new Set(
  `ugs|cod|cód|cod. produs|cod. articol|cod. prodotto|sku produs|n° article|n° d'article|no. article|best.-nr|best. nr|nr. art|art. nr|referència|ref. producto|ref. produto|erreferentzia|artigo
artikkel|artikkelnummer|artikelkode|varekode|vörunúmer|tuotenro|tuote nro|tuotteen koodi|kodi|kodi i produktit|kodi i artikullit
шифра|шифра производа|шифра на производ|продуктов код|код на продукта|код на продукт|каталожен номер|кат. номер|артикулен номер|номенклатурный номер|модель/артикул|код виробу|код продукту|каталожний номер
αρ. προϊόντος|κωδ|κωδ. προϊόντος|κωδικος|პროდუქტის კოდი|კოდი|არტიკული|կոդ|ապրանքի կոդ|məhsulun kodu|məhsul kodu|mahsulot kodi|artikul|барааны код|ürün no|model kodu|barkod no
شناسه محصول|کد محصول|کد کالا|كود المنتج|رمز التخزين|رقم القطعة|מספר פריט|מק"ט:|उत्पाद कोड|পণ্য কোড|kod produk|kode barang|kode produk|รหัส|mã|mã sp|mã hàng|mã sản phẩm
型番|商品代碼|商品貨號|產品編號|产品编号|產品型號|产品型号|商品管理番号|管理番号|製品番号|제품번호|품번|제품코드|모델번호`.split(
    /[|\n]/,
  ),
);

/** Index of the group of article number labels that contains a label; -1: none. */
export function skuLabelGroup(label: string): number {
  if (MORE_SKU_LABELS.has(label)) return 1;
  return SKU_LABELS.findIndex((labels) => labels.test(label));
}

/** Labels of a brand or manufacturer; compared in lower case. */
export const BRAND_LABELS: ReadonlySet<string> = new Set(
  `brand|brands|brand name|product brand|marke|marken|produktmarke|marque|marques|marca|marcas|marca/produttore|merk|merken|märke|varumärke|märken|varemerke|merke|merkevare|mærke|varemærke|merkki|tuotemerkki|brändi|valmistaja
značka|značky|marka|marki|marka producenta|márka|márkanév|brend|brand/marke|robna marka|blagovna znamka|znamka|zīmols|prekės ženklas|prekinis ženklas|kaubamärk|bränd|vörumerki|marcă|marka ürün
manufacturer|manufactured by|hersteller|fabricant|fabricante|produttore|produttore/marca|fabrikant|producent|výrobce|výrobca|gyártó|producător|producator|proizvođač|proizvajalec|ražotājs|gamintojas|tootja|tillverkare|produsent|üretici|prodhuesi|framleiðandi
производители|виробники|бренды|бренди|manufacturers|fabricantes|fabricants|produttori|producenci|výrobci|výrobcovia|proizvođači|proizvajalci|producători|üreticiler
бренд|торговая марка|торгова марка|производитель|виробник|марка|брэнд|вытворца|производител|произвођач|изготовитель|фирма|фирма-производитель|өндіруші|брендi|үйлдвэрлэгч
μάρκα|μαρκα|κατασκευαστής|εταιρεία|ბრენდი|მწარმოებელი|բրենդ|արտադրող|ապրանքանիշ|istehsalçı|ishlab chiqaruvchi
מותג|יצרן|العلامة التجارية|الماركة|ماركة|البراند|براند|الشركة المصنعة|الشركة|العلامه التجاريه|برند|سازنده|برانڈ|ब्रांड|निर्माता|ব্র্যান্ড|பிராண்ட்
thương hiệu|hãng|hãng sản xuất|nhãn hiệu|nhà sản xuất|ยี่ห้อ|แบรนด์|merek|jenama|tatak|ម៉ាក
メーカー|メーカー名|ブランド|ブランド名|製造元|品牌|品牌名称|品牌名稱|廠牌|厂牌|廠商|制造商|製造商|브랜드|브랜드명|제조사|제조사/브랜드|상표
make|make / manufacturer|make/manufacturer|label|studio`.split(/[|\n]/),
);

/** Countries that shops print after the label "manufacturer": the place of manufacture, not a brand. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  `china|prc|p.r.c.|germany|italy|france|spain|portugal|poland|czech republic|turkey|india|vietnam|japan|korea|south korea|taiwan|thailand|usa|united states|united kingdom|great britain|england|switzerland|austria|netherlands|belgium|denmark|sweden|norway|finland|russia|belarus|ukraine|bangladesh|pakistan|indonesia|malaysia|mexico|brazil|eu|european union
deutschland|italien|frankreich|spanien|polen|tschechien|türkei|indien|schweiz|österreich|niederlande|eu-import|chine|allemagne|italie|espagne|pologne|turquie|suisse|alemania|italia|francia|españa|alemanha|itália|frança|cina|germania|chiny|niemcy|włochy|francja|hiszpania|polska|turcja|čína|německo|itálie|polsko|nemecko|česká republika|slovensko|németország|kína|olaszország|románia|românia
китай|кнр|россия|рф|беларусь|белоруссия|украина|германия|италия|франция|испания|польша|турция|индия|япония|корея|южная корея|сша|чехия|швейцария|україна|польща|німеччина|італія|туреччина|中国|中國|日本|韩国|韓國|台灣|德国|德國|한국|중국|일본`.split(
    /[|\n]/,
  ),
);

/** Whether a folded text is a label of an article number or brand. */
export function isKnownLabel(label: string): boolean {
  return BRAND_LABELS.has(label) || skuLabelGroup(label) >= 0;
}

const BEFORE_LABEL = ' \u00A0\t\n•·*–—-';
const AFTER_LABEL = ' \u00A0\t\n:：#.–—-';

/** Folds a label: lower case, without colon and bullet. Called for every short text of a page. */
export function foldLabel(label: string): string {
  let from = 0;
  let to = label.length;
  while (from < to && BEFORE_LABEL.includes(label.charAt(from))) from++;
  while (from < to && AFTER_LABEL.includes(label.charAt(to - 1))) to--;
  // Turkish İ in lower case leaves a combining dot above
  return label
    .slice(from, to)
    .toLowerCase()
    .replace(/\u0307/g, '')
    .replace(/\s+/g, ' ');
}
