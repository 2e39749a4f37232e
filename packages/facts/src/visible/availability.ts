import type { El } from '@touchstone/page/document';
import type { FactCandidate } from '../fact-candidates.ts';
import { isUnbuyable, phraseValue } from '../values/availability.ts';
import { CHOICE, SHOWN_AVAILABILITY } from '../weights.ts';
import { inOtherCard, isInformation } from './cards.ts';
import { MARK } from './marks.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** Texts of controls for buying and, below, for contacting a seller; their presence implies availability. */
const BUY_WORDS =
  /^(?:\W*)(?:(?:add (?:item )?)?(?:to|in) (?:my |your )?(?:cart|bag|basket|trolley)|add (?:item )?to (?:my |your |shopping )?(?:cart|bag|basket|trolley)|buy(?: it)?(?: now)?|order now|purchase|place (?:a )?bid|in den (?:warenkorb|einkaufswagen)|in (?:den )?(?:warenkorb|einkaufswagen)(?: legen)?|jetzt (?:kaufen|bestellen)|sofort[- ]kaufen|kaufen|bestellen|ajouter (?:cet article )?au (?:panier|chariot)|acheter(?: cet article| maintenant)?|commander|achat immédiat|aggiungi al carrello|acquista(?: ora| subito)?|compralo subito|añadir (?:al carrito|a la (?:cesta|bolsa))|agregar al carrito|comprar(?: ahora| agora| já)?|adicionar ao carrinho|adicionar|in winkel(?:wagen|mand)(?:je)?|toevoegen aan winkel|do koszyka|dodaj do koszyka|kup teraz|kupuję|(?:vložit |přidat )?do košíku|koupit|kúpiť|(?:vložiť |pridať )?do košíka|kosárba|megveszem|adaugă în coș|adauga in cos|adaugă(?: in)? (?:în )?cos|cumpără|купить|в корзину|добавить в корзину|заказать|купити|в кошик|додати в кошик|в количка|купи|u košaricu|dodaj u (?:košaricu|korpu)|v košarico|dodaj v košarico|kupi|naroči|ielikt grozā|pirkt|į krepšelį|pirkti|lisa (?:ostu)?korvi|osta|lägg i (?:varukorg|kundvagn)(?:en)?|köp|legg i handlekurv|kjøp|læg i (?:kurv|indkøbskurv)(?:en)?|køb|lisää ostoskoriin|sepete ekle|satın al|hemen al|προσθήκη στο καλάθι|στο καλάθι|αγορά|הוסף לסל|הוספה לסל|קנה עכשיו|לרכישה|(?:أضف|اضف|إضافة|اضافة|أضِف) (?:إلى|الى|لل?)\s*(?:ال)?(?:سلة|عربة|حقيبة)|اشتر|カートに入れる|今すぐ買う|購入|加入购物车|加入購物車|立即购买|立即購買|장바구니|구매하기|바로구매|หยิบใส่ตะกร้า|ซื้อเลย|thêm vào giỏ|mua ngay|beli sekarang|tambah ke keranjang)(?:\W|$)/u;
const CONTACT_WORDS =
  /^(?:\W*)(?:reply|contact (?:the )?(?:seller|owner|advertiser|us about)|(?:send|write) (?:a )?message|message seller|chat with seller|email (?:the )?seller|call (?:the )?seller|show (?:phone|number)|e-?mail (?:user|owner|advertiser|me)|contact (?:user|me)|make (?:an )?offer|nachricht (?:schreiben|senden)|anbieter kontaktieren|verkäufer kontaktieren|kontakt(?:ieren)?|anfrage senden|contacter (?:le vendeur|l'annonceur)|envoyer un message|contatta(?: il venditore)?|contactar(?: con el)?(?: vendedor| anunciante)?|enviar mensaje|contacteer|bericht sturen|wyślij wiadomość|napisz|zadzwoń|kontaktovat|napsat prodejci|написать(?: продавцу)?|позвонить|показать телефон|kontaktiraj)(?:\W|$)/u;
/** Words showing that a phrase is not about the product: an image, a delivery method, a list, one option. */
const OTHER_THING =
  /\b(?:images?|pictures?|photos?|videos?|previews?|foto|bild|list|wish ?list|reviews?|rewards?|pick ?up|collection|click|in-store|in stores?|zip|this size|this colou?r|option)\b|\b(?:check|prüfen|vérifier|comprobar|verifica|sprawdź|ověřit)|filial|magasin|\btiendas?\b|negozi|prodejn|店舗|매장|(?:\d+|mehreren|plusieurs|varios|vari|různých) (?:colou?rs?|farben|couleurs|coloris|colores|colori|cores|kleuren|kolor|barv|sizes|größen|tailles|tallas|taglie|maten|rozmiar)|available (?:in|for|at) (?:selected|other)|not available (?:in|for) (?:your|some|selected|all)/u;

interface Evidence {
  readonly value: string;
  readonly weight: number;
  readonly field: string;
}

/** Candidates for the availability that the page shows: from a phrase, else inferred from controls for buying. */
export function availabilityCandidates(region: Region): ShownAvailability {
  const controls = region.runs.flatMap((run, i) =>
    isBuyControl(run) && (!inOtherCard(region, i, run) || region.around.inOwnForm(run.owner)) ? [i] : [],
  );
  const unbuyable = region.runs.some(
    ({ text }) => text.length <= LONGEST_PHRASE && isUnbuyable(text.toLowerCase()),
  );
  // scripts usually enable disabled buttons later, unless the page says that the product cannot be bought
  const buys = unbuyable ? controls.filter((i) => !isDisabled(region, region.runs[i] as Run)) : controls;
  const phrases = region.runs.flatMap((run, i) => phraseAt(region, i, run, buys) ?? []);
  const [best] = phrases.toSorted((a, b) => b.weight - a.weight);
  const buy = buys.length > 0 || hasCartControl(region, BUY_WORDS);
  const doubtful = best?.value === 'OutOfStock' && best.weight < CHOICE.sureSoldOut && buy;
  if (best !== undefined && !doubtful) {
    const over = best.value === 'OutOfStock' && !buy && hasDisabledControl(region);
    const weight = over ? SHOWN_AVAILABILITY.overStated : best.weight;
    return { candidates: [toCandidate({ ...best, weight })] };
  }
  const unread = region.runs.find((run) => isLeadTime(run))?.text;
  const leadTime = unread === undefined ? {} : { unread };
  if (buy) return { candidates: [inStockBy('text:buy', SHOWN_AVAILABILITY.buyControl)], ...leadTime };
  return region.runs.some(isContactControl)
    ? { candidates: [inStockBy('text:contact', SHOWN_AVAILABILITY.contactControl)], ...leadTime }
    : { candidates: [], ...leadTime };
}

interface ShownAvailability {
  readonly candidates: FactCandidate[];
  /** A lead time, which corresponds to no availability of schema.org. */
  readonly unread?: string;
}

/** An inferred candidate: a product that can be bought or enquired about is in stock. */
function inStockBy(field: string, weight: number): FactCandidate {
  return { value: 'InStock', source: 'html', field, weight, inferred: true };
}

const LEAD_TIME =
  /^(?:usually |normally |typically |item |estimated )?(?:ships?|shipped|sent|dispatch(?:es|ed)?|deliver(?:s|ed)|leaves (?:the )?warehouse|available|made to order|versandfertig|lieferbar|lieferzeit|expédié|livré|disponible|spedito|disponibile|se envía|enviado|verzonden|wysyłka|odesíláme|отправка)\b.{0,25}\d+\s*(?:[-–—]\s*\d+\s*)?(?:\p{L}+ )?(?:days?|weeks?|months?|tage?n?|wochen?|jours?|semaines?|giorni|settimane|días|semanas|dagen|weken|dni|tygodni\p{L}*|dnů|dní|týdn\p{L}*|дн\p{L}*|недел\p{L}*)\b/iu;

function isLeadTime({ text, marks, distance }: Run): boolean {
  return text.length <= 80 && (marks & FOREIGN) === 0 && distance <= MOST_DISTANT && LEAD_TIME.test(text);
}

function toCandidate({ value, weight, field }: Evidence): FactCandidate {
  return { value, source: 'html', field, weight };
}

/** Maximum runs after the heading within which a phrase applies to its product. */
const MOST_DISTANT = 260;
const CONTROL_STATES = 4;
/** Maximum characters of a phrase. */
const LONGEST_PHRASE = 120;
const FOREIGN = MARK.related | MARK.frame | MARK.linkAway | MARK.talk;

/** A label of the stock, at the end of the text before its value. */
const STOCK_LABEL =
  /^(?:\P{L}*\p{L}+\P{L}+)?(?:availab|verfügb|disponib|dispo\b|beschikba|dostupn|dostępn|наличи|наявн|pieejam|elérhet|lagerstatus|lagerbestand|voorraad|stock|stok\b|skladom|sklade|κατάσταση|在庫|库存|재고)\p{L}*\s*[:：]?\s*$/u;

function phraseAt(region: Region, i: number, run: Run, buys: readonly number[]): Evidence | undefined {
  if (run.text.length > LONGEST_PHRASE || (run.marks & FOREIGN) !== 0 || run.distance > MOST_DISTANT)
    return undefined;
  const text = run.text.toLowerCase();
  const value = phraseValue(text);
  if (value === undefined || OTHER_THING.test(text) || isOfOtherThing(region, i)) return undefined;
  // some themes include the badge on every page and show it by CSS
  const badge = value === 'OutOfStock' && isBadge(region, run);
  const named = (run.marks & MARK.stock) !== 0 && !badge;
  const short = text.length <= 45;
  if (!named && !short) return undefined;
  let weight = SHOWN_AVAILABILITY.phrase + Math.abs(run.distance) * SHOWN_AVAILABILITY.added.perRun;
  if (named) weight += SHOWN_AVAILABILITY.added.named;
  const before = region.runs[i - 1]?.text.toLowerCase() ?? '';
  const labelled = STOCK_LABEL.test(before) || STOCK_LABEL.test(text.split(/[:：]/, 1)[0] ?? '');
  if (labelled) weight += SHOWN_AVAILABILITY.added.labelled;
  // a buy control may contain the texts of all its states, one shown at a time
  const near = buys.some((at) => Math.abs(at - i) <= CONTROL_STATES);
  if (value === 'OutOfStock' && !labelled && near && !isUnbuyable(text)) return undefined;
  // that one size is sold out says nothing about the product
  if (isOption(run) || inOtherCard(region, i, run)) return undefined;
  return { value, weight, field: 'text:availability' };
}

/** Whether the preceding text in the same small element names what is unavailable: a delivery method. */
function isOfOtherThing({ runs }: Region, i: number): boolean {
  const [before, run] = [runs[i - 1], runs[i]];
  if (before === undefined || run === undefined || before.text.length > 40) return false;
  return DELIVERY.test(before.text) && sameBlock(before, run);
}

const DELIVERY =
  /^\W*(?:(?:store |free |in-store |curbside )?pick[- ]?up|(?:home |same[- ]day |express )?delivery|shipping|click (?:&|and) collect|abholung|lieferung|versand|retrait|livraison|recogida|envío|ritiro|consegna|odbiór|dostawa|самовывоз|доставка)\W*$/i;

/** Whether the element's class names it a badge for the stock. */
function isBadge({ doc, around }: Region, { owner }: Run): boolean {
  return (around.own(owner) & MARK.stock) !== 0 && /\bbadge/i.test(doc.attr(owner, 'class') ?? '');
}

function isOption(run: Run): boolean {
  for (let el = run.owner, level = 0; level < 4; level++) {
    if (el.name === 'option' || el.name === 'select' || el.name === 'label') return true;
    if (el.parent === null) return false;
    el = el.parent;
  }
  return false;
}

function isDisabled({ doc }: Region, run: Run): boolean {
  for (let el: El | null = run.owner, level = 0; el !== null && level < 4; el = el.parent, level++)
    if (el.name === 'button') return doc.hasAttr(el, 'disabled');
  return false;
}

const CONTROLS: ReadonlySet<string> = new Set([
  'button',
  'a',
  'label',
  'span',
  'div',
  'strong',
  'b',
  'em',
  'p',
]);

function isControl(run: Run, words: RegExp): boolean {
  if ((run.marks & (MARK.related | MARK.frame | MARK.talk)) !== 0 || run.text.length > 40) return false;
  if (!words.test(run.text.toLowerCase())) return false;
  for (let el = run.owner, level = 0; level < 4; level++) {
    if (el.name === 'button' || el.name === 'a' || el.name === 'form') return true;
    if (el.parent === null || !CONTROLS.has(el.name)) return false;
    el = el.parent;
  }
  return false;
}

function isBuyControl(run: Run): boolean {
  return (
    isControl(run, BUY_WORDS) ||
    ((run.marks & MARK.buy) !== 0 &&
      run.text.length <= 40 &&
      (run.marks & FOREIGN) === 0 &&
      BUY_WORDS.test(run.text.toLowerCase()))
  );
}

function isContactControl(run: Run): boolean {
  return isControl(run, CONTACT_WORDS);
}

/** Names in code for controls that add a product to the cart. */
const ADD_TO_CART =
  /add-?_?to-?_?(?:cart|basket|bag|trolley)|(?:cart|basket)[-_/]add|tocart|buy-?_?now|buy-?_?(?:button|btn)|(?:button|btn)-?_?buy|in-?den-?warenkorb|single_add_to_cart/i;
const NAME_ATTRIBUTES = ['id', 'class', 'name', 'action', 'data-action', 'data-role', 'data-testid'] as const;
const CONTROL_TAGS: ReadonlySet<string> = new Set(['button', 'a', 'input', 'form']);
const FOREIGN_CONTROL = MARK.hidden | MARK.related | MARK.frame | MARK.talk;

/**
 * Whether an enabled control near the heading adds the product to a cart, recognised by its name in code or by its
 * label.
 */
function hasCartControl(region: Region, words: RegExp): boolean {
  const first = region.runs[0];
  const last = region.runs.at(-1);
  if (first === undefined || last === undefined) return false;
  const to = Math.min(last.owner.index, region.heading.index + MAX_ELEMENTS);
  for (let i = first.owner.index; i <= to; i++) {
    const el = region.doc.elements[i];
    if (el === undefined || !CONTROL_TAGS.has(el.name)) continue;
    if (isCartControl(region, el, words)) return true;
  }
  return false;
}

const MAX_ELEMENTS = 1_500;

/** Whether the page has a disabled button for adding the product to the cart. */
function hasDisabledControl(region: Region): boolean {
  const { doc, around, heading } = region;
  const to = Math.min(doc.elements.length, heading.index + MAX_ELEMENTS);
  for (let i = heading.index; i < to; i++) {
    const el = doc.elements[i] as El;
    if ((el.name !== 'button' && el.name !== 'input') || !doc.hasAttr(el, 'disabled')) continue;
    if ((around.of(el) & FOREIGN_CONTROL) !== 0) continue;
    const text = (el.name === 'input' ? (doc.attr(el, 'value') ?? '') : doc.text(el, 80)).toLowerCase();
    if (isNamedForCart(region, el) || BUY_WORDS.test(text) || phraseValue(text) === 'OutOfStock') return true;
  }
  return false;
}

function isNamedForCart({ doc }: Region, el: El): boolean {
  return NAME_ATTRIBUTES.some((name) => {
    const value = doc.attr(el, name);
    return value !== undefined && ADD_TO_CART.test(value.slice(0, 300));
  });
}

function isCartControl(region: Region, el: El, words: RegExp): boolean {
  const { doc, around } = region;
  const named = isNamedForCart(region, el);
  const worded = labelsOf(region, el).some((label) => label.length <= 40 && words.test(label.toLowerCase()));
  if ((!named && !worded) || doc.hasAttr(el, 'disabled') || /\bdisabled\b/.test(doc.attr(el, 'class') ?? ''))
    return false;
  if ((around.of(el) & FOREIGN_CONTROL) !== 0) return false;
  return !inOptionCard(region, el) || around.inOwnForm(el);
}

/** The labels of a control; a button's text may be spread over several elements. */
function labelsOf({ doc }: Region, el: El): string[] {
  const own = el.name === 'input' ? (doc.attr(el, 'value') ?? doc.attr(el, 'alt')) : doc.attr(el, 'title');
  return [own ?? '', el.name === 'button' && el.textTo - el.textFrom > 1 ? doc.text(el, 80) : ''];
}

/** Whether a cart form is in the card of another product, which has a text link to another page. */
function inOptionCard(region: Region, el: El): boolean {
  for (let at: El | null = el.parent, level = 0; at !== null && level < 5; at = at.parent, level++) {
    if (region.doc.contains(at, region.heading)) return false;
    for (let i = at.index + 1; i < el.index && i - at.index < 60; i++) {
      const inner = region.doc.elements[i] as El;
      if (
        inner.name === 'a' &&
        (region.around.own(inner) & MARK.linkAway) !== 0 &&
        inner.textTo > inner.textFrom &&
        !isInformation(region.doc.text(inner, 60))
      )
        return true;
    }
  }
  return false;
}
