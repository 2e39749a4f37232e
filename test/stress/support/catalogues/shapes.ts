/**
 * Catalogues of any size: honest ones of each format, and hostile ones that each repeat what is most expensive to read. All are text of
 * about the given number of bytes.
 */
export type Build = (bytes: number) => string;

const rep = (text: string, bytes: number) => text.repeat(Math.max(1, Math.floor(bytes / text.length)));

function num(entry: (n: number) => string, bytes: number, separator = ''): string {
  const parts: string[] = [];
  for (let n = 0, size = 0; size < bytes; n += 1) {
    const part = entry(n);
    parts.push(part);
    size += part.length + separator.length;
  }
  return parts.join(separator);
}

const SHOPIFY = 'Handle,Title,Vendor,Image Src,Variant SKU,Option1 Value\n';
const WOO = 'ID,Type,SKU,Name,Published,Permalink,Images';
const GOOGLE = 'id\ttitle\tlink\timage_link\n';
const item = (n: number, more = '') =>
  `<item><g:id>${n}</g:id><title>Cup ${n}</title><link>https://shop.example/p/${n}</link>${more}</item>`;
const rss = (x: string) => `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${x}</channel></rss>`;

export const HONEST = {
  'shopify-csv': (b) =>
    SHOPIFY + num((n) => `cup-${n},Cup ${n},Potter,https://cdn.shop.example/${n}.jpg,SKU-${n},Blue\n`, b),
  'google-tsv': (b) =>
    GOOGLE + num((n) => `${n}\tCup ${n}\thttps://shop.example/p/${n}\thttps://shop.example/i/${n}.jpg\n`, b),
  'woocommerce-csv': (b) =>
    WOO +
    '\n' +
    num(
      (n) => `${n},simple,S${n},Cup ${n},1,https://shop.example/p/${n},https://shop.example/i/${n}.jpg\n`,
      b,
    ),
  json: (b) =>
    `{"products":[${num((n) => `{"id":${n + 1},"title":"Cup ${n}","handle":"cup-${n}","vendor":"Potter","variants":[{"sku":"S${n}"}],"images":[{"id":${n},"src":"https://cdn.shop.example/${n}.jpg"}]}`, b, ',')}]}`,
  xml: (b) => rss(num((n) => item(n), b)),
} as const satisfies Record<string, Build>;

export type Format = keyof typeof HONEST;

export const HOSTILE: Readonly<Record<Format, Readonly<Record<string, Build>>>> = {
  'shopify-csv': {
    columns: (b) => `${SHOPIFY.trim()},${num((n) => `c${n}`, b, ',')}\n`,
    'columns empty': (b) => `${SHOPIFY.trim() + rep(',', b)}\n`,
    'one handle': (b) =>
      SHOPIFY + num((n) => `cup,Cup,Potter,https://cdn.shop.example/${n}.jpg,SKU-${n},Blue\n`, b),
    'one quoted cell': (b) => `${SHOPIFY}cup,"${rep('x', b)}",P,,,\n`,
    'unclosed quote': (b) => `${SHOPIFY}cup,"${rep('x\n', b)}`,
    quotes: (b) => `${SHOPIFY}cup,"${rep('""', b)}",P,,,\n`,
    'quote ends': (b) => `${SHOPIFY}cup,${rep('"x",', b)}\n`,
    'rows of separators': (b) => SHOPIFY + rep(',,,,,,,,,,,,,,,,,,,,,,,,\n', b),
    'empty lines': (b) => SHOPIFY + rep('\n', b),
    'no line ends': (b) => SHOPIFY + rep('x', b),
    'stray quotes': (b) => SHOPIFY + rep('a,b"c,d\n', b),
  },
  'woocommerce-csv': {
    'attribute columns': (b) =>
      WOO +
      ',' +
      num((n) => `Attribute ${n} name,Attribute ${n} value(s)`, b / 10, ',') +
      '\n' +
      num((n) => `${n},simple,S,Cup,1,https://shop.example/p/${n},\n`, b * 0.9),
    images: (b) =>
      WOO +
      '\n1,simple,S,Cup,1,https://shop.example/p,"' +
      num((n) => `https://shop.example/${n}.jpg`, b, ', ') +
      '"\n',
    'html name': (b) => `${WOO}\n1,simple,S,${rep('<b>', b)},1,https://shop.example/p,\n`,
  },
  'google-tsv': {
    'same column': (b) =>
      'id\ttitle\tlink' +
      rep('\timage_link', b / 2) +
      '\n1\tCup\thttps://shop.example/p' +
      rep('\thttps://x', b / 2) +
      '\n',
    'one group': (b) =>
      `id\ttitle\tlink\titem_group_id\n${num((n) => `${n}\tCup ${n}\thttps://shop.example/p\tg\n`, b)}`,
    variants: (b) => GOOGLE + num((n) => `${n}\tCup of tea ${n}\thttps://shop.example/p\t\n`, b),
    'long title': (b) =>
      GOOGLE +
      `1\tCup ${rep('&amp;', b / 2)}\thttps://shop.example/p\t\n` +
      num((n) => `${n}\tCup of tea ${n}\thttps://shop.example/p\t\n`, b / 2),
  },
  xml: {
    depth: (b) => rss(`<item>${rep('<a>', b)}`),
    'depth closed wrong': (b) => rss(`<item>${rep('<a>', b / 2)}${rep('</b>', b / 2)}`),
    attributes: (b) => rss(`<item ${num((n) => `a${n}="1"`, b, ' ')}></item>`),
    'one value': (b) => rss(`<item><g:id>1</g:id><title>${rep('x', b)}</title></item>`),
    entities: (b) => rss(`<item><g:id>1</g:id><title>${rep('&amp;', b)}</title></item>`),
    'same element': (b) =>
      rss(`<item><g:id>1</g:id>${rep('<g:additional_image_link>x</g:additional_image_link>', b)}</item>`),
    'other elements': (b) => rss(`<item><g:id>1</g:id>${num((n) => `<g:e${n}>x</g:e${n}>`, b)}</item>`),
    'unclosed tag': (b) => rss(`<item><${rep('a', b)}`),
    'unclosed attribute': (b) => rss(`<item a="${rep('a', b)}`),
    'unclosed comment': (b) => rss(`<!--${rep('- ', b)}`),
    lt: (b) => rss(rep('<', b)),
    prefixes: (b) => rss(num((n) => `<a xmlns:p${n}="x"/>`, b)),
    'empty items': (b) => rss(rep('<item/>', b)),
  },
  json: {
    'keys in product': (b) =>
      `{"products":[{"id":1,"title":"C","handle":"c",${num((n) => `"k${n}":1`, b, ',')}}]}`,
    'keys outside': (b) => `{${num((n) => `"k${n}":1`, b, ',')},"products":[]}`,
    'integer keys': (b) => `[{${num((n) => `"${n * 7919}":1`, b, ',')}}]`,
    'keys unknown': (b) => `[{${num((n) => `"k${n}":{"products":[]}`, b, ',')}}]`,
    depth: (b) => `[${rep('[', b / 2)}${rep(']', b / 2)}]`,
    'depth objects': (b) => `[${rep('{"a":', b)}`,
    images: (b) =>
      `[{"id":1,"title":"C","handle":"c","images":[${num((n) => `{"src":"https://shop.example/${n}"}`, b, ',')}]}]`,
    'images same': (b) =>
      `[{"id":1,"title":"C","handle":"c","images":[${rep('{"src":"https://shop.example/1"},', b)}{"src":"x"}]}]`,
    'images moved': (b) =>
      `[{"externalProductId":"1","name":"C","url":"https://old.example/p","images":[${rep('{"url":"https://old.example/1"},', b)}{"url":"x"}]}]`,
    attributes: (b) =>
      `[{"externalProductId":"1","name":"C","url":"https://shop.example/p","attributes":[${num((n) => `{"name":"a${n}","value":"x"}`, b, ',')}]}]`,
    variants: (b) =>
      `[{"id":1,"title":"C","handle":"c","variants":[${num((n) => `{"sku":"s${n}"}`, b, ',')}]}]`,
    scalars: (b) => rep('1\n', b),
    'list of numbers': (b) => `[${rep('1,', b)}1]`,
    'list of lists': (b) => `[[${rep('[],', b)}[]]]`,
    'spaces in title': (b) => `[{"id":1,"handle":"c","title":"${rep(' x', b)}"}]`,
    'html title': (b) =>
      `[{"id":1,"permalink":"https://shop.example/p","prices":{},"name":"${rep('<b>&', b)}"}]`,
    escapes: (b) => `[{"id":1,"handle":"c","title":"${rep('\\u0041', b)}"}]`,
    'long url': (b) =>
      `[{"externalProductId":"1","name":"C","url":"https://shop.example/${rep('a/../', b)}","images":[]}]`,
  },
};
