/** Where a page sells, derived from its host name and language. */
export interface Locale {
  /** Country codes in lower case, the most reliable first: top-level domain, region of the language tag. */
  readonly countries: readonly string[];
  /** Currencies that are likely for the language, if no country is known. */
  readonly likely?: readonly string[];
}

/**
 * ISO 4217 code of a currency as printed: a code, or a mark such as `€`, `zł`, `Rs`. If several currencies share a mark,
 * the country decides; without one, the language's or the most common currency is returned with `guessed: true`.
 */
export function currencyOf(text: string, locale: Locale): { iso: string; guessed: boolean } | undefined {
  const bare = text.trim().replace(/[\u00A0\s]+/g, ' ');
  if (bare === '' || bare.length > 20) return undefined;
  const upper = bare.toUpperCase();
  const alias = ISO_ALIASES.get(upper) ?? upper;
  if (ISO_CURRENCIES.has(alias)) return { iso: alias, guessed: false };
  const codes = CURRENCY_MARKS.get(bare) ?? CURRENCY_MARKS.get(bare.toLowerCase());
  if (codes === undefined) return undefined;
  const [first] = codes;
  if (first === undefined || !ISO_CURRENCIES.has(first)) return undefined;
  if (codes.length === 1) return { iso: first, guessed: false };
  for (const country of locale.countries) {
    const local = COUNTRY_CURRENCY.get(country);
    if (local !== undefined && codes.includes(local)) return { iso: local, guessed: false };
  }
  return { iso: locale.likely?.find((iso) => codes.includes(iso)) ?? first, guessed: true };
}

/** Derives the locale from a host name and a language tag; without a tag, the script of the page's title indicates the language. */
export function localeOf(hostname: string, language: string | undefined, title = ''): Locale {
  const countries: string[] = [];
  const tld = hostname.split('.').at(-1) ?? '';
  if (tld.length === 2 && COUNTRY_CURRENCY.has(tld) && !GENERIC_TLDS.has(tld)) countries.push(tld);
  const region = /^[a-z]{2,3}[-_](?:[a-z]{4}[-_])?([a-z]{2})\b/i.exec(language ?? '')?.[1]?.toLowerCase();
  if (region !== undefined) countries.push(region);
  const primary = /^[a-z]{2,3}/i.exec(language ?? '')?.[0]?.toLowerCase() ?? languageIn(title);
  const likely = LANGUAGE_CURRENCY.get(primary ?? '');
  return likely === undefined ? { countries } : { countries, likely: [likely] };
}

/** Recognises Japanese by kana, and Chinese by Han characters without kana or hangul. */
function languageIn(text: string): string | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  return /\p{Script=Han}/u.test(text) && !/\p{Script=Hangul}/u.test(text) ? 'zh' : undefined;
}

/** Languages spoken mostly in one country whose currency mark is shared with other currencies. */
const LANGUAGE_CURRENCY: ReadonlyMap<string, string> = new Map([
  ['zh', 'CNY'],
  ['ja', 'JPY'],
  ['da', 'DKK'],
  ['nb', 'NOK'],
  ['no', 'NOK'],
  ['nn', 'NOK'],
  ['sv', 'SEK'],
  ['is', 'ISK'],
]);

/** Country code domains that are sold as generic ones. */
const GENERIC_TLDS: ReadonlySet<string> = new Set('co me tv io ai cc ws to fm ly'.split(' '));

const LETTER = /[\p{L}\p{M}]/u;
const DIGIT = /\d/;

/** The longest mark or code that ends at `end`; one that begins with a letter must not follow another letter. */
export function markBefore(line: string, end: number): string | undefined {
  for (const length of LENGTHS_BY_LAST.get(line[end - 1] ?? '') ?? []) {
    if (length > end) continue;
    const mark = line.slice(end - length, end);
    if (!isMark(mark)) continue;
    const before = line[end - length - 1];
    if (before !== undefined && LETTER.test(mark[0] as string) && LETTER.test(before)) continue;
    return withCode(line, end - length, mark);
  }
  return undefined;
}

/** The longest mark or code that begins at `start`; one that ends with a letter must not precede another letter. */
export function markAfter(line: string, start: number): string | undefined {
  for (const length of LENGTHS_BY_FIRST.get(line[start] ?? '') ?? []) {
    const mark = line.slice(start, start + length);
    if (!isMark(mark)) continue;
    const after = line[start + length];
    if (after !== undefined && LETTER.test(mark.at(-1) as string) && LETTER.test(after)) {
      // `1299元起`: from 1299 yuan on
      if (!HAN_MARK.test(mark) || !HAN_BEHIND.test(after)) continue;
    }
    return mark;
  }
  return undefined;
}

function isMark(text: string): boolean {
  return CURRENCY_MARKS.has(text) || ISO_CURRENCIES.has(text);
}

/** Replaces `$` by the code before it, as in `SGD$` and `NZD $`. */
function withCode(line: string, at: number, mark: string): string {
  if (mark !== '$') return mark;
  const code = line.slice(0, at).trimEnd().slice(-3);
  return ISO_CURRENCIES.has(code) ? code : mark;
}

/** Currency signs, which cannot be confused with words. */
const SIGN = /\p{Sc}/u;

/**
 * The first currency in a text, at word boundaries. Single letters other than currency signs count only if they are
 * the whole text.
 */
export function currencyIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const line = text.slice(0, 400).trim();
  if (line === '') return undefined;
  if (isMark(line)) return line;
  for (let i = 0; i < line.length; i++) {
    const before = line[i - 1];
    if (before !== undefined && LETTER.test(before) && LETTER.test(line[i] as string)) continue;
    const mark = markAfter(line, i) ?? lowerCode(line, i);
    if (mark === undefined) continue;
    if (mark.length > 1 || SIGN.test(mark) || nextToDigit(line, i, mark.length)) return mark;
  }
  return undefined;
}

function nextToDigit(line: string, at: number, length: number): boolean {
  return (
    DIGIT.test(line.slice(Math.max(0, at - 2), at)) || DIGIT.test(line.slice(at + length, at + length + 2))
  );
}

const LOWER_CODES: ReadonlySet<string> = new Set(
  'eur usd gbp chf pln czk huf ron bgn sek nok dkk rub uah cad aud nzd mkd inr aed jpy cny'.split(' '),
);

function lowerCode(line: string, at: number): string | undefined {
  const code = line.slice(at, at + 3);
  const after = line[at + 3];
  return LOWER_CODES.has(code) && (after === undefined || !LETTER.test(after)) ? code : undefined;
}

/** One-character words for a currency, which only occur with amounts. */
const HAN_MARK = /^[元円圆圓원]$/u;
/** Characters that may follow them without a space. */
const HAN_BEHIND = /^[起整正]$/u;

/** Whether a mark cannot be confused with a word or part of a model name: a sign, a code, or a distinctive word. */
export function isPlainMark(mark: string): boolean {
  if (SIGN.test(mark) || HAN_MARK.test(mark)) return true;
  if (ISO_CURRENCIES.has(mark)) return !WORDLIKE_CODES.has(mark);
  return CURRENCY_MARKS.has(mark) && mark.length >= 2 && !WORDLIKE.has(mark);
}

/** Currency codes and marks that are also words, units or names. */
const WORDLIKE_CODES: ReadonlySet<string> = new Set(
  'ALL TOP CUP MOP SOS TRY MAD BAM ANG PEN LSL GIP'.split(' '),
);
const WORDLIKE: ReadonlySet<string> = new Set(
  'ID LE DA DT MT RF KM BD LD KD JD UM NT QR SR DH Dh FG MK ZK Ar Bs Re Rf Db Ks Nu VT Vt Br Sl Le den. som din lari pound won yen yuan peso dollar franc Esc Fr tl tg tk'.split(
    ' ',
  ),
);

/** ISO 4217 codes in use, and withdrawn ones that old pages still print. */
const ISO_CURRENCIES: ReadonlySet<string> = new Set(
  (
    'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF ' +
    'CLF CLP CNY COP CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD ' +
    'HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL ' +
    'LVL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR ' +
    'PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP ' +
    'TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWL BYR RUR EEK DEM PTE TRL SKK ' +
    'SIT ITL FRF ESP ATS BEF NLG FIM GRD IEP'
  ).split(' '),
);

/** Former or informal codes, with the current code of the same currency. */
const ISO_ALIASES: ReadonlyMap<string, string> = new Map([
  ['RUR', 'RUB'],
  ['RMB', 'CNY'],
  ['NTD', 'TWD'],
  ['NIS', 'ILS'],
  ['UKP', 'GBP'],
  ['SFR', 'CHF'],
  ['YTL', 'TRY'],
  ['CND', 'CAD'],
  ['DHS', 'AED'],
]);

/**
 * Marks that shops print → ISO codes, the most common first. With several codes, the page's language or the host's
 * country decides; without either, the mark is ambiguous.
 */
const TABLE = `
€ EUR|euro EUR|euros EUR|евро EUR|ευρώ EUR|ევრო EUR
£ GBP|￡ GBP|₤ GBP|stg GBP|pound GBP|GBp GBP|E£ EGP
US$ USD|US $ USD|U$S USD|USD$ USD|$US USD|U$ USD
C$ CAD|CA$ CAD|CAN$ CAD|CAD$ CAD|CDN$ CAD|$CA CAD|A$ AUD|AU$ AUD|AU $ AUD|AUD$ AUD|NZ$ NZD|HK$ HKD|NT$ TWD|NT TWD|S$ SGD|SG$ SGD
MX$ MXN|MXN$ MXN|R$ BRL|RD$ DOP|J$ JMD|TT$ TTD|BZ$ BZD|MOP$ MOP|CUC$ CUC|Z$ ZWL|G$ GYD|GY$ GYD|T$ TOP|$U UYU|$b BOB|COP$ COP|AR$ ARS|CLP$ CLP
$ USD CAD AUD NZD MXN ARS CLP COP SGD HKD UYU TWD|＄ USD
₽ RUB|руб. RUB BYN|руб RUB BYN|рублей RUB BYN|рубля RUB BYN|рубль RUB BYN|р. RUB BYN|р RUB BYN|Р RUB|Rbl RUB|rub RUB|р/шт RUB|RUB. RUB|Br BYN ETB|бел. руб. BYN|бел.руб. BYN
₴ UAH|грн. UAH|грн UAH|гривень UAH|hrn UAH|₸ KZT|тг KZT|тг. KZT|тенге KZT|сум UZS|so'm UZS|som UZS|сўм UZS|Sʻ UZS|S' UZS|с KGS|сом KGS|₼ AZN|AZN AZN|₾ GEL|ლ GEL|ლარი GEL|lari GEL|֏ AMD|դր. AMD
zł PLN|zl PLN|Zł PLN|ZŁ PLN|zł. PLN|złotych PLN|Kč CZK|kč CZK|Kc CZK|KČ CZK|CZK CZK|,- Kč CZK|Ft HUF|Ft. HUF|forint HUF|lei RON MDL|Lei RON MDL|LEI RON MDL|leu RON MDL|лв. BGN|лв BGN|лева BGN|lv BGN|lv. BGN|kn HRK|Kn HRK|KN HRK|kuna HRK
KM BAM|км BAM|din RSD|din. RSD|дин RSD|дин. RSD|Дин RSD|Дин. RSD|Dinara RSD|dinara RSD|ден MKD|ден. MKD|ДЕН MKD|den. MKD|Lek ALL|lekë ALL
Fr. CHF|Fr CHF|SFr. CHF|SFr CHF|sFr. CHF|CHf CHF|franken CHF|CHF. CHF
kr SEK NOK DKK ISK|kr. DKK NOK SEK ISK|Kr SEK NOK DKK ISK|Kr. DKK NOK SEK ISK|KR SEK NOK DKK ISK|SEK SEK|:- SEK|ISK ISK|krónur ISK|kronor SEK|kroner NOK DKK
₺ TRY|TL TRY|tl TRY|YTL TRY|₪ ILS|ש"ח ILS|ש״ח ILS|ש''ח ILS|שח ILS|nis ILS|ש.ח. ILS
₹ INR|र INR|रु INR|रू INR|ரூ INR|Rs. INR PKR LKR NPR MUR|Rs INR PKR LKR NPR MUR|RS INR PKR|rs INR PKR|Re INR|₨ INR PKR LKR NPR MUR|රු LKR|৳ BDT|Tk BDT|Tk. BDT|টাকা BDT|रुपये INR|روپے PKR
¥ JPY CNY|￥ JPY CNY|円 JPY|yen JPY|JP¥ JPY|CN¥ CNY|元 CNY TWD|圆 CNY|圓 TWD|人民币 CNY|yuan CNY|RMB CNY|₩ KRW|￦ KRW|원 KRW|원~ KRW|won KRW
฿ THB|บาท THB|บ. THB|₫ VND|đ VND|Đ VND|VNĐ VND|vnđ VND|đồng VND|Rp IDR|Rp. IDR|rp IDR|RM MYR|rm MYR|₱ PHP|Php PHP|PhP PHP|₭ LAK|៛ KHR|Ks MMK|₮ MNT|Nu. BTN|Nu BTN|Rf MVR
AED AED|Dhs AED|Dhs. AED|Dh AED MAD|DH MAD AED|د.إ AED|درهم AED MAD|دإ AED|SR SAR|SAR SAR|ر.س SAR|رس SAR|ريال SAR QAR OMR YER|﷼ SAR IRR QAR OMR YER|QR QAR|ر.ق QAR|ر.ع OMR|KD KWD|د.ك KWD|BD BHD|.د.ب BHD|د.ب BHD|د.ا JOD|د.أ JOD|JD JOD|دينار JOD KWD IQD|دينار أردني JOD|دينار كويتي KWD|ع.د IQD|د.ع IQD|ج.م EGP|ج.م. EGP|جنيه EGP SDG|جن EGP|LE EGP|L.E. EGP|EGP EGP|ل.ل LBP|ل.س SYP|د.ت TND|DT TND|د.ج DZD|دج DZD|DA DZD|د.م MAD|د.م. MAD|ج.س SDG|ج.س. SDG|ل.د LYD|LD LYD|تومان IRR|ریال IRR|؋ AFN|ش.ج ILS
R ZAR|₦ NGN|KSh KES|KSh. KES|KShs KES|Ksh KES|TSh TZS|USh UGX|GH₵ GHS|GHC GHS|₵ GHS|ZK ZMW|K ZMW PGK|MK MWK|FRw RWF|RF RWF|R₣ RWF|FBu BIF|Fbu BIF|FG GNF|GFr GNF|CFA XOF XAF|FCFA XAF XOF|F CFA XOF XAF|Fdj DJF|ብር ETB|Nfk ERN|ናቕፋ ERN|نافكا ERN|Db STN|MT MZN|MTn MZN|Kz AOA|kwz AOA|Ar MGA|UM MRU|P BWP|E SZL|D GMD|Le SLE|Sl SLE|SPL SPL|₣ FRF|franc FRF CHF|francs FRF CHF
S/. PEN|S/ PEN|B/. PAB|Bs VES BOB|Bs. VES BOB|BsF VES|Gs. PYG|₲ PYG|₡ CRC|¢ USD|Q GTQ|q GTQ|L HNL|C$ NIO|ƒ AWG|VT VUV|Vt VUV|Esc CVE|ID IQD|K LAK
pesos MXN ARS CLP COP|peso MXN ARS CLP COP PHP|dollars USD|dollar USD|reais BRL
BTC BTC|Ƀ BTC|₿ BTC|₶ FRF|DEM DEM|PTE PTE
`;

/** Mark → ISO codes. */
export const CURRENCY_MARKS: ReadonlyMap<string, readonly string[]> = parseTable(TABLE);

/** Lengths of the marks and codes by their first (0) or last (-1) character, longest first: most characters have none. */
function lengthsBy(position: 0 | -1): ReadonlyMap<string, readonly number[]> {
  const lengths = new Map<string, Set<number>>();
  for (const mark of [...CURRENCY_MARKS.keys(), ...ISO_CURRENCIES]) {
    const character = mark.at(position) as string;
    lengths.set(character, (lengths.get(character) ?? new Set()).add(mark.length));
  }
  return new Map([...lengths].map(([character, all]) => [character, [...all].toSorted((a, b) => b - a)]));
}

const LENGTHS_BY_FIRST = lengthsBy(0);
const LENGTHS_BY_LAST = lengthsBy(-1);

function parseTable(table: string): Map<string, readonly string[]> {
  const marks = new Map<string, readonly string[]>();
  for (const entry of table.split(/[|\n]/)) {
    const words = entry.trim().split(' ');
    const at = words.findIndex((word, i) => i > 0 && /^[A-Z]{3}$/.test(word));
    if (at < 1) continue;
    const mark = words.slice(0, at).join(' ');
    if (!marks.has(mark)) marks.set(mark, words.slice(at));
  }
  return marks;
}

/** Country (from the host's top-level domain or a language tag) → ISO code. */
const COUNTRY_CURRENCY: ReadonlyMap<string, string> = new Map(
  (
    'us USD|ca CAD|au AUD|nz NZD|mx MXN|ar ARS|cl CLP|co COP|sg SGD|hk HKD|tw TWD|uy UYU|uk GBP|gb GBP|ie EUR|de EUR|fr EUR|' +
    'it EUR|es EUR|pt EUR|nl EUR|be EUR|at EUR|fi EUR|gr EUR|sk EUR|si EUR|lv EUR|lt EUR|ee EUR|lu EUR|mt EUR|cy EUR|hr EUR|' +
    'me EUR|ch CHF|li CHF|se SEK|no NOK|dk DKK|is ISK|pl PLN|cz CZK|hu HUF|ro RON|md MDL|bg BGN|rs RSD|ba BAM|mk MKD|al ALL|' +
    'ru RUB|by BYN|ua UAH|kz KZT|uz UZS|kg KGS|ge GEL|am AMD|az AZN|tr TRY|il ILS|in INR|pk PKR|lk LKR|np NPR|bd BDT|mu MUR|' +
    'jp JPY|cn CNY|kr KRW|th THB|vn VND|id IDR|my MYR|ph PHP|ae AED|sa SAR|qa QAR|om OMR|kw KWD|bh BHD|jo JOD|iq IQD|eg EGP|' +
    'lb LBP|ma MAD|tn TND|dz DZD|ly LYD|ir IRR|za ZAR|ng NGN|ke KES|tz TZS|ug UGX|gh GHS|zm ZMW|et ETB|br BRL|pe PEN|bo BOB|' +
    've VES|py PYG|cr CRC|gt GTQ|hn HNL|do DOP|jm JMD|tt TTD|rw RWF'
  )
    .split('|')
    .map((entry): [string, string] => {
      const [country, iso] = entry.split(' ') as [string, string];
      return [country, iso];
    }),
);
