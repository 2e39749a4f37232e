import type { Findings } from '@touchstone/page/document';
import type { FactCandidates } from '../fact-candidates.ts';
import { MARK } from './marks.ts';
import type { Region } from './region.ts';

/** Phrases of pages that give the price only on request. */
const ON_REQUEST =
  /^\W*(?:price (?:on|upon|by) (?:request|application|enquiry|inquiry)|p\.?o\.?a\.?|(?:call|ask|contact us|inquire|enquire|request) for (?:a )?(?:price|pricing|quote)|request (?:a )?(?:price|quote)|get a quote|preis auf anfrage|preis anfragen|prix sur (?:demande|devis)|demander (?:un devis|le prix)|precio (?:a consultar|bajo (?:petición|consulta))|(?:consultar|solicitar) precio|prezzo su richiesta|richiedi (?:il )?(?:prezzo|preventivo)|preço (?:sob|a) (?:consulta|pedido)|(?:consultar|sob) (?:o )?preço|prijs op aanvraag|cena na (?:zapytanie|telefon|dotaz|vyžádání|vyžiadanie|upit)|zapytaj o cenę|ár (?:kérésre|egyeztetés)|preț la cerere|цена (?:по запросу|договорная)|(?:уточнить|узнать|запросить) цену|ціна (?:за запитом|договірна)|(?:уточнити|дізнатися|запитати) ціну|цена при запитване|pris på (?:förfrågan|forespørsel|forespørgsel)|hinta pyydettäessä|fiyat (?:sorunuz|alınız|isteyin)|価格はお問い合わせ|お問い合わせください|询价|詢價|가격 ?문의|السعر عند الطلب|מחיר לפי פנייה)\W*$/iu;
/** Maximum runs before and after the heading within which such a phrase refers to the product. */
const BEFORE = 5;
const BEHIND = 120;

/**
 * Removes prices of zero if the page gives its price only on request, or if it hides the cart form and prints no zero:
 * there, zero means that there is no price.
 */
export function withoutZeroOnRequest(region: Region, out: FactCandidates, findings: Findings): void {
  const zero = out.price.find(({ value }) => Number(value) === 0);
  if (zero === undefined) return;
  if (isOnRequest(region)) findings.add('price_on_request', `${zero.source} ${zero.field}.`);
  else if (hidesItsCart(region) && !printsZero(region))
    findings.add('price_zero_unavailable', `${zero.source} ${zero.field}.`);
  else return;
  out.price = out.price.filter(({ value }) => Number(value) !== 0);
}

function isOnRequest({ runs }: Region): boolean {
  return runs.some(
    ({ text, distance, marks }) =>
      distance >= -BEFORE &&
      distance <= BEHIND &&
      (marks & (MARK.related | MARK.frame | MARK.talk)) === 0 &&
      ON_REQUEST.test(text),
  );
}

/** Whether the page has cart forms and all of them are hidden: the shop lists a product that it does not sell online. */
function hidesItsCart({ doc }: Region): boolean {
  let hidden = false;
  for (const el of doc.elements) {
    if (el.name !== 'form' || !CART_FORM.test(doc.attr(el, 'action') ?? '')) continue;
    if (!doc.hasAttr(el, 'hidden')) return false;
    hidden = true;
  }
  return hidden;
}

const CART_FORM = /cart\/add|add-?_?to-?_?(?:cart|basket)/i;

/** Whether a zero, or a word such as "free", is printed after the heading. A zero before it is the cart's total. */
function printsZero({ runs }: Region): boolean {
  return runs.some(
    ({ text, distance, marks }) =>
      distance > 0 && (marks & MARK.frame) === 0 && text.length <= 30 && ZERO.test(text),
  );
}

const ZERO =
  /^\D{0,6}0(?:[.,]0{1,2})?\D{0,6}$|^(?:for )?(?:free|gratis|kostenlos|gratuite?|grátis|darmow\p{L}+|zdarma|ingyen\p{L}*|бесплатно|безкоштовно|ücretsiz|無料|免费|免費|무료)$/iu;
