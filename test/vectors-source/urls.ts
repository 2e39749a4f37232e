import { bareCertificate, documentVector } from './builder.ts';
import type { Keys } from './keys.ts';
import { issuerKeySet, type Theme } from './theme.ts';
import { proof } from './tokens.ts';

/** When two page addresses are equal, one rule at a time. */
export function urls(keys: Keys): Theme {
  return {
    name: 'urls',
    about: 'When the address of a page is the signed one, one rule at a time.',
    jwks: { issuer: issuerKeySet(keys) },
    vectors: [...same(), ...tracking(), ...carried, ...different].map((given) => {
      const [id, title, signed, page, fault] = given;
      const rules = ['EQ-URL', 'CHECK-URL', 'AUTH-4-URL'];
      return documentVector({
        id: `url-${id}`,
        title,
        rules: carried.includes(given) ? [...rules, 'EQ-SIGNED'] : rules,
        document: bareCertificate(proof(keys.issuer, { url: signed })),
        context: { pageUrl: page },
        status: fault === undefined ? 'verified' : 'failed',
        ...(fault === undefined ? {} : { checks: { boundToUrl: fault } }),
      });
    }),
  };
}

type UrlCase = readonly [id: string, title: string, signed: string, page: string, fault?: string];

const S = 'https://shop.example/products/kettle';
const ROOT = 'https://shop.example';
const SALE = `${ROOT}/collections/sale`;

function same(): UrlCase[] {
  return [
    ['same', 'The same address', S, S],
    ['host-case', 'Scheme and host in capitals', S, 'HTTPS://SHOP.EXAMPLE/products/kettle'],
    ['host-dot', 'A dot at the end of the host', S, `${ROOT}./products/kettle`],
    ['default-port', 'The default port written out', S, `${ROOT}:443/products/kettle`],
    ['fragment', 'A fragment', S, `${S}#reviews`],
    ['fragment-signed', 'A fragment in the signed address', `${S}#top`, S],
    ['slash', 'A slash at the end of the page', S, `${S}/`],
    ['slash-signed', 'A slash at the end of the signed address', `${S}/`, S],
    ['root', 'The front page with and without its slash', `${ROOT}/`, ROOT],
    ['collection', 'Reached through a collection', S, `${ROOT}/collections/sale/products/kettle`],
    [
      'collection-same',
      'The collection that was signed',
      `${SALE}/products/kettle`,
      `${SALE}/products/kettle`,
    ],
    [
      'collection-locale',
      'A collection behind a language',
      `${ROOT}/de/products/kettle`,
      `${ROOT}/de/collections/sale/products/kettle`,
    ],
    [
      'collection-encoded',
      'A collection with an encoded name',
      S,
      `${ROOT}/collections/caf%C3%A9/products/kettle`,
    ],
    ['unreserved-decoded', 'An unreserved letter in percent-encoding', S, `${ROOT}/products/%6Bettle`],
    [
      'unreserved-marks',
      'Hyphen, dot, underscore and tilde in percent-encoding',
      `${ROOT}/p/a-b.c_d~e`,
      `${ROOT}/p/a%2Db%2Ec%5Fd%7Ee`,
    ],
    [
      'unreserved-digits',
      'Digits in percent-encoding',
      `${ROOT}/p/0189azAZ`,
      `${ROOT}/p/%30%31%38%39%61%7A%41%5A`,
    ],
    ['other-port', 'The same other port', `${ROOT}:8443/products/kettle`, `${ROOT}:8443/products/kettle/`],
    [
      'hex-case',
      'Percent-encoding in lower case',
      `${ROOT}/products/caf%C3%A9`,
      `${ROOT}/products/caf%c3%a9`,
    ],
    ['letters', 'A letter beyond ASCII as it is', `${ROOT}/products/caf%C3%A9`, `${ROOT}/products/café`],
    ['dot-segments', 'Dot segments', S, `${ROOT}/about/../products/./kettle`],
    ['dot-segments-encoded', 'Dot segments in percent-encoding', S, `${ROOT}/about/%2e%2e/products/kettle`],
    ['backslash', 'Backslashes', S, 'https:\\\\shop.example\\products\\kettle'],
    ['white-space', 'White space about the address', S, `  ${S}\n`],
    ['line-break', 'A line break inside the address', S, `${ROOT}/products/\nkettle`],
    ['empty-query', 'A question mark alone', S, `${S}?`],
    ['empty-pairs', 'Empty pairs', `${S}?size=m`, `${S}?&&size=m&`],
    ['order', 'Parameters in another order', `${S}?colour=red&size=m`, `${S}?size=m&colour=red`],
    [
      'order-stable',
      'A name that stands twice keeps its order among others',
      `${S}?a=1&b=3&a=2`,
      `${S}?b=3&a=1&a=2`,
    ],
    [
      'query-decoded',
      'An unreserved letter of a parameter in percent-encoding',
      `${S}?size=m`,
      `${S}?%73ize=%6D`,
    ],
    [
      'tracking-beside',
      'Tracking beside a parameter that counts',
      `${S}?size=m`,
      `${S}?utm_source=mail&size=m&gclid=1`,
    ],
    ['tracking-signed', 'The signed tracking, and more of another name', `${S}?ref=1`, `${S}?gclid=2&ref=1`],
    ['tracking-encoded', 'The name of a tracking parameter in percent-encoding', S, `${S}?%75tm_source=mail`],
    ['tracking-valueless', 'A tracking parameter without a value', S, `${S}?fbclid`],
    ['tracking-twice', 'A tracking parameter twice', S, `${S}?ref=a&ref=b`],
    ['route', 'The signed route of a script', `${ROOT}/#!/kettle/7`, `${ROOT}/?utm_source=mail#!/kettle/%37`],
    ['route-slash', 'The signed route of a script, with a slash', `${ROOT}/#/kettle`, `${ROOT}#/kettle`],
    ['route-added', 'A route where none was signed', S, `${S}#/size-m`],
    ['percent-alone', 'A percent sign that encodes nothing, and a letter after it', `${S}%g%6B`, `${S}%gk`],
    ['longest', 'An address of 8,192 characters', S, `${S}?utm_source=${'a'.repeat(8192 - S.length - 12)}`],
    ['http', 'Both by http', 'http://shop.example/products/kettle', 'http://shop.example:80/products/kettle'],
  ];
}

/** Every parameter that only tracks or selects, one at a time. */
const IGNORED = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_anything',
  'gclid',
  'gad_source',
  'gad_campaignid',
  'gbraid',
  'wbraid',
  'dclid',
  'fbclid',
  'msclkid',
  'yclid',
  'ttclid',
  'twclid',
  'li_fat_id',
  'srsltid',
  'igshid',
  'mc_cid',
  'mc_eid',
  '_hsenc',
  '_hsmi',
  'mkt_tok',
  '_kx',
  '_ga',
  '_gl',
  'ref',
  'ref_src',
  'variant',
  '_pos',
  '_sid',
  '_ss',
  '_psq',
  '_fid',
  '_v',
];

/** Similar names that are not ignored. */
const NEARLY = [
  'utm',
  'utmsource',
  'UTM_SOURCE',
  'xutm_source',
  'gclid2',
  'gad',
  'fbclids',
  'mc_did',
  'mc_',
  'hsenc',
  'refs',
  'ref_',
  'referrer',
  'variants',
  'variant_id',
  'pos',
  '_',
  '_vv',
  'ga',
  'glid',
];

function tracking(): UrlCase[] {
  return [
    ...IGNORED.map(
      (name): UrlCase => [`ignored-${name}`, `The parameter ${name} does not count`, S, `${S}?${name}=7`],
    ),
    ...NEARLY.map(
      (name): UrlCase => [
        `counts-${name}`,
        `The parameter ${name} counts`,
        S,
        `${S}?${name}=7`,
        'url_extra_parameter',
      ],
    ),
  ];
}

/** Parameters in the signed address are never ignored, though a page may add similar ones. */
const carried: readonly UrlCase[] = [
  ['collection-signed', 'Without the signed collection', `${SALE}/products/kettle`, S, 'url_differs'],
  [
    'collection-other',
    'Through another collection',
    `${ROOT}/collections/new/products/kettle`,
    `${SALE}/products/kettle`,
    'url_differs',
  ],
  [
    'collection-before',
    'A collection before the signed one',
    `${SALE}/products/kettle`,
    `${ROOT}/collections/new/collections/sale/products/kettle`,
    'url_differs',
  ],
  ['tracking-missing', 'Without the signed tracking', `${S}?utm_source=mail`, S, 'url_differs'],
  ['tracking-changed', 'Another value of the signed tracking', `${S}?ref=1`, `${S}?ref=2`, 'url_differs'],
  [
    'tracking-again',
    'The signed tracking, and another value of it',
    `${S}?ref=1`,
    `${S}?ref=1&ref=2`,
    'url_differs',
  ],
  [
    'variant-changed',
    'Another variant than the signed one',
    `${S}?variant=1`,
    `${S}?variant=2`,
    'url_differs',
  ],
  [
    'route-changed',
    'Another route than the signed one',
    `${ROOT}/#!/product/1`,
    `${ROOT}/#!/product/2`,
    'url_differs',
  ],
  [
    'route-slash-changed',
    'Another route than the signed one, with a slash',
    `${ROOT}/#/product/1`,
    `${ROOT}/#/product/2`,
    'url_differs',
  ],
  ['route-missing', 'Without the signed route', `${ROOT}/#!/product/1`, `${ROOT}/`, 'url_differs'],
  [
    'route-mark',
    'The signed route by another mark',
    `${ROOT}/#!/product/1`,
    `${ROOT}/#/product/1`,
    'url_differs',
  ],
];

const different: readonly UrlCase[] = [
  ['scheme', 'http where https was signed', S, 'http://shop.example/products/kettle', 'url_differs'],
  ['scheme-signed', 'https where http was signed', 'http://shop.example/products/kettle', S, 'url_differs'],
  ['port', 'Another port', S, `${ROOT}:8443/products/kettle`, 'url_differs'],
  ['ports', 'Two other ports', `${ROOT}:8443/products/kettle`, `${ROOT}:9443/products/kettle`, 'url_differs'],
  ['port-of-http', 'The port of http with https', S, `${ROOT}:80/products/kettle`, 'url_differs'],
  ['path', 'Another product', S, `${ROOT}/products/teapot`, 'url_differs'],
  ['path-case', 'The path in capitals', S, `${ROOT}/products/Kettle`, 'url_differs'],
  ['path-longer', 'A path below the signed one', S, `${S}/reviews`, 'url_differs'],
  ['path-prefix', 'A path that begins like the signed one', S, `${S}-2`, 'url_differs'],
  ['path-front', 'The front page', S, `${ROOT}/`, 'url_differs'],
  ['slashes', 'Two slashes at the end', S, `${S}//`, 'url_differs'],
  ['slashes-inside', 'Two slashes inside', S, `${ROOT}/products//kettle`, 'url_differs'],
  ['reserved', 'An encoded slash is no slash', S, `${ROOT}/products%2Fkettle`, 'url_differs'],
  [
    'reserved-question',
    'An encoded question mark begins no query',
    `${S}?size=m`,
    `${S}%3Fsize=m`,
    'url_differs',
  ],
  ['double-encoded', 'Percent-encoding is decoded once', S, `${ROOT}/products/%256Bettle`, 'url_differs'],
  ['malformed-percent', 'A percent sign that encodes nothing', S, `${S}%`, 'url_differs'],
  ['malformed-hex', 'Percent-encoding that is none', S, `${ROOT}/products/%6xettle`, 'url_differs'],
  ['nul', 'An encoded NUL', S, `${S}%00`, 'url_differs'],
  [
    'percent-joined',
    'An encoded digit does not make a percent sign whole',
    `${ROOT}/p%2F1`,
    `${ROOT}/p%2%461`,
    'url_differs',
  ],
  ['percent-joined-first', 'The first digit likewise', `${ROOT}/p%2F1`, `${ROOT}/p%%32F1`, 'url_differs'],
  ['percent-joined-both', 'Both digits likewise', `${ROOT}/pF1`, `${ROOT}/p%%34%361`, 'url_differs'],
  ['percent-joined-query', 'Likewise in a parameter', `${S}?q=a%26b`, `${S}?q=a%2%36b`, 'url_differs'],
  [
    'too-long',
    'An address of 8,193 characters',
    S,
    `${S}?utm_source=${'a'.repeat(8193 - S.length - 12)}`,
    'url_too_long',
  ],
  [
    'too-many-parameters',
    'Two thousand parameters more',
    S,
    `${S}?${'a&'.repeat(2000)}`,
    'url_extra_parameter',
  ],
  ['collection-alone', 'A collection without products', S, `${ROOT}/collections/sale/kettle`, 'url_differs'],
  [
    'collection-itself',
    'The collection itself',
    `${ROOT}/collections/sale`,
    `${ROOT}/collections/new`,
    'url_differs',
  ],
  [
    'collection-deep',
    'A collection of two segments',
    S,
    `${ROOT}/collections/sale/red/products/kettle`,
    'url_differs',
  ],
  ['matrix', 'A path parameter', S, `${S};v=2`, 'url_differs'],
  [
    'letter-composed',
    'A letter composed and decomposed: another address',
    `${ROOT}/products/caf%C3%A9`,
    `${ROOT}/products/cafe%CC%81`,
    'url_differs',
  ],
  ['extra', 'A parameter that was not signed', S, `${S}?size=m`, 'url_extra_parameter'],
  [
    'extra-empty',
    'A parameter without a value that was not signed',
    S,
    `${S}?preview`,
    'url_extra_parameter',
  ],
  ['extra-beside', 'One parameter more', `${S}?size=m`, `${S}?size=m&colour=red`, 'url_extra_parameter'],
  ['extra-twice', 'The signed parameter twice', `${S}?size=m`, `${S}?size=m&size=m`, 'url_differs'],
  ['missing', 'A signed parameter that the page lacks', `${S}?size=m`, S, 'url_differs'],
  [
    'missing-and-extra',
    'A signed parameter gone and two others come',
    `${S}?size=m`,
    `${S}?colour=red&shape=round`,
    'url_differs',
  ],
  ['changed', 'A parameter with another value', `${S}?size=m`, `${S}?size=l`, 'url_differs'],
  ['value-case', 'A value in capitals', `${S}?size=m`, `${S}?size=M`, 'url_differs'],
  ['repeated-order', 'A repeated parameter in another order', `${S}?a=1&a=2`, `${S}?a=2&a=1`, 'url_differs'],
  ['plus', 'A plus sign is no encoded space', `${S}?q=a%20b`, `${S}?q=a+b`, 'url_differs'],
  ['valueless', 'An empty value is not no value', `${S}?preview`, `${S}?preview=`, 'url_differs'],
  [
    'encoded-ampersand',
    'An encoded ampersand divides nothing',
    `${S}?a=1&b=2`,
    `${S}?a=1%26b=2`,
    'url_differs',
  ],
  [
    'credentials',
    'A user name and password',
    S,
    'https://user:pass@shop.example/products/kettle',
    'url_credentials',
  ],
  ['credentials-user', 'A user name', S, 'https://user@shop.example/products/kettle', 'url_credentials'],
  [
    'credentials-signed',
    'A user name in the signed address',
    'https://user@shop.example/products/kettle',
    S,
    'url_credentials',
  ],
  ['signed-relative', 'A signed address without a host', '/products/kettle', S, 'signed_url_invalid'],
  ['signed-empty', 'An empty signed address', '', S, 'signed_url_invalid'],
  [
    'signed-ftp',
    'A signed address that is no web page',
    'ftp://shop.example/products/kettle',
    S,
    'signed_url_invalid',
  ],
];
