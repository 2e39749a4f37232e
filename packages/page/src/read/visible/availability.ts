import type { Candidate } from '../candidates.ts';
import { inOtherCard } from './cards.ts';
import { hasCartControl } from './controls.ts';
import { MARK } from './marks.ts';
import type { Region, Run } from './region.ts';

/** Phrases that state an availability, folded to lower case; the languages of shops in Europe, Asia, America. */
const OUT_OF_STOCK =
  /out of stock|currently unavailable|temporarily unavailable|not (?:currently )?(?:available|in stock)|no longer available|sold[ -]?out|item (?:has )?sold|this (?:listing|item|ad) (?:has )?(?:ended|expired|been sold)|unavailable for purchase|nicht (?:mehr )?(?:verfügbar|lieferbar|auf lager|vorrätig)|derzeit nicht verfügbar|momentan nicht|ausverkauft|vergriffen|actuellement indisponible|temporairement indisponible|rupture de stock|en rupture|plus disponible|non disponible|pas disponible|indisponible|épuisé|attualmente non disponibile|non disponibile|esaurito|no disponible|agotado|sin (?:stock|existencias)|fuera de stock|indisponível|esgotado|sem (?:estoque|stock)|niet (?:op voorraad|leverbaar|beschikbaar)|uitverkocht|brak w magazynie|niedostępn|chwilowo niedostępny|wyprzedan|není skladem|není dostupn|vyprodán|nie je (?:skladom|na sklade)|nedostupn|vypredan|momentálně nedostupn|nincs (?:készleten|raktáron)|nem (?:elérhető|kapható|rendelhető)|elfogyott|indisponibil|stoc epuizat|nu este (?:în|in) stoc|нет в наличии|товар закончился|распродан|немає в наявності|няма наличност|не е наличен|изчерпан|nije (?:dostup|raspoloživ|na (?:zalihi|stanju))|nema na (?:zalihi|skladištu|stanju|zalogi)|rasprodano|ni na zalogi|razprodano|nav (?:pieejam|noliktavā)|nėra (?:sandėlyje|prekyboje)|išparduota|läbi müüdud|slutsåld|ej i lager|slut i lager|utsolgt|ikke på lager|udsolgt|loppuunmyyty|loppu(?:nut)? varastosta|ei (?:varastossa|saatavilla)|stokta yok|tükendi|εξαντλ|μη διαθέσιμο|אינו במלאי|לא במלאי|אזל (?:מ)?המלאי|غير متوفر|نفد|نفذت الكمية|品切れ|在庫切れ|在庫なし|売り切れ|缺货|售罄|無庫存|售完|품절|일시품절|매진|สินค้าหมด|hết hàng|stok habis|stok kosong/u;
const DISCONTINUED =
  /\bdiscontinued\b|no longer (?:made|produced|manufactured)|nicht mehr (?:hergestellt|produziert)|auslaufartikel|n'est plus (?:fabriqué|produit|commercialisé)|descatalogado|fuori produzione|снят с производства|produkt wycofany|ukončen[ao]? (?:prodej|výrob)/u;
const PRE_ORDER =
  /pre[- ]?order|vorbestell|précommande|preordine|reserva anticipada|pré-venda|przedsprzeda|předobjedn|предзаказ|予約(?:受付|商品|注文)/u;
const BACK_ORDER = /back[- ]?order/u;
const IN_STOCK =
  /\bin stock\b|ready to ship|available (?:now|immediately|for (?:immediate )?(?:delivery|order|dispatch|shipping|despatch))|\d+ (?:available|left in stock|in stock)|auf lager|sofort (?:lieferbar|verfügbar)|(?<!nicht )lieferbar|(?<!nicht )verfügbar|vorrätig|lagernd|en stock|disponible(?! en (?!\d))|disponibile|disponibilità immediata|hay existencias|em stock|em estoque|disponível|pronta entrega|op voorraad|direct leverbaar|na stanie|w magazynie|dostępn(?:y|a|e|ość)|skladem|na sklade|skladom|dostupn[ýéáo]|raktáron|készleten|elérhető|în stoc|in stoc\b|disponibil\b|в наличии|есть в наличии|в наявності|в наличност|на склад(?:е|у)|na zalogi|na zalihi|dostupno|na stanju|dobavljivo|pieejams|noliktavā|ir veikalā|sandėlyje|yra sandėlyje|laos olemas|i lager|på lager|varastossa|stokta var|stokta|σε απόθεμα|διαθέσιμο|άμεσα διαθέσιμο|במלאי|متوفر|在庫あり|現貨|有货|有貨|재고|มีสินค้า|còn hàng|stok tersedia|tersedia/u;
const LIMITED =
  /only \d+ left|nur noch \d+|plus que \d+|il ne reste plus que|solo \d+ disponibil|rimangono solo|solo quedan?|últim[ao]s? unidade|ostatni|poslední (?:kus|kusy)|осталось (?:всего )?\d+|last one|low stock|limited stock|geringer bestand/u;

/** Phrases with which one buys, orders, or asks a seller; their control being there says that one can. */
const BUY_WORDS =
  /^(?:\W*)(?:(?:add (?:item )?)?(?:to|in) (?:my |your )?(?:cart|bag|basket|trolley)|add (?:item )?to (?:my |your |shopping )?(?:cart|bag|basket|trolley)|buy(?: it)?(?: now)?|order now|purchase|place (?:a )?bid|in den (?:warenkorb|einkaufswagen)|in (?:den )?(?:warenkorb|einkaufswagen)(?: legen)?|jetzt (?:kaufen|bestellen)|sofort[- ]kaufen|kaufen|bestellen|ajouter (?:cet article )?au (?:panier|chariot)|acheter(?: cet article| maintenant)?|commander|achat immédiat|aggiungi al carrello|acquista(?: ora| subito)?|compralo subito|añadir (?:al carrito|a la (?:cesta|bolsa))|agregar al carrito|comprar(?: ahora| agora| já)?|adicionar ao carrinho|adicionar|in winkel(?:wagen|mand)(?:je)?|toevoegen aan winkel|do koszyka|dodaj do koszyka|kup teraz|kupuję|(?:vložit |přidat )?do košíku|koupit|kúpiť|(?:vložiť |pridať )?do košíka|kosárba|megveszem|adaugă în coș|adauga in cos|adaugă(?: in)? (?:în )?cos|cumpără|купить|в корзину|добавить в корзину|заказать|купити|в кошик|додати в кошик|в количка|купи|u košaricu|dodaj u (?:košaricu|korpu)|v košarico|dodaj v košarico|kupi|naroči|ielikt grozā|pirkt|į krepšelį|pirkti|lisa (?:ostu)?korvi|osta|lägg i (?:varukorg|kundvagn)(?:en)?|köp|legg i handlekurv|kjøp|læg i (?:kurv|indkøbskurv)(?:en)?|køb|lisää ostoskoriin|sepete ekle|satın al|hemen al|προσθήκη στο καλάθι|στο καλάθι|αγορά|הוסף לסל|הוספה לסל|קנה עכשיו|לרכישה|أضف (?:إلى|الى) (?:السلة|عربة)|اشتر|カートに入れる|今すぐ買う|購入|加入购物车|加入購物車|立即购买|立即購買|장바구니|구매하기|바로구매|หยิบใส่ตะกร้า|ซื้อเลย|thêm vào giỏ|mua ngay|beli sekarang|tambah ke keranjang)(?:\W|$)/u;
const CONTACT_WORDS =
  /^(?:\W*)(?:reply|contact (?:the )?(?:seller|owner|advertiser|us about)|(?:send|write) (?:a )?message|message seller|chat with seller|email (?:the )?seller|call (?:the )?seller|show (?:phone|number)|e-?mail (?:user|owner|advertiser|me)|contact (?:user|me)|make (?:an )?offer|nachricht (?:schreiben|senden)|anbieter kontaktieren|verkäufer kontaktieren|kontakt(?:ieren)?|anfrage senden|contacter (?:le vendeur|l'annonceur)|envoyer un message|contatta(?: il venditore)?|contactar(?: con el)?(?: vendedor| anunciante)?|enviar mensaje|contacteer|bericht sturen|wyślij wiadomość|napisz|zadzwoń|kontaktovat|napsat prodejci|написать(?: продавцу)?|позвонить|показать телефон|kontaktiraj)(?:\W|$)/u;
/** What is not available is something else: a picture, a way of delivery, a list, one option. */
const OTHER_THING =
  /\b(?:images?|pictures?|photos?|videos?|previews?|foto|bild|list|wish ?list|reviews?|pick ?up|collection|click|in-store|in stores?|zip|this size|this colou?r|option)\b|available (?:in|for|at) (?:selected|other)|not available (?:in|for) (?:your|some|selected|all)/u;

interface Evidence {
  readonly value: string;
  readonly weight: number;
  readonly field: string;
}

/** What the page shows of the product's availability: a phrase first, else that it can be bought. */
export function availabilityCandidates(region: Region): Candidate[] {
  const buys = region.runs.flatMap((run, i) =>
    isBuyControl(run) && !inOtherCard(region, i, run) ? [i] : [],
  );
  const phrases = region.runs.flatMap((run, i) => phraseAt(region, i, run, buys) ?? []);
  const [best] = phrases.toSorted((a, b) => b.weight - a.weight);
  const buy = buys.length > 0 || hasCartControl(region, BUY_WORDS);
  const doubtful = best?.value === 'OutOfStock' && best.weight < 0.5 && buy;
  if (best !== undefined && !doubtful) return [toCandidate(best)];
  if (buy) return [toCandidate({ value: 'InStock', weight: 0.4, field: 'text:buy' })];
  return region.runs.some(isContactControl)
    ? [toCandidate({ value: 'InStock', weight: 0.3, field: 'text:contact' })]
    : [];
}

function toCandidate({ value, weight, field }: Evidence): Candidate {
  return { value, source: 'html', field, weight };
}

const CONTROL_STATES = 4;
const FOREIGN = MARK.related | MARK.frame | MARK.linkAway | MARK.talk;

function phraseAt(region: Region, i: number, run: Run, buys: readonly number[]): Evidence | undefined {
  if (run.text.length > 120 || (run.marks & FOREIGN) !== 0 || run.distance > 260) return undefined;
  const text = run.text.toLowerCase();
  const value = phraseValue(text);
  if (value === undefined || OTHER_THING.test(text)) return undefined;
  const named = (run.marks & MARK.stock) !== 0;
  const short = text.length <= 45;
  if (!named && !short) return undefined;
  let weight = 0.45 - Math.abs(run.distance) / 1_000;
  if (named) weight += 0.15;
  if (
    /(?:availab|verfügb|disponib|dostupn|dostępn|наличи|pieejam|elérhet|availability|lagerstatus|stock|skladom|sklade)\w*\s*:?\s*$/u.test(
      region.runs[i - 1]?.text.toLowerCase() ?? '',
    )
  )
    weight += 0.1;
  // a control that holds all of its states as text, one of them shown at a time
  if (value === 'OutOfStock' && buys.some((at) => Math.abs(at - i) <= CONTROL_STATES)) return undefined;
  // one size of many being sold out says nothing of the product
  if (isOption(run) || inOtherCard(region, i, run)) return undefined;
  return { value, weight, field: 'text:availability' };
}

function isOption(run: Run): boolean {
  for (let el = run.owner, level = 0; level < 4; level++) {
    if (el.name === 'option' || el.name === 'select' || el.name === 'label') return true;
    if (el.parent === null) return false;
    el = el.parent;
  }
  return false;
}

/** An offer to tell when it is back; the control is often there, hidden, while it is in stock. */
const WHEN_BACK =
  /notify|back in stock|when (?:it is |it's )?(?:available|in stock)|e-?mail me|remind me|waitlist|benachrichtig|erinner|prévenez|préven|avvis|avísa|avise|powiadom|hlídat|upozornit|сообщить|уведомить|értesít|anunță/u;

/** The availability that a text states, or undefined. */
export function phraseValue(text: string): string | undefined {
  if (OUT_OF_STOCK.test(text)) return 'OutOfStock';
  if (DISCONTINUED.test(text)) return 'Discontinued';
  if (WHEN_BACK.test(text)) return undefined;
  if (BACK_ORDER.test(text)) return 'BackOrder';
  if (PRE_ORDER.test(text)) return 'PreOrder';
  // the last ones of a stock are in stock; how few is no fact of ours
  return LIMITED.test(text) || IN_STOCK.test(text) ? 'InStock' : undefined;
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
