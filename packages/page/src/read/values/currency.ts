import { COUNTRY_CURRENCY, CURRENCY_MARKS, ISO_ALIASES, ISO_CURRENCIES } from './currency-table.ts';

/** What the page tells about where it sells. */
export interface Locale {
  /** Country codes, lower case, the surest first: top-level domain, region of the language tag. */
  readonly countries: readonly string[];
}

/**
 * ISO 4217 code of a currency as a page writes it: a code, or a mark such as `€`, `zł`, `Rs`. A mark of
 * several currencies is told by the locale, else by being the one that most shops of the mark mean; the
 * second is said in `guessed`.
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
  return { iso: first, guessed: true };
}

/** Countries that a host name and a language tag point to. */
export function localeOf(hostname: string, language: string | undefined): Locale {
  const countries: string[] = [];
  const tld = hostname.split('.').at(-1) ?? '';
  if (tld.length === 2 && COUNTRY_CURRENCY.has(tld) && !GENERIC_TLDS.has(tld)) countries.push(tld);
  const region = /^[a-z]{2,3}[-_](?:[a-z]{4}[-_])?([a-z]{2})\b/i.exec(language ?? '')?.[1]?.toLowerCase();
  if (region !== undefined) countries.push(region);
  return { countries };
}

/** Country codes that are sold as generic names. */
const GENERIC_TLDS: ReadonlySet<string> = new Set('co me tv io ai cc ws to fm ly'.split(' '));
