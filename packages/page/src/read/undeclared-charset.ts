/**
 * Encodings that browsers assume for pages of a language that declare none (HTML Living Standard 13.2.3.2, table of locales). All others:
 * windows-1252.
 */
const BY_LANGUAGE: Readonly<Record<string, string>> = {
  ar: 'windows-1256',
  az: 'windows-1254',
  ba: 'windows-1251',
  be: 'windows-1251',
  bg: 'windows-1251',
  cs: 'windows-1250',
  el: 'iso-8859-7',
  et: 'windows-1257',
  fa: 'windows-1256',
  he: 'windows-1255',
  hr: 'windows-1250',
  hu: 'iso-8859-2',
  ja: 'shift_jis',
  kk: 'windows-1251',
  ko: 'euc-kr',
  ku: 'windows-1254',
  ky: 'windows-1251',
  lt: 'windows-1257',
  lv: 'windows-1257',
  mk: 'windows-1251',
  pl: 'iso-8859-2',
  ru: 'windows-1251',
  sah: 'windows-1251',
  sk: 'windows-1250',
  sl: 'iso-8859-2',
  sr: 'windows-1251',
  tg: 'windows-1251',
  th: 'windows-874',
  tr: 'windows-1254',
  tt: 'windows-1251',
  uk: 'windows-1251',
  vi: 'windows-1258',
  zh: 'gbk',
};

/** Largest share of invalid sequences among the characters beyond ASCII of a page that is still read as UTF-8. */
const MOST_INVALID = 0.1;

/**
 * Decodes bytes without a declared encoding that are not valid UTF-8: as UTF-8 if few sequences are invalid, otherwise in the usual encoding
 * of the page's language.
 */
export function decodeUndeclared(bytes: Uint8Array): { readonly text: string; readonly encoding: string } {
  const utf8 = new TextDecoder().decode(bytes);
  if (isMostlyUtf8(utf8)) return { text: utf8, encoding: 'utf-8' };
  // the markup before the first text is ASCII in each of these encodings
  const lang = /<html\b[^>]*\slang\s*=\s*["']?([a-z]{2,3})(?:-([a-z]+))?/i.exec(utf8);
  const encoding = lang === null ? undefined : ofLanguage(lang[1], lang[2]);
  const decoder = new TextDecoder(encoding ?? 'windows-1252');
  return { text: decoder.decode(bytes), encoding: decoder.encoding };
}

function ofLanguage(language = '', region = ''): string | undefined {
  const name = language.toLowerCase();
  return name === 'zh' && /^(?:tw|hk|mo|hant)$/i.test(region) ? 'big5' : BY_LANGUAGE[name];
}

function isMostlyUtf8(text: string): boolean {
  let invalid = 0;
  let beyondAscii = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    beyondAscii += 1;
    if (unit === 0xfffd) invalid += 1;
  }
  return invalid <= beyondAscii * MOST_INVALID;
}
