import type { El, HtmlDocument } from '../dom/document.ts';
import { MARK } from './marks.ts';
import type { Run } from './region.ts';

/** Titles over other products, as shops in many languages print them. */
const SHELF_TITLE =
  /^(?:you (?:may|might) (?:also )?(?:like|love|be interested)|you'll (?:also )?love|(?:customers|people|shoppers|others) (?:who |also )|related (?:products|items)|similar (?:products|items)|recommended (?:for|products|items)?|recently viewed|your recently viewed|frequently bought|often bought|complete the (?:look|set|outfit)|shop the look|pair(?:s well)? (?:it )?with|goes (?:well|great) with|more (?:from|like this|products|items)|other (?:products|customers|items)|best ?sellers|trending|das könnte (?:ihnen|dir|sie)|ähnliche|kunden (?:kauften|haben|interessierten)|wird oft zusammen|passend dazu|passende|zuletzt angesehen|zubehör|weitere (?:artikel|produkte)|vous aimerez|vous pourriez|produits (?:similaires|associés|complémentaires|apparentés)|les clients|récemment consultés|fréquemment achetés|dans la même catégorie|también te|te puede|productos (?:relacionados|similares)|quizás|los clientes|ti potrebbe|potrebbe(?:ro)? (?:interessarti|piacerti)|prodotti (?:correlati|simili)|articoli simili|chi ha (?:acquistato|comprato)|você também|quem (?:viu|comprou)|produtos (?:relacionados|similares|semelhantes)|misschien vind|gerelateerde|vergelijkbare|anderen bekeken|klanten (?:kochten|bekeken)|podobne produkty|polecane|polecamy|zobacz (?:też|również)|klienci|może (?:ci|cię)|inni (?:klienci|kupili)|související|podobné|mohlo by|zákazníci|doporučujeme|odporúčame|súvisiace|kapcsolódó|hasonló|ezt is|mások|produse (?:similare|asemănătoare|recomandate)|alții|похожие|рекомендуем|с этим (?:товаром|покупают)|вам (?:может|также)|сопутствующие|недавно|схожі|разом з|povezani|slični|podobni|sorodni|liknande|relaterade|andra (?:köpte|kunder)|lignende|relaterede|andre (?:købte|kjøpte|kunder)|samankaltais|muut asiakkaat|benzer|ilgili ürünler|bunlar da|関連商品|おすすめ|この商品を|最近|相关|相關|猜你喜欢|추천|관련|함께|sản phẩm (?:liên quan|tương tự)|produk (?:terkait|serupa))/iu;
const LONGEST_TITLE = 60;
/** Levels above a title within which it heads a box of its own. */
const LEVELS = 4;

/** Marks the runs under a title such as "You may also like" as being about other products. */
export function markShelves(doc: HtmlDocument, heading: El, runs: readonly Run[]): Run[] {
  let until = -1;
  return runs.map((run) => {
    if (run.at >= heading.textTo && isTitle(run)) until = Math.max(until, shelfEnd(doc, heading, run));
    return run.at < until ? { ...run, marks: run.marks | MARK.related } : run;
  });
}

function isTitle({ text, marks }: Run): boolean {
  return text.length <= LONGEST_TITLE && (marks & MARK.linkAway) === 0 && SHELF_TITLE.test(text);
}

/** Where the box that the title heads ends, in runs of the document; a title alone heads the box behind it. */
function shelfEnd(doc: HtmlDocument, heading: El, { at, owner }: Run): number {
  let box: El = owner;
  for (let level = 0; level < LEVELS && box.parent !== null && !doc.contains(box.parent, heading); level++)
    box = box.parent;
  if (box.textTo > at + 1) return box.textTo;
  const next = doc.elements[box.end];
  return next !== undefined && next.parent === box.parent ? next.textTo : box.textTo;
}
