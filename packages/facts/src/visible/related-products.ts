import type { El, HtmlDocument, PageIndex } from '@touchstone/page/document';
import { MARK } from './marks.ts';

/** A run of text, like `Run` in region.ts. */
interface Text {
  readonly at: number;
  readonly text: string;
  readonly owner: El;
  readonly marks: number;
}

/** Titles of lists of other products, in many languages. */
const RELATED_TITLE =
  /^(?:you (?:may|might) (?:also )?(?:like|love|be interested)|you'll (?:also )?love|(?:customers|people|shoppers|others) (?:who |also )|related (?:products|items)|similar (?:products|items)|recommended (?:for|products|items)?|recently viewed|your recently viewed|frequently bought|often bought|complete the (?:look|set|outfit)|shop the look|pair(?:s well)? (?:it )?with|goes (?:well|great) with|more (?:from|like this|products|items)|other (?:products|customers|items)|best ?sellers|trending|das könnte (?:ihnen|dir|sie)|ähnliche|kunden (?:kauften|haben|interessierten)|wird oft zusammen|passend dazu|passende|zuletzt angesehen|zubehör|weitere (?:artikel|produkte)|vous aimerez|vous pourriez|produits (?:similaires|associés|complémentaires|apparentés)|les clients|récemment consultés|fréquemment achetés|dans la même catégorie|también te|te puede|productos (?:relacionados|similares)|quizás|los clientes|ti potrebbe|potrebbe(?:ro)? (?:interessarti|piacerti)|prodotti (?:correlati|simili)|articoli simili|chi ha (?:acquistato|comprato)|você também|quem (?:viu|comprou)|produtos (?:relacionados|similares|semelhantes)|misschien vind|gerelateerde|vergelijkbare|anderen bekeken|klanten (?:kochten|bekeken)|podobne produkty|polecane|polecamy|zobacz (?:też|również)|klienci|może (?:ci|cię)|inni (?:klienci|kupili)|související|podobné|mohlo by|zákazníci|doporučujeme|odporúčame|súvisiace|kapcsolódó|hasonló|ezt is|mások|produse (?:similare|asemănătoare|recomandate)|alții|похожие|рекомендуем|с этим (?:товаром|покупают)|вам (?:может|также)|сопутствующие|недавно|схожі|разом з|povezani|slični|podobni|sorodni|liknande|relaterade|andra (?:köpte|kunder)|lignende|relaterede|andre (?:købte|kjøpte|kunder)|samankaltais|muut asiakkaat|benzer|ilgili ürünler|bunlar da|関連商品|おすすめ|この商品を|最近|相关|相關|猜你喜欢|추천|관련|함께|sản phẩm (?:liên quan|tương tự)|produk (?:terkait|serupa))/iu;
const LONGEST_TITLE = 60;
/** Levels above a title among which the box that it heads is searched. */
const LEVELS = 4;

/** Marks the runs under a title such as "You may also like" as being about other products. */
export function markRelatedProducts<T extends Text>(
  doc: HtmlDocument,
  index: PageIndex,
  heading: El,
  runs: readonly T[],
): T[] {
  const panels: El[] = [];
  let until = -1;
  const marked = runs.map((run) => {
    if (run.at >= heading.textTo && isTitle(run)) {
      const tab = tabOf(doc, run.owner);
      if (tab === undefined) until = Math.max(until, relatedEnd(doc, heading, run));
      else if (panels.length < MOST_PANELS) panels.push(...panelOf(doc, index, tab, heading));
    }
    return run.at < until ? { ...run, marks: run.marks | MARK.related } : run;
  });
  if (panels.length === 0) return marked;
  return marked.map((run) =>
    panels.some(({ textFrom, textTo }) => run.at >= textFrom && run.at < textTo)
      ? { ...run, marks: run.marks | MARK.related }
      : run,
  );
}

const MOST_PANELS = 20;

function isTitle({ text, marks }: Text): boolean {
  return (marks & MARK.linkAway) === 0 && isRelatedTitle(text);
}

/** Whether a text is the title of a list of other products, such as "You may also like". */
export function isRelatedTitle(text: string): boolean {
  return text.length <= LONGEST_TITLE && RELATED_TITLE.test(text);
}

/** End of the box that a title heads, as a run index of the document. A box with only the title heads the next sibling. */
function relatedEnd(doc: HtmlDocument, heading: El, { at, owner }: Text): number {
  let box: El = owner;
  for (let level = 0; level < LEVELS && box.parent !== null && !doc.contains(box.parent, heading); level++)
    box = box.parent;
  if (box.textTo > at + 1) return box.textTo;
  const next = doc.elements[box.end];
  return next !== undefined && next.parent === box.parent ? next.textTo : box.textTo;
}

/** The tab whose label the title is, if any: it heads a panel elsewhere in the page, not the box around the tab. */
function tabOf(doc: HtmlDocument, owner: El): El | undefined {
  let el: El | null = owner;
  for (let level = 0; level < TAB_LEVELS && el !== null && el.textTo - el.textFrom <= TAB_RUNS; level++) {
    if (doc.attr(el, 'role') === 'tab' || targetOf(doc, el) !== undefined) return el;
    el = el.parent;
  }
  return undefined;
}

const TAB_LEVELS = 3;
/** A tab may have a count next to its title. */
const TAB_RUNS = 2;

/** The id of a tab's panel. */
function targetOf(doc: HtmlDocument, el: El): string | undefined {
  const href = el.name === 'a' ? doc.attr(el, 'href') : undefined;
  const target =
    href ?? doc.attr(el, 'data-target') ?? doc.attr(el, 'data-bs-target') ?? doc.attr(el, 'aria-controls');
  if (target === undefined || target === href)
    return href?.startsWith('#') === true ? href.slice(1) : undefined;
  return target.replace(/^#/, '');
}

/** The panel of a tab, if its markup names one that does not contain the product's heading. */
function panelOf(doc: HtmlDocument, index: PageIndex, tab: El, heading: El): El[] {
  const id = targetOf(doc, tab);
  const panel = id === undefined || id === '' ? undefined : index.byId.get(id);
  return panel === undefined || doc.contains(panel, heading) ? [] : [panel];
}
