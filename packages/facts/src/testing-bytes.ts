import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

/** The facts of the page, in any encoding. */
interface Product {
  readonly name: string;
  readonly brand: string;
}

const LATIN: Product = { name: 'Café crème', brand: 'Châtelain' };
const CYRILLIC: Product = { name: 'Кофе молотый', brand: 'Чайка' };
const GREEK: Product = { name: 'Καφές αλεσμένος', brand: 'Αθήνα' };
const POLISH: Product = { name: 'Kawa mielona żółta', brand: 'Źródło' };
const TURKISH: Product = { name: 'Öğütülmüş kahve', brand: 'Şişli' };
const HEBREW: Product = { name: 'קפה טחון', brand: 'תבור' };
const JAPANESE: Product = { name: '珈琲豆', brand: '山田' };
const CHINESE: Product = { name: '咖啡豆', brand: '茶山' };
const KOREAN: Product = { name: '원두 커피', brand: '한강' };

function pageOf({ name, brand }: Product, head = ''): string {
  const node = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name,
    sku: 'KAF-250',
    brand: { '@type': 'Brand', name: brand },
    offers: {
      '@type': 'Offer',
      price: '19.90',
      priceCurrency: 'EUR',
      availability: 'https://schema.org/InStock',
    },
  };
  return `<!doctype html><html><head>${head}<title>${name}</title><script type="application/ld+json">${JSON.stringify(node)}</script></head><body><h1>${name}</h1><p class="price">19.90 EUR</p></body></html>`;
}

/** Encodes text by inverting the decoders of the Encoding Standard. */
function encoded(text: string, label: string): Uint8Array {
  const decoder = new TextDecoder(label);
  const known = new Map<string, number[]>();
  for (let first = 0; first < 256; first += 1) {
    const one = decoder.decode(Uint8Array.of(first));
    if (one.length === 1 && one !== '\ufffd') known.set(one, known.get(one) ?? [first]);
    for (let second = 0x40; first >= 0x81 && second < 256; second += 1) {
      const two = decoder.decode(Uint8Array.of(first, second));
      if ([...two].length === 1 && two !== '\ufffd') known.set(two, known.get(two) ?? [first, second]);
    }
  }
  return Uint8Array.from([...text].flatMap((character) => known.get(character) ?? [0x3f]));
}

const utf8 = (text: string) => new TextEncoder().encode(text);
function utf16(text: string, first: 0 | 1, mark: boolean): Uint8Array {
  const units = [...(mark ? '\ufeff' : ''), ...text].map((unit) => unit.charCodeAt(0));
  return Uint8Array.from(
    units.flatMap((unit) => (first === 0 ? [unit & 255, unit >> 8] : [unit >> 8, unit & 255])),
  );
}
const meta = (label: string) => `<meta charset="${label}">`;
const header = (label: string) => `text/html; charset=${label}`;
const cut = (bytes: Uint8Array, after: string, more: number) => {
  const text = new TextDecoder('latin1').decode(bytes);
  return bytes.subarray(0, text.indexOf(after) + after.length + more);
};

export type Input = readonly [
  name: string,
  bytes: Uint8Array,
  contentType: string | undefined,
  product: Product,
];

/** All facts must be right. */
export const RIGHT: readonly Input[] = [
  ['UTF-8', utf8(pageOf(LATIN)), undefined, LATIN],
  ['UTF-8 with a mark', utf8(`\ufeff${pageOf(CYRILLIC)}`), undefined, CYRILLIC],
  ['UTF-8 with a mark and another header', utf8(`\ufeff${pageOf(GREEK)}`), header('iso-8859-1'), GREEK],
  ['UTF-8 by the header', utf8(pageOf(HEBREW)), header('utf-8'), HEBREW],
  ['UTF-8 by a label in quotes', utf8(pageOf(KOREAN)), 'text/html; charset="UTF-8"', KOREAN],
  ['UTF-8 under the name of Latin 1, header', utf8(pageOf(LATIN)), header('iso-8859-1'), LATIN],
  ['UTF-8 under the name of Latin 1, meta', utf8(pageOf(JAPANESE, meta('iso-8859-1'))), undefined, JAPANESE],
  ['UTF-8 under the name of windows-1251', utf8(pageOf(CYRILLIC, meta('windows-1251'))), undefined, CYRILLIC],
  ['UTF-8 under an unknown name', utf8(pageOf(LATIN, meta('utf-8-unicode'))), undefined, LATIN],
  ['UTF-8 under the name of UTF-16, meta', utf8(pageOf(LATIN, meta('utf-16'))), undefined, LATIN],
  ['Latin 1, nothing declared', encoded(pageOf(LATIN), 'windows-1252'), undefined, LATIN],
  ['Latin 1 by the header', encoded(pageOf(LATIN), 'windows-1252'), header('iso-8859-1'), LATIN],
  ['Latin 15', encoded(pageOf(LATIN, meta('iso-8859-15')), 'iso-8859-15'), undefined, LATIN],
  ['Mac', encoded(pageOf(LATIN, meta('macintosh')), 'macintosh'), undefined, LATIN],
  ['windows-1250', encoded(pageOf(POLISH, meta('windows-1250')), 'windows-1250'), undefined, POLISH],
  ['ISO 8859-2', encoded(pageOf(POLISH), 'iso-8859-2'), header('iso-8859-2'), POLISH],
  ['windows-1251', encoded(pageOf(CYRILLIC, meta('cp1251')), 'windows-1251'), undefined, CYRILLIC],
  ['KOI8-R', encoded(pageOf(CYRILLIC), 'koi8-r'), header('koi8-r'), CYRILLIC],
  ['ISO 8859-5', encoded(pageOf(CYRILLIC, meta('iso-8859-5')), 'iso-8859-5'), undefined, CYRILLIC],
  ['IBM866', encoded(pageOf(CYRILLIC), 'ibm866'), header('ibm866'), CYRILLIC],
  ['windows-1253', encoded(pageOf(GREEK, meta('windows-1253')), 'windows-1253'), undefined, GREEK],
  ['windows-1254', encoded(pageOf(TURKISH, meta('iso-8859-9')), 'windows-1254'), undefined, TURKISH],
  ['windows-1255', encoded(pageOf(HEBREW), 'windows-1255'), header('windows-1255'), HEBREW],
  ['Shift_JIS', encoded(pageOf(JAPANESE, meta('shift_jis')), 'shift_jis'), undefined, JAPANESE],
  ['EUC-JP', encoded(pageOf(JAPANESE), 'euc-jp'), header('euc-jp'), JAPANESE],
  ['GBK', encoded(pageOf(CHINESE, meta('gb2312')), 'gbk'), undefined, CHINESE],
  ['GB 18030', encoded(pageOf(CHINESE), 'gb18030'), header('gb18030'), CHINESE],
  ['Big5', encoded(pageOf(CHINESE, meta('big5')), 'big5'), undefined, CHINESE],
  ['EUC-KR', encoded(pageOf(KOREAN, meta('euc-kr')), 'euc-kr'), undefined, KOREAN],
  ['UTF-16LE with a mark', utf16(pageOf(LATIN), 0, true), undefined, LATIN],
  ['UTF-16BE with a mark', utf16(pageOf(JAPANESE), 1, true), undefined, JAPANESE],
  ['UTF-16LE by the header', utf16(pageOf(LATIN), 0, false), header('utf-16le'), LATIN],
  ['UTF-16LE without a mark', utf16(pageOf(LATIN), 0, false), undefined, LATIN],
  ['UTF-16BE without a mark', utf16(pageOf(CYRILLIC), 1, false), undefined, CYRILLIC],
  ['UTF-16LE under the name of UTF-8', utf16(pageOf(LATIN), 0, false), header('utf-8'), LATIN],
  [
    'cut within a character of the end',
    cut(utf8(`${pageOf(LATIN)}<p>é`), '<p>', 1),
    header('iso-8859-1'),
    LATIN,
  ],
  ['cut after the heading', cut(utf8(pageOf(GREEK)), '</h1>', 0), undefined, GREEK],
  ['cut within the price', cut(utf8(pageOf(LATIN)), '<p class="price">', 2), undefined, LATIN],
];

/** Facts are right or null, and the finding explains why. */
export const WITH_FINDING: readonly (readonly [...Input, finding: string])[] = [
  [
    'Latin 1 under the name of UTF-8',
    encoded(pageOf(LATIN), 'windows-1252'),
    header('utf-8'),
    LATIN,
    'text_garbled',
  ],
  [
    'KOI8-R under the name of UTF-8',
    encoded(pageOf(CYRILLIC, meta('utf-8')), 'koi8-r'),
    undefined,
    CYRILLIC,
    'text_garbled',
  ],
  [
    'Shift_JIS under the name of UTF-8',
    encoded(pageOf(JAPANESE), 'shift_jis'),
    header('utf-8'),
    JAPANESE,
    'text_garbled',
  ],
  [
    'Latin 1 under the name of EUC-JP',
    encoded(pageOf(LATIN), 'windows-1252'),
    header('euc-jp'),
    LATIN,
    'text_garbled',
  ],
  [
    'a name that holds the character itself',
    utf8(pageOf({ ...LATIN, name: 'Caf\ufffd' })),
    undefined,
    LATIN,
    'text_garbled',
  ],
  ['cut within JSON-LD', cut(utf8(pageOf(LATIN)), '"sku"', 3), undefined, LATIN, 'json_ld_broken'],
  ['gzip', new Uint8Array(gzipSync(pageOf(LATIN))), undefined, LATIN, 'not_text'],
  ['zlib', new Uint8Array(deflateSync(pageOf(LATIN))), header('utf-8'), LATIN, 'not_text'],
  ['deflate', new Uint8Array(deflateRawSync(pageOf(LATIN))), undefined, LATIN, 'not_text'],
  ['brotli', new Uint8Array(brotliCompressSync(pageOf(LATIN))), undefined, LATIN, 'not_text'],
  ['Zstandard', new Uint8Array(zstdCompressSync(pageOf(LATIN))), undefined, LATIN, 'not_text'],
  [
    'gzip that was cut',
    new Uint8Array(gzipSync(pageOf(LATIN))).subarray(0, 90),
    undefined,
    LATIN,
    'not_text',
  ],
];
