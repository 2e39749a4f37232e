import type { El, HtmlDocument } from '@touchstone/page/document';
import { foldLabel, isKnownLabel } from './label-words.ts';
import { MARK } from './marks.ts';
import type { Region, Run } from './region.ts';

/** Maximum levels above a text, and maximum runs, of a card of another product. */
const CARD_LEVELS = 5;
const CARD_RUNS = 25;

/** Whether a run is in a card that begins with a link to another page; `one of several` if a similar card is adjacent. */
export function cardOf(region: Region, i: number, run: Run): 'none' | 'single' | 'one of several' {
  let found: 'none' | 'single' = 'none';
  let card: El | null = run.owner;
  for (let level = 0; level < CARD_LEVELS && card !== null; level++, card = card.parent) {
    if (region.doc.contains(card, region.heading) || card.textTo - card.textFrom > CARD_RUNS) break;
    if (found === 'none' && !hasLinkBefore(region, i, card)) continue;
    found = 'single';
    if (hasLike(region, card)) return 'one of several';
  }
  return found;
}

export function inOtherCard(region: Region, i: number, run: Run): boolean {
  return cardOf(region, i, run) !== 'none';
}

function hasLinkBefore({ doc, runs }: Region, i: number, card: El): boolean {
  for (let j = i - 1; j >= 0; j--) {
    doc.work.spend();
    const before = runs[j] as Run;
    if (before.at < card.textFrom) return false;
    // a card's title contains words: a linked number is an article number in a table of articles
    if ((before.marks & MARK.linkAway) === 0 || before.text.trim().length < 8 || !/\p{L}/u.test(before.text))
      continue;
    if (!isValue(runs[j - 1]?.text ?? '') && !isInformation(before.text)) return true;
  }
  return false;
}

/** Whether a text is a label, so that what follows is its value, such as a brand, and not a card's title. */
function isValue(before: string): boolean {
  return /[:：]\s*$/.test(before) || (before.length <= LONGEST_LABEL && isKnownLabel(foldLabel(before)));
}

const LONGEST_LABEL = 30;

/** Whether a link leads to further information, such as shipping costs, and not to another product. */
export function isInformation(text: string): boolean {
  const words = text.trim();
  return MORE.test(words) || (words.length <= LONGEST_LABEL && COSTS.test(words));
}

const COSTS =
  /versand|liefer|gebühr|\bshipping\b|\bdelivery\b|\breturns?\b|livraison|frais de|env[ií]o\b|gastos de|spedizion|frete|verzend|bezorg|dostaw|wysyłk|doprav|доставк|szállít|frakt|fragt|toimitus|kargo|livrare/iu;

/** Texts of links to further information. */
const MORE =
  /^(?:learn more|read more|more info(?:rmation)?|(?:see |view |more )?details|how it works|mehr (?:erfahren|infos?|informationen|dazu)|(?:weitere )?(?:details|informationen)|en savoir plus|plus d['’]infos?|(?:voir )?(?:les )?détails|más información|saber más|ver (?:más|detalles)|scopri di più|maggiori informazioni|saiba mais|mais informações|ver detalhes|meer (?:info(?:rmatie)?|weten)|dowiedz się więcej|więcej informacji|szczegóły|více informací|zjistit více|podrobnosti|подробнее|узнать больше|докладніше|детальніше|läs mer|les mere?|læs mere|lue lisää|daha fazla(?: bilgi)?|detaylar|詳細|詳しく|了解更多|자세히)\W*$/iu;

/** Whether an adjacent sibling has the same tag and class, and also a link to another page. */
function hasLike(region: Region, card: El): boolean {
  const { doc } = region;
  const className = doc.attr(card, 'class');
  return [doc.elements[card.end], elementBefore(doc, card)].some(
    (el) =>
      el !== undefined &&
      el.parent === card.parent &&
      el.name === card.name &&
      doc.attr(el, 'class') === className &&
      hasLink(region, el),
  );
}

export function hasLink({ doc, around }: Region, el: El): boolean {
  const to = Math.min(el.end, el.index + CARD_ELEMENTS);
  for (let i = el.index; i < to; i++) {
    const inner = doc.elements[i];
    if (inner !== undefined && (around.own(inner) & MARK.linkAway) !== 0) return true;
  }
  return false;
}

const CARD_ELEMENTS = 100;

function elementBefore(doc: HtmlDocument, el: El): El | undefined {
  let before = doc.elements[el.index - 1];
  while (before !== undefined && before.depth > el.depth && before.parent !== null) {
    doc.work.spend();
    before = before.parent;
  }
  return before;
}
