import type { FactCandidates } from '../fact-candidates.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** Maximum runs after the heading within which a count of products refers to it. */
const BEHIND = 3;
const COUNT =
  /^\(?\d[\d\s.,\u00A0\u202F]*\s*(?:products?|items?|results?|articles?|produkte?|artikel|ergebnisse|produits?|résultats?|productos?|artículos?|resultados?|prodotti|articoli|risultati|produtos?|artigos?|producten|artikelen|resultaten|produkt(?:y|ów|ů)|výrobků|termék|produse|produs|товар(?:а|ов|ів|и)?|продукт(?:а|ов|и)?|resultat|produkter|varer|tuotetta|ürün|個の商品|상품|sản phẩm|produk|منتجات?|מוצרים)\)?$/iu;
/** A sort control. Reviews have one too, but not right after the product's name. */
const SORT =
  /^(?:sort(?:ed)? by|order by|trier par|trié par|sortier(?:en nach|ung)|ordenar por|ordina per|sorteren op|sorteer op|sortuj(?: według| po)?|sortowanie|seřadit(?: podle)?|řadit podle|zoradiť podľa|rendezés|sorteaza dupa|sortează după|sortera efter|sorter etter|sortér efter|сортировать(?: по)?|сортировка|сортувати(?: за)?|сортування|подреди по|ταξινόμηση|sıralama|sırala|並び替え|排序|정렬|sắp xếp(?: theo)?|urutkan)\s*[:：]?$/iu;

/**
 * Whether the page is a list of products: a count of products or a sort control follows the heading. Some lists mark
 * themselves up as one product with the lowest price of all. Pages with an article number or a price that is not the low
 * end of a range are never treated as lists.
 */
export function isCountedListing({ runs }: Region, { price, sku }: FactCandidates): boolean {
  if (sku.length > 0 || price.some(({ field }) => !/(?:lowPrice|minPrice)$/.test(field))) return false;
  return runs.some(
    ({ text, distance }, i) =>
      distance > 0 &&
      distance <= BEHIND &&
      text.length <= 30 &&
      (COUNT.test(text) || SORT.test(text) || isNumberBefore(runs, i)),
  );
}

/** Whether a run is a number, followed by a word for products in another run. */
function isNumberBefore(runs: readonly Run[], i: number): boolean {
  const [number, word] = [runs[i], runs[i + 1]];
  return (
    number !== undefined &&
    word !== undefined &&
    word.text.length <= 20 &&
    /^\d[\d\s.,\u00A0\u202F]*$/.test(number.text) &&
    sameBlock(number, word) &&
    COUNT.test(`${number.text} ${word.text}`)
  );
}
