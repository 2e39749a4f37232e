import type { El } from '../dom/document.ts';
import { CURRENCY_MARKS } from '../values/currency.ts';
import { amountsIn, parsePrice, rangeIn } from '../values/price.ts';
import { SCORE } from '../weights.ts';
import { MARK } from './marks.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** Two digits, a currency behind them or not, right after a whole number of the same small element: its cents. */
export function isCentsOfBefore(region: Region, i: number, run: Run): boolean {
  const before = region.runs[i - 1];
  const digits = CENTS.exec(run.text);
  if (before === undefined || digits === null) return false;
  if (/^[.,]$/.test(before.text)) return true;
  if (!sameBlock(before, run)) return false;
  // with a currency behind it, it may be a whole price of its own, were it not named as a part of one
  if (digits[2] === '' && digits[1] === '') return /\d[.,]?$/.test(before.text);
  return /^[^\d]{0,4}\d[\d ]*$/.test(before.text) && (before.marks & run.marks & MARK.price) !== 0;
}

const CENTS = /^([.,]?)\d{2}\s*([^\d\s]{0,4})$/;

/** The run with what completes it: a currency before or after it, cents set high. */
export function joined(region: Region, i: number, run: Run): string {
  let text = run.text;
  const before = region.runs[i - 1];
  const after = region.runs[i + 1];
  // a mark right after another number is that number's, unless it stands closer to this one
  const other = region.runs[i - 2];
  const own =
    before === undefined ||
    other === undefined ||
    !/\d\s*$/.test(other.text) ||
    !sameBlock(other, run) ||
    sharedDepth(before, run) > sharedDepth(other, before);
  if (
    before !== undefined &&
    own &&
    before.text.length <= 4 &&
    !/\d/.test(before.text) &&
    sameBlock(before, run)
  ) {
    text = `${before.text} ${text}`;
  }
  const split = splitDecimals(region, i, text);
  if (split !== undefined) return split;
  if (after !== undefined && sameBlock(run, after)) {
    if (/[^\d\s]|^[.,]/.test(after.text) && isCentsOfBefore(region, i + 1, after) && !/[.,]\d/.test(text)) {
      text = `${text}.${after.text.replace(/^[.,]/, '')}`;
    } else if (/^\d{2}$/.test(after.text) && /^\d+\s?\p{Sc}$/u.test(text)) {
      text += after.text;
    } else if (/^\d{2}$/.test(after.text) && /\d[.,]?$/.test(text) && !/[.,]\d/.test(text)) {
      text = `${text.replace(/[.,]$/, '')}.${after.text}`;
      const mark = region.runs[i + 2];
      if (mark !== undefined && mark.text.length <= 4 && !/\d/.test(mark.text)) text += ` ${mark.text}`;
    } else if (after.text.length <= 5 && !/\d/.test(after.text)) {
      text += ` ${after.text}`;
      // `259,` `–` `€`: dashes in the place of the cents
      const mark = region.runs[i + 2];
      if (
        /^[-–—]{1,2}$/.test(after.text) &&
        mark !== undefined &&
        mark.text.length <= 4 &&
        !/\d/.test(mark.text)
      )
        text += ` ${mark.text}`;
    }
  }
  return text;
}

const DASH = /^\s*[-–—]\s*$/u;
/** Runs between the two ends of a range: a dash, and the currency of either. */
const BETWEEN_ENDS = 4;

/** The range that begins with this amount: a dash and another amount follow in the same small element. */
export function rangeFrom(region: Region, i: number): string | undefined {
  const end = otherEnd(region, i, 1);
  if (end === undefined) return undefined;
  // what stands before an amount in the same box is its currency
  const withMark = (at: number): string => {
    const before = region.runs[at - 1]?.text ?? '';
    return `${CURRENCY_MARKS.has(before.trim()) ? before : ''} ${region.runs[at]?.text ?? ''}`;
  };
  return rangeIn(`${withMark(i)} – ${withMark(end)}`);
}

/** The amount that the range ending here begins with. */
export function lowEndBefore(region: Region, i: number): string | undefined {
  const start = otherEnd(region, i, -1);
  if (start === undefined) return undefined;
  return parsePrice(joined(region, start, region.runs[start] as Run))?.amount;
}

/** Where the other end of a range stands, of which the amount is one. */
function otherEnd({ runs }: Region, i: number, step: 1 | -1): number | undefined {
  const run = runs[i] as Run;
  let dashed = false;
  for (let at = i + step, n = 0; n < BETWEEN_ENDS; at += step, n++) {
    const other = runs[at];
    if (other === undefined) return undefined;
    if (DASH.test(other.text)) dashed = true;
    else if (/\d/.test(other.text)) {
      const [first, second] = step > 0 ? [run, other] : [other, run];
      return dashed && (first.marks & second.marks & MARK.price) !== 0 && inOneBox(first, second)
        ? at
        : undefined;
    } else if (other.text.length > 4) return undefined;
  }
  return undefined;
}

/** Levels above an amount at which the box of a range stands. */
const RANGE_LEVELS = 4;

function inOneBox(first: Run, second: Run): boolean {
  let box: El | null = first.owner;
  for (let level = 0; level < RANGE_LEVELS && box !== null; level++, box = box.parent)
    if (second.owner.index >= box.index && second.owner.index < box.end)
      return box.textTo - box.textFrom <= RANGE_RUNS;
  return false;
}

const RANGE_RUNS = 10;

/** `12` `.` `99` in three runs, with what follows as its currency. */
function splitDecimals(region: Region, i: number, text: string): string | undefined {
  const [point, cents, mark] = [region.runs[i + 1], region.runs[i + 2], region.runs[i + 3]];
  if (point === undefined || cents === undefined) return undefined;
  if (!/^[.,]$/.test(point.text.trim()) || !/^\d{2}$/.test(cents.text.trim()) || !/\d$/.test(text))
    return undefined;
  const currency =
    mark !== undefined && mark.text.length <= 4 && !/\d/.test(mark.text) ? ` ${mark.text}` : '';
  return `${text}.${cents.text.trim()}${currency}`;
}

/** Depth of the innermost element that holds both runs. */
function sharedDepth(a: Run, b: Run): number {
  let at: El | null = a.owner;
  while (at !== null && (b.owner.index < at.index || b.owner.index >= at.end)) at = at.parent;
  return at?.depth ?? 0;
}

/** What the words on an amount, and right before and behind it, say of it. */
export interface PriceWords {
  /** A former or recommended price: `was`, `statt`, `RRP`. */
  readonly old: boolean;
  /** Another amount altogether, such as the lowest price of the last 30 days (Directive 98/6/EC, article 6a). */
  readonly other: boolean;
  /** A starting bid or an estimate. */
  readonly auction: boolean;
  /** What they add to its score: nothing, or less. */
  readonly against: number;
  /** Its label is the word for price. */
  readonly labelled: boolean;
}

export function wordsAbout(region: Region, i: number): PriceWords {
  const own = (region.runs[i]?.text ?? '').replace(WITH_TAX, '');
  const before = wordsBefore(region, i);
  const after = wordsOf(region.runs[neighbour(region, i, 1)]?.text.slice(0, 40) ?? '').replace(WITH_TAX, '');
  const net = NET_WORDS.test(own) || NET_WORDS.test(before);
  const onItself = OTHER_WORDS.test(own) || /[()]/.test(own);
  const beside = OTHER_WORDS.test(before.slice(-40)) || OTHER_WORDS.test(after.slice(0, 25));
  return {
    old: OLD_BEFORE.test(before) || OLD_ON_ITSELF.test(own),
    other: OTHER_AMOUNT.test(own) || OTHER_AMOUNT.test(before) || SHIPPING.test(own.split(/\d/, 1)[0] ?? ''),
    auction: AUCTION.test(own) || AUCTION.test(before),
    against:
      net || OTHER_WORDS.test(own)
        ? SCORE.price.otherWords
        : onItself || beside
          ? SCORE.price.otherWordsBeside
          : 0,
    labelled: PRICE_LABEL.test(before),
  };
}

/** Whether the words on an amount, or right behind it, say that its tax is in it. */
export function isWithTax({ runs }: Region, i: number): boolean {
  if (WITH_TAX.test(runs[i]?.text ?? '')) return true;
  const [run, next] = [runs[i], runs[neighbour({ runs } as Region, i, 1)]];
  if (run === undefined || next === undefined || next.text.length > 40 || /\d/.test(next.text)) return false;
  return WITH_TAX.test(next.text) && sameBlock(run, next);
}

/** The words before an amount; not those on the tax in the amount before it. */
function wordsBefore(region: Region, i: number): string {
  const { runs } = region;
  const at = neighbour(region, i, -1);
  const before = runs[at]?.text.slice(-60) ?? '';
  const isTaxOfOther =
    (WITH_TAX.test(before) || WITHOUT_TAX.test(before)) &&
    /\d/.test(runs[neighbour(region, at, -1)]?.text ?? '');
  return isTaxOfOther ? '' : wordsOf(before);
}

/** The next run in a direction that is more than the amount's own currency, or the amount once more for screen readers. */
function neighbour({ runs }: Region, i: number, step: 1 | -1): number {
  const at = runs[i + step]?.text === runs[i]?.text ? i + 2 * step : i + step;
  return CURRENCY_MARKS.has(runs[at]?.text.trim() ?? '') ? at + step : at;
}

const TAX =
  '(?:vat|tax(?:es)?|gst|mwst\\.?|ust\\.?|tva|iva|btw|dph|moms|alv|áfa|tvat|ндс|пдв|vat-u|podatku|kdv)';
/** A price with its tax is the price; without it, it is another one where both stand. */
const WITH_TAX = new RegExp(
  `税込み?|[([]?(?<!\\p{L})(?:incl?(?:uding|usive|\\.)?|inkl\\.?|includes?|with|mit|avec|con|com|met|med|z|s|с|включая|sis\\.?|tartalmazza)\\s*(?:of\\s+)?(?:\\d+\\s?%\\s*)?${TAX}[)\\]]?`,
  'iu',
);
const WITHOUT_TAX = new RegExp(
  `(?<!\\p{L})(?:excl?(?:uding|usive|\\.)?|exkl\\.?|ex|plus|zzgl\\.?|ohne|hors|sans|sin|sem|senza|zonder|uden|utan|bez|без|\\+)\\s*(?:\\d+\\s?%\\s*)?${TAX}`,
  'iu',
);

/** Words before an amount that make it a cost of delivery, or what one has to spend for a free one. */
const SHIPPING =
  /shipping|delivery|versand|lieferung|משלוח|livraison|env[ií]o\b|\benvíos|spedizion|wysyłk|dostaw|доставк|szállítás|verzend|bezorg|\bfrete|entrega|doprav|fragt|frakt|toimitus|kargo|livrare|送料|配送|配送料|배송|الشحن|التوصيل/i;

/** The word for a price before tax, at the end of a label or on the amount itself. */
const NET_WORDS =
  /(?:\bnetto-?(?:preis)?|\bnet(?: price)?|\b(?:prix )?ht|hors taxes?|bez dph|bez vat|без ндс|税抜|税別|ex\.? (?:vat|tax|btw|moms))\)?\s*[:：]?(?:\s*$|[^\p{L}]*\d)/iu;

/** A neighbour's words, unless they are about an amount of its own. */
function wordsOf(text: string): string {
  if (!/\d/.test(text)) return text;
  return /%/.test(text) || amountsIn(text).some(({ marked }) => marked !== undefined) ? '' : text;
}

/** Letters beside the number that are no label of a price: a count, a size, a date. */
export function hasOtherWords(text: string): boolean {
  return /\p{L}/u.test(text.replace(PRICE_WORDS, ''));
}

const PRICE_WORDS =
  /(?:特價|特价|售價|售价|價格|價錢|优惠价|優惠價|価格|price|preis|prix|precio|prezzo|preço|cena|цена|ціна|prijs|pris|hinta|preț|pret|fiyat|τιμή|ár|가격|価格|价格|מחיר|السعر|harga|giá|kaina|cijena|now|only|nur|ab)/giu;
const PRICE_LABEL =
  /(?:特價|特价|(?<!建議|建议|參考|参考)(?:售價|售价)|價格|價錢|优惠价|優惠價|販売価格|price|preis|prix|precio|prezzo|preço|cena|цена|ціна|prijs|pris|hinta|preț|pret|fiyat|τιμή|ár|가격|価格|价格|מחיר|السعر|harga|giá|kaina|cijena)\s*:?\s*$/i;

const OLD_NAMES =
  '原價|原价|市價|市价|建議售價|建议零售价|定價|定价|was|rrp|r\\.r\\.p\\.?|msrp|m\\.s\\.r\\.p\\.?|srp|list price|regular price|original price|old price|previous price|usual price|retail price|compare at|instead of|reg\\.?|uvp|u\\.v\\.p\\.?|statt|bisher(?:iger preis)?|früher(?:er preis)?|alter preis|normaler preis|regulärer preis|listenpreis|ehemals|au lieu de|prix (?:conseillé|barré|normal|habituel|initial|de base)|ancien prix|antes|de|precio (?:normal|habitual|anterior|original|recomendado)|pvpr?|preço (?:normal|anterior|original|de tabela)|prezzo (?:di listino|originale|precedente|pieno|consigliato)|invece di|anziché|prima|adviesprijs|van|oude prijs|normale prijs|cena regularna|stara cena|cena katalogowa|poprzednia cena|cena przed obniżką|původní cena|běžná cena|doporučená cena|standardní cena|pôvodná cena|bežná cena|eredeti ár|régi ár|listaár|preț vechi|pret vechi|prp|старая цена|прежняя цена|обычная цена|цена без скидки|стара ціна|стара цена|stara cijena|redovna cijena|redna cena|vanha hinta|norm(?:al|ert)?pris|ordinarie pris|ord\\.? pris|tidligere pris|førpris|før|før-pris|rek\\.? pris|eski fiyat|liste fiyatı|通常価格|定価|参考価格|原价|原價|市场价|정가|판매가격 정상가|מחיר רגיל|מחיר קודם|giá gốc|giá cũ|harga asli|harga normal';
const OLD_BEFORE = new RegExp(`^(?:${OLD_NAMES})\\s*[:：]?\\s*$`, 'iu');
const OLD_ON_ITSELF = new RegExp(`^(?:${OLD_NAMES})\\s*[:：]?\\s*[^\\p{L}]*\\d`, 'iu');
const OTHER_AMOUNT =
  /每期|分期|每月|月付|月々|每(?:罐|瓶|包|盒|片|入|顆|颗|粒|公斤|斤|克|100)|(?:100g|1個|１個|1本|1枚)あたり|\b(?:members?|club|loyalty|vip)(?:'s?)?[ -](?:only )?price|\bmembers? (?:pay|save)|\bfor members|mitgliederpreis|prix (?:membre|adhérent)|precio (?:de )?soci|^\s*(?:approx|≈|≒|约|circa\b|ca\.|okolo|ungefähr|environ)|\b(?:lowest|last|past|prior) .{0,20}30 days|30[- ]day(?:s)? (?:lowest|best|low)|30 tagen?\b|30 (?:derniers )?jours|30 días|30 dias|30 giorni|30 dagen|30 dni\b|30 dn[íi]\b|30 nap|30 de zile|30 дн|najniższa cena|nejnižší cena|najnižšia cena|niedrigster preis|prix le plus bas|legalacsonyabb ár|cel mai mic preț|lägsta pris|laveste pris|alin hinta/i;
/** What an auction begins with or is expected to bring, which is not what anybody pays. */
const AUCTION =
  /\b(?:start(?:ing)?|opening|minimum) (?:bid|price)\b|\b(?:low|high|auction|pre-sale) estimates?\b|\bestimates?\s*:?\s*$|\breserve price|startgebot|startpreis|mindestgebot|schätzpreis|schätzwert|mise à prix|^estimations?\s*:?\s*$|precio de salida|puja (?:inicial|mínima)|base d['’]asta|cena wywoławcza|стартовая цена|startbod|utropspris/i;
const OTHER_WORDS =
  /shipping|delivery|versand|משלוח|livraison|envío|\benvio|spedizione|wysyłk|dostaw|доставк|szállít|verzend|\bfrete|dopr|\bposta|\bsaved?\b|sparen|ersparnis|économ|ahorr|risparm|oszcz|bespa|ušetř|úspora|ušpor|megtakar|economi|эконом|выгод|вигод|tasarruf|spar\b|\bsparar?\b|köp över|节省|節省|立减|お得|割引|절약|할인|توفير|وفر|discount|rabat|скидк|\boff\b|\bmonth|\/ ?mo\b|monat|mensual|\bmese\b|\bmois\b|měsíč|\brata\b|\braty|\brates?\b|ratenz|x\s*\d|×|платеж|рассроч|taksit|cuotas|parcelas|termijn|\braten\b|splátk|részlet|回払|할부|\binstal?lment|\bpayments? of\b|\bfrom\b|\bab\s|\bwas\b|\bstatt\b|\brrp\b|\bmsrp\b|\buvp\b|list price|old price|instead of|prix conseillé|\bpvp|\btax|\bvat\b|mwst|zzgl|\bexcl|\bohne\b|bez dph|\bhors\b|minimum|\bover\b|\borders?\b|bestell|coupon|gutschein|\bpoints\b|\bused\b|gebraucht|\boccasion|usato|refurb|warranty|versicherung|\/\s?(?:kg|l|m|100|stk|st|pcs|unit|szt|шт|kus)\b|\bpro\s|\bper\s|\bje\s\d|\boptions?\b/i;
