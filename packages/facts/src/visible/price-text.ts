import type { El } from '@touchstone/page/document';
import { CURRENCY_MARKS } from '../values/currency.ts';
import { amountsIn, parsePrice, rangeIn } from '../values/price.ts';
import { SCORE } from '../weights.ts';
import { MARK } from './marks.ts';
import { type Region, type Run, sameBlock } from './region.ts';

/** Whether a run is the cents of the preceding one: two digits after a whole number in the same small element. */
export function isCentsOfBefore(region: Region, i: number, run: Run): boolean {
  const before = region.runs[i - 1];
  const digits = CENTS.exec(run.text);
  if (before === undefined || digits === null) return false;
  if (/^[.,]$/.test(before.text)) return true;
  if (!sameBlock(before, run)) return false;
  // with a currency after it, it may be a separate price, unless both are named as a price
  if (digits[2] === '' && digits[1] === '') return /\d[.,]?$/.test(before.text);
  return /^[^\d]{0,4}\d[\d ]*$/.test(before.text) && (before.marks & run.marks & MARK.price) !== 0;
}

const CENTS = /^([.,]?)\d{2}\s*([^\d\s]{0,4})$/;

/** A run's text completed from its neighbours: a currency before or after it, or superscript cents. */
export function joined(region: Region, i: number, run: Run): string {
  let text = run.text;
  const before = region.runs[i - 1];
  const after = region.runs[i + 1];
  // a currency after another number belongs to that number, unless it is closer to this one in the tree
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
      // `259,` `–` `€`: dashes in place of cents
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
/** Maximum runs from one end of a range to the other: the dash and the currencies are separate runs. */
const BETWEEN_ENDS = 4;

/** The range that begins with this amount: a dash and another amount follow in the same box. */
export function rangeFrom(region: Region, i: number): string | undefined {
  const end = otherEnd(region, i, 1);
  if (end === undefined) return undefined;
  // a currency before an amount belongs to it
  const withMark = (at: number): string => {
    const before = region.runs[at - 1]?.text ?? '';
    return `${CURRENCY_MARKS.has(before.trim()) ? before : ''} ${region.runs[at]?.text ?? ''}`;
  };
  return rangeIn(`${withMark(i)} – ${withMark(end)}`);
}

/** The low end of the range that ends with this amount. */
export function lowEndBefore(region: Region, i: number): string | undefined {
  const start = otherEnd(region, i, -1);
  if (start === undefined) return undefined;
  return parsePrice(joined(region, start, region.runs[start] as Run))?.amount;
}

/** Index of the run with the other end of a range, in the direction of `step`. */
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

/** Levels above an amount among which the box of its range is searched. */
const RANGE_LEVELS = 4;

function inOneBox(first: Run, second: Run): boolean {
  let box: El | null = first.owner;
  for (let level = 0; level < RANGE_LEVELS && box !== null; level++, box = box.parent)
    if (second.owner.index >= box.index && second.owner.index < box.end)
      return box.textTo - box.textFrom <= RANGE_RUNS;
  return false;
}

const RANGE_RUNS = 10;

/** Joins an amount in three runs, `12` `.` `99`, with the currency after it. */
function splitDecimals(region: Region, i: number, text: string): string | undefined {
  const [point, cents, mark] = [region.runs[i + 1], region.runs[i + 2], region.runs[i + 3]];
  if (point === undefined || cents === undefined) return undefined;
  if (!/^[.,]$/.test(point.text.trim()) || !/^\d{2}$/.test(cents.text.trim()) || !/\d$/.test(text))
    return undefined;
  const currency =
    mark !== undefined && mark.text.length <= 4 && !/\d/.test(mark.text) ? ` ${mark.text}` : '';
  return `${text}.${cents.text.trim()}${currency}`;
}

/** Depth of the innermost element that contains both runs. */
function sharedDepth(a: Run, b: Run): number {
  let at: El | null = a.owner;
  while (at !== null && (b.owner.index < at.index || b.owner.index >= at.end)) at = at.parent;
  return at?.depth ?? 0;
}

/** What is known about an amount from the words in its run and in the runs before and after it. */
export interface PriceWords {
  /** A former or recommended price: `was`, `statt`, `RRP`. */
  readonly old: boolean;
  /** Another kind of amount, such as the lowest price of the last 30 days (Directive 98/6/EC, article 6a). */
  readonly other: boolean;
  /** A starting bid or an estimate. */
  readonly auction: boolean;
  /** The effect of the words on the score: 0 or negative. */
  readonly against: number;
  /** The label is a word for price. */
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
    other:
      OTHER_AMOUNT.test(own) ||
      OTHER_AMOUNT.test(before) ||
      CONDITIONAL.test(after) ||
      SHIPPING.test(own.split(/\d/, 1)[0] ?? ''),
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

/** Whether words in an amount's run, or right after it, state that tax is included. */
export function isWithTax({ runs }: Region, i: number): boolean {
  if (WITH_TAX.test(runs[i]?.text ?? '')) return true;
  const [run, next] = [runs[i], runs[neighbour({ runs } as Region, i, 1)]];
  if (run === undefined || next === undefined || next.text.length > 40 || /\d/.test(next.text)) return false;
  return WITH_TAX.test(next.text) && sameBlock(run, next);
}

/** The words before an amount, without those on the tax of the preceding amount. */
function wordsBefore(region: Region, i: number): string {
  const { runs } = region;
  const at = neighbour(region, i, -1);
  const before = runs[at]?.text.slice(-60) ?? '';
  const isTaxOfOther =
    (WITH_TAX.test(before) || WITHOUT_TAX.test(before)) &&
    /\d/.test(runs[neighbour(region, at, -1)]?.text ?? '');
  return isTaxOfOther ? '' : wordsOf(before);
}

/** Index of the next run in a direction, skipping a repetition of the amount for screen readers and its currency. */
function neighbour({ runs }: Region, i: number, step: 1 | -1): number {
  const at = runs[i + step]?.text === runs[i]?.text ? i + 2 * step : i + step;
  return CURRENCY_MARKS.has(runs[at]?.text.trim() ?? '') ? at + step : at;
}

const TAX =
  '(?:vat|tax(?:es)?|gst|mwst\\.?|ust\\.?|tva|iva|btw|dph|moms|alv|áfa|tvat|ндс|пдв|vat-u|podatku|kdv)';
/** An amount including tax is the price; one without is another amount if both are printed. */
const WITH_TAX = new RegExp(
  `税込み?|[([]?(?<!\\p{L})(?:incl?(?:uding|usive|\\.)?|inkl\\.?|includes?|with|mit|avec|con|com|met|med|z|s|с|включая|sis\\.?|tartalmazza)\\s*(?:of\\s+)?(?:\\d+\\s?%\\s*)?${TAX}[)\\]]?`,
  'iu',
);
const WITHOUT_TAX = new RegExp(
  `(?<!\\p{L})(?:excl?(?:uding|usive|\\.)?|exkl\\.?|ex|plus|zzgl\\.?|ohne|hors|sans|sin|sem|senza|zonder|uden|utan|bez|без|\\+)\\s*(?:\\d+\\s?%\\s*)?${TAX}`,
  'iu',
);

/** Words before an amount that make it a shipping cost, or the minimum order for free shipping. */
const SHIPPING =
  /shipping|delivery|versand|lieferung|משלוח|livraison|env[ií]o\b|\benvíos|spedizion|wysyłk|dostaw|доставк|szállítás|verzend|bezorg|\bfrete|entrega|doprav|fragt|frakt|toimitus|kargo|livrare|送料|配送|配送料|배송|الشحن|التوصيل/i;

/** Words for a price before tax, at the end of a label or before the amount. */
const NET_WORDS =
  /(?:\bnetto-?(?:preis)?|\bnet(?: price)?|\b(?:prix )?ht|hors taxes?|bez dph|bez vat|без ндс|税抜|税別|ex\.? (?:vat|tax|btw|moms))\)?\s*[:：]?(?:\s*$|[^\p{L}]*\d)/iu;

/** The words of a neighbouring run, unless it has an amount itself. */
function wordsOf(text: string): string {
  if (!/\d/.test(text)) return text;
  return /%/.test(text) || amountsIn(text).some(({ marked }) => marked !== undefined) ? '' : text;
}

/** Whether a text has words other than price labels, so that its number may be a count, size or date. */
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
/** Words after an amount that needs a coupon or a subsidy, which buyers have to claim first. */
const CONDITIONAL = /^\s*(?:券后|券後|领券|領券|国补|國補|补贴|補貼|到手价|預估到手|预估到手)/;
/** Words for a starting bid, reserve or estimate of an auction, which is not the price. */
const AUCTION =
  /\b(?:start(?:ing)?|opening|minimum) (?:bid|price)\b|\b(?:low|high|auction|pre-sale) estimates?\b|\bestimates?\s*:?\s*$|\breserve price|startgebot|startpreis|mindestgebot|schätzpreis|schätzwert|mise à prix|^estimations?\s*:?\s*$|precio de salida|puja (?:inicial|mínima)|base d['’]asta|cena wywoławcza|стартовая цена|startbod|utropspris/i;
const OTHER_WORDS =
  /shipping|delivery|versand|משלוח|livraison|envío|\benvio|spedizione|wysyłk|dostaw|доставк|szállít|verzend|\bfrete|dopr|\bposta|\bsaved?\b|sparen|ersparnis|économ|ahorr|risparm|oszcz|bespa|ušetř|úspora|ušpor|megtakar|economi|эконом|выгод|вигод|tasarruf|spar\b|\bsparar?\b|köp över|节省|節省|立减|お得|割引|절약|할인|توفير|وفر|discount|rabat|скидк|\boff\b|\bmonth|\/ ?mo\b|monat|mensual|\bmese\b|\bmois\b|měsíč|\brata\b|\braty|\brates?\b|ratenz|x\s*\d|×|платеж|рассроч|taksit|cuotas|parcelas|termijn|\braten\b|splátk|részlet|回払|할부|\binstal?lment|\bpayments? of\b|\bfrom\b|\bab\s|\bwas\b|\bstatt\b|\brrp\b|\bmsrp\b|\buvp\b|list price|old price|instead of|prix conseillé|\bpvp|\btax|\bvat\b|mwst|zzgl|\bexcl|\bohne\b|bez dph|\bhors\b|minimum|\bover\b|\borders?\b|bestell|coupon|gutschein|\bpoints\b|\bused\b|gebraucht|\boccasion|usato|refurb|warranty|versicherung|\/\s?(?:kg|l|m|100|stk|st|pcs|unit|szt|шт|kus)\b|\bpro\s|\bper\s|\bje\s\d|\boptions?\b/i;
