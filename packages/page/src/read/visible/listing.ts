import type { FactCandidates } from '../fact-candidates.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** Runs behind the heading within which a count of products is of what the heading names. */
const BEHIND = 3;
const COUNT =
  /^\(?\d[\d\s.,\u00A0\u202F]*\s*(?:products?|items?|results?|articles?|produkte?|artikel|ergebnisse|produits?|résultats?|productos?|artículos?|resultados?|prodotti|articoli|risultati|produtos?|artigos?|producten|artikelen|resultaten|produkt(?:y|ów|ů)|výrobků|termék|produse|produs|товар(?:а|ов|ів|и)?|продукт(?:а|ов|и)?|resultat|produkter|varer|tuotetta|ürün|個の商品|상품|sản phẩm|produk|منتجات?|מוצרים)\)?$/iu;
/** The control that puts a list in order; reviews have one too, but not right behind the product's name. */
const SORT =
  /^(?:sort(?:ed)? by|order by|trier par|trié par|sortier(?:en nach|ung)|ordenar por|ordina per|sorteren op|sorteer op|sortuj(?: według| po)?|sortowanie|seřadit(?: podle)?|řadit podle|zoradiť podľa|rendezés|sorteaza dupa|sortează după|sortera efter|sorter etter|sortér efter|сортировать(?: по)?|сортировка|сортувати(?: за)?|сортування|подреди по|ταξινόμηση|sıralama|sırala|並び替え|排序|정렬|sắp xếp(?: theo)?|urutkan)\s*[:：]?$/iu;

/**
 * Whether the page is a list of what its heading names, by the count of products or the control to sort them behind it: some mark themselves up as one
 * product with the lowest price of all, which no product's own page does without a number or a price of its own.
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

/** A number in an element of its own, and the word for products behind it. */
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
