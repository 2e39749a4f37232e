import type { FactCandidates } from '../fact-candidates.ts';
import type { Findings } from '../findings.ts';
import { MARK } from './marks.ts';
import type { Region } from './region.ts';

/** What a page prints where it gives its price only on request. */
const ON_REQUEST =
  /^\W*(?:price (?:on|upon|by) (?:request|application|enquiry|inquiry)|p\.?o\.?a\.?|(?:call|ask|contact us|inquire|enquire|request) for (?:a )?(?:price|pricing|quote)|request (?:a )?(?:price|quote)|get a quote|preis auf anfrage|preis anfragen|prix sur (?:demande|devis)|demander (?:un devis|le prix)|precio (?:a consultar|bajo (?:petición|consulta))|(?:consultar|solicitar) precio|prezzo su richiesta|richiedi (?:il )?(?:prezzo|preventivo)|preço (?:sob|a) (?:consulta|pedido)|(?:consultar|sob) (?:o )?preço|prijs op aanvraag|cena na (?:zapytanie|telefon|dotaz|vyžádání|vyžiadanie|upit)|zapytaj o cenę|ár (?:kérésre|egyeztetés)|preț la cerere|цена (?:по запросу|договорная)|(?:уточнить|узнать|запросить) цену|ціна (?:за запитом|договірна)|(?:уточнити|дізнатися|запитати) ціну|цена при запитване|pris på (?:förfrågan|forespørsel|forespørgsel)|hinta pyydettäessä|fiyat (?:sorunuz|alınız|isteyin)|価格はお問い合わせ|お問い合わせください|询价|詢價|가격 ?문의|السعر عند الطلب|מחיר לפי פנייה)\W*$/iu;
/** Runs around the heading within which it is the product's price that is asked for. */
const BEFORE = 5;
const BEHIND = 120;

/** Takes away prices of zero where the page asks its readers to ask for the price: zero stands there for none. */
export function withoutZeroOnRequest(region: Region, out: FactCandidates, findings: Findings): void {
  const zero = out.price.find(({ value }) => Number(value) === 0);
  if (zero === undefined || !isOnRequest(region)) return;
  findings.add('price_on_request', `${zero.source} ${zero.field}.`);
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
