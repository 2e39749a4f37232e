import * as state from '../../../../packages/facts/src/state/products.ts';
import { CURRENCY_MARKS } from '../../../../packages/facts/src/values/currency.ts';
import { MARK_WORDS } from '../../../../packages/facts/src/visible/marks.ts';
import { BLOCK_ELEMENTS, HIDDEN_TEXT, VOID_ELEMENTS } from '../../../../packages/page/src/read/dom/tables.ts';

/** A page that repeats one fragment; `#` in a fragment is replaced by a unique number. */
export interface Growing {
  readonly name: string;
  readonly before: string;
  readonly fragment: string;
  readonly after: string;
}

const NAME = 'Copper lamp with shade';
export const PAGE_URL = `https://shop.example/p/copper-lamp-with-shade-1234567?variant=12345`;
/** A page's address with the maximum number of parameters that are read. */
export const LONG_URL =
  `https://shop.example/p/copper-lamp-with-shade-1234567?${Array.from({ length: 700 }, (_, i) => `b${i}=1`).join('&')}`.slice(
    0,
    3_990,
  );
const HEAD = `<!doctype html><html lang="en"><title>${NAME}</title>`;
const HEADED = `${HEAD}<h1>${NAME}</h1>`;

/** The page grown to about this number of characters. */
export function grown({ before, fragment, after }: Growing, length: number): string {
  const parts: string[] = [before];
  let size = before.length + after.length;
  for (let i = 0; size < length; i++) {
    const part = fragment.includes('#') ? fragment.replaceAll('#', String(i)) : fragment;
    parts.push(part);
    size += part.length;
  }
  parts.push(after);
  return parts.join('');
}

const OTHER_TAGS =
  'a abbr b big code em font i ins del s strike small span strong sub sup u label time data meter'.split(' ');
export const TAGS: readonly string[] = [
  ...new Set([...VOID_ELEMENTS, ...HIDDEN_TEXT, ...BLOCK_ELEMENTS, ...OTHER_TAGS, 'my-element', 'plaintext']),
];

export const PRICES: readonly string[] = [
  '$1',
  '$1.00',
  '1,00 €',
  '1',
  '12',
  '1.299,00 €',
  '1 2',
  '1-9',
  '$1 - $2',
  '-$1',
  '($1)',
  'free',
  'Now $1',
  'was $2',
  'from $1',
  '1 299 Kč',
  '1 to 2 €',
  'USD 1',
  '.',
  ',',
  '99',
  '$',
  '€',
  '1,',
  '-',
  '20%',
  '1/kg',
  '1 €/kg',
  '٣٫٥٠ ر.س',
  '1 1 1 1 1 1 1 1',
  '1.1.1.1.1.1',
  "1'1'1'1",
  '£1£1£1',
  '12.12.2020',
  '4 x $1',
];

const TEXTS: readonly string[] = [
  'Add to cart',
  'In stock',
  'Out of stock',
  'Ships in 3 weeks',
  'Availability:',
  'SKU:',
  'SKU 12-34',
  'Brand:',
  'Brand: Lumen',
  'Visit the Lumen store',
  'Price',
  'Price:',
  'You may also like',
  'Contact seller',
  'incl. VAT',
  'excl. VAT',
  'Shipping',
  'was',
  'statt',
  'Art. Nr.',
  ':',
  '#',
  'lowest price of the last 30 days',
  'notify me when available',
  NAME,
  'copper',
  'a',
  'ﷺ',
  '\u{1F600}',
  '\u202e',
  '&amp;',
  '&notit;',
  '&#0;',
  '<',
  '< ',
  '\u0301',
  'İ',
  '\u0000',
  ' ',
  'not not available',
  'available in selected',
  '0000000000',
];

/** Attributes that the reader evaluates, with a meaningful value. */
export const ATTRIBUTES: readonly string[] = [
  'class="price"',
  'class="old"',
  'id="a#"',
  'id="a"',
  'hidden',
  'style="display:none"',
  'style="text-decoration:line-through"',
  'href="/other-#"',
  'href="other"',
  'href="https://x.example/brands/lumen"',
  'src="/i#.jpg"',
  'alt="Lumen logo"',
  'itemprop="price"',
  'itemprop="offers" itemscope',
  'itemscope',
  'itemscope itemtype="https://schema.org/Product"',
  'itemscope itemtype="https://schema.org/Product" itemref="a b c d"',
  'itemprop="name"',
  'itemprop="description"',
  'itemprop="offers" itemscope itemtype="https://schema.org/Offer"',
  'itemprop="isRelatedTo" itemscope itemtype="http://schema.org/Product"',
  'vocab="https://schema.org/"',
  'typeof="Product"',
  'vocab="https://schema.org/" typeof="Product"',
  'property="price"',
  'property="offers" typeof="Offer"',
  'property="schema:name" content="x#"',
  'prefix="a: http://schema.org/ b: http://schema.org/"',
  'typeof="schema:Product"',
  'data-price="1"',
  'data-price="#"',
  'data-sku="#"',
  'data-brand="Lumen"',
  'data-product-id="1234567"',
  'data-product="{&quot;name&quot;:1,&quot;price&quot;:1}"',
  `data-product='{"name":"${NAME}","price":#}'`,
  `data-product_variations='[{"display_price":1}]'`,
  'value="1234567"',
  'name="product_id" value="1234567"',
  'content="1"',
  'property="og:title" content="Copper lamp with shade"',
  'property="product:price:amount" content="1"',
  'name="sku" content="#"',
  'property="og:image" content="/i#.jpg"',
  'name="description" content="&amp;&amp;"',
  'rel="canonical" href="/p#"',
  'type="password"',
  'type="application/ld+json"',
  'type="application/json"',
  'disabled',
  'action="/cart/add"',
  'lang="en"',
  'a#',
  'a#=1',
];

const JSON_LD: readonly string[] = [
  '{"@type":"Product","name":"Copper lamp with shade"},',
  '{"@type":"Product","name":"Copper lamp with shade","offers":{"price":#}},',
  '{"@type":"Product","name":"Lamp #","url":"/p/#","offers":[{"price":"1","url":"/p/#?variant=1"},{"price":"2"}]},',
  '{"@type":"Product","@id":"#","hasVariant":[{"@id":"1"},{"@id":"2"}]},',
  '{"@id":"a"},',
  '{"@type":"Offer","price":1},',
  '{"@type":"Product","brand":{"@id":"#"}},',
  '[],',
  '{},',
  '[[[[',
  '{"a":[',
  '{"a":{"b":',
  '1,',
  '"a",',
  '"',
  '\\"',
  ',',
  '{"@type":"Product","svc:issuedFor":{}},',
  '{"@type":"Product","https://c.example/ns#issuedFor":1},',
  '{"@type":["Product","Offer"]},',
  '{"@type":"AggregateOffer","lowPrice":1,"offers":[{"price":1}]},',
  '{"@type":"Product","mainEntityOfPage":["#","b"]},',
  '{"@type":"Product","image":["/a#.jpg"],"sku":"#"},',
  '}\n{',
  '}{',
  '// x\n',
  '/* x */',
  '/*',
  '<!--',
  '-->',
  '<!-- ',
  '\n',
  '\u00a0',
  '&quot;',
  '\\u',
  "'",
  '//',
  '*/',
  ']]>',
  ';',
  '{"@graph":[',
  '{"offers":',
  '{"@type":"Product","offers":',
];

const SCRIPT_STARTS: readonly string[] = [
  'var meta = {',
  'dataLayer.push({',
  'dataLayer = [{',
  "gtag('event', 'view_item', {",
  "fbq('track','ViewContent',{",
  'utag_data = {',
  'var productData = {',
  'window.__INITIAL_STATE__ = {',
  'const shopState = {',
  '"productVariants":[{',
  'self.__next_f.push([1,"',
  'Shopify.currency = {"active":',
  'dataLayer = window.dataLayer || ',
  'var ',
  'window . ',
  'window.',
];
export const SCRIPTS: readonly string[] = [
  ...SCRIPT_STARTS,
  ...SCRIPT_STARTS.map((start) => `${start}name:"${NAME}",price:1};`),
  ...SCRIPT_STARTS.map((start) => `${start}"product":{"name":"${NAME} #","price":1}}\n`),
  '"product":',
  'price',
  '"a":{',
  'a:[',
  'a:(',
  "a:'",
  'a:"x",',
  'a:1,',
  '/*',
  '//',
  '\\',
  '`',
  '{"name":"Copper lamp with shade","price":1},',
  '1:{"price":1}\\n',
  ' ',
  '\t=',
];

/** Every single fragment, for combining several. */
export const FRAGMENTS: readonly string[] = [
  ...TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
  ...PRICES,
  ...TEXTS,
  ...ATTRIBUTES.flatMap((attribute) => [
    `<div ${attribute}>`,
    `<a ${attribute}>`,
    `<b ${attribute}>$1</b>`,
    `<input ${attribute}>`,
  ]),
  ...MARK_WORDS.map((word) => `<b class="${word}">`),
  ...JSON_LD.map((text) => `<script type="application/ld+json">${text.replace(/,$/, '')}</script>`),
  ...SCRIPTS.map((text) => `<script>product ${text}</script>`),
];

/** Places of growth: between a heading and the end, or within a heading that is never closed. */
export const CONTEXTS: readonly Omit<Growing, 'name' | 'fragment'>[] = [
  { before: HEADED, after: '' },
  { before: `${HEAD}<h1>${NAME} `, after: '' },
  { before: HEAD, after: `<h1>${NAME}</h1>` },
  { before: '', after: '' },
];

function keys(): string[] {
  const names = [
    ...state.NAMES,
    ...state.PRICES,
    ...state.SKUS,
    ...state.BRANDS,
    ...state.CURRENCIES,
    ...state.AMOUNTS,
    ...state.AVAILABILITIES,
  ];
  return [...new Set<string>(names)];
}

/** A script that begins product data and continues with the fragment. */
const inState = (fragment: string): Growing => ({
  name: `state ${fragment}`,
  before: `${HEADED}<script>var productData = {"product":[`,
  fragment,
  after: ']}</script>',
});

const page = (fragment: string): Growing => ({ name: fragment, before: HEADED, fragment, after: '' });
const openHeading = (fragment: string): Growing => ({
  name: `<h1> ${fragment}`,
  before: `${HEAD}<h1>${NAME} `,
  fragment,
  after: '',
});
const beforeHeading = (fragment: string): Growing => ({
  name: `${fragment} <h1>`,
  before: HEAD,
  fragment,
  after: `<h1>${NAME}</h1>`,
});
const noNames = (fragment: string): Growing => ({
  name: `bare ${fragment}`,
  before: '',
  fragment,
  after: '',
});
const beside = (fragment: string): Growing => ({
  name: `stated ${fragment}`,
  before: `${HEADED}<script type="application/ld+json">{"@type":"Product","name":"${NAME}","sku":"1234567","offers":{"price":"1.00","priceCurrency":"USD"}}</script>`,
  fragment,
  after: '',
});

/** Every construct that the reader knows, one per page. */
export function single(): Growing[] {
  return [
    ...TAGS.flatMap((tag) => [
      page(`<${tag}>`),
      page(`<${tag}>$1</${tag}>`),
      openHeading(`<${tag}>x`),
      noNames(`<${tag}>x</${tag}>`),
      page(`</${tag}>`),
    ]),
    ...MARK_WORDS.map((word) => page(`<b class="${word}">$1</b>`)),
    ...[...PRICES, ...TEXTS].flatMap((text) => [
      page(`<p>${text}</p>`),
      openHeading(`<b>${text}</b>`),
      beforeHeading(`<i>${text}</i>`),
      beside(`<li>${text}`),
      page(`${text} `),
      noNames(text),
      { name: `title of ${text}`, before: '<title>', fragment: text, after: `</title><h1>${NAME}</h1>` },
      {
        name: `meta of ${text}`,
        before: `${HEADED}<meta property="product:price:amount" content="`,
        fragment: text,
        after: '">',
      },
      {
        name: `name of ${text}`,
        before: `${HEADED}<script type="application/ld+json">{"@type":"Product","name":"`,
        fragment: text,
        after: '","offers":{"price":1}}</script>',
      },
      {
        name: `price of ${text}`,
        before: `${HEADED}<b itemscope itemtype="http://schema.org/Product"><i itemprop="price">`,
        fragment: text,
        after: '</i></b>',
      },
    ]),
    ...ATTRIBUTES.flatMap((attribute) => [
      page(`<div ${attribute}>$1</div>`),
      page(`<div ${attribute}>`),
      openHeading(`<a ${attribute}>x</a>`),
      page(`<input ${attribute}>`),
      page(`<meta ${attribute}>`),
      page(`<script ${attribute}>{"price":#}</script>`),
      beside(`<button ${attribute}>x</button>`),
      { name: `attributes ${attribute}`, before: `${HEADED}<div `, fragment: `${attribute} `, after: '>' },
    ]),
    ...[
      'class',
      'id',
      'style',
      'href',
      'itemprop',
      'itemtype',
      'itemref',
      'typeof',
      'property',
      'prefix',
      'content',
      'data-price',
      'data-product',
      'data-product_variations',
      'vocab',
      'name',
      'type',
      'lang',
      'action',
      'rel',
    ].flatMap((name) =>
      [
        'a',
        'a ',
        'price ',
        'A',
        '-',
        '/',
        '&amp;',
        '&',
        ' ',
        'a: http://schema.org/ ',
        '{',
        '[{',
        '"',
        '1',
        '#',
        '//',
        '%',
        '&#',
        '..',
        '@',
      ].map((value) => ({
        name: `${name} of ${value}`,
        before: `${HEADED}<a ${name}='`,
        fragment: value,
        after: `'>$1</a>`,
      })),
    ),
    ...JSON_LD.flatMap((fragment) => [
      {
        name: `json-ld [${fragment}`,
        before: `${HEADED}<script type="application/ld+json">[`,
        fragment,
        after: '1]</script>',
      },
      {
        name: `json-ld ${fragment}`,
        before: `${HEADED}<script type="application/ld+json">`,
        fragment,
        after: '</script>',
      },
      {
        name: `json-ld blocks ${fragment}`,
        before: HEADED,
        fragment: `<script type="application/ld+json">${fragment.replace(/,$/, '')}</script>`,
        after: '',
      },
      {
        name: `json-ld product ${fragment}`,
        before: `${HEADED}<script type="application/ld+json">{"@type":"Product","@id":"a","name":"${NAME}","hasVariant":[`,
        fragment,
        after: '1]}</script>',
      },
      {
        name: `json-ld offers ${fragment}`,
        before: `${HEADED}<script type="application/ld+json">{"@type":"Product","@id":"a","name":"${NAME}","offers":[`,
        fragment,
        after: '1]}</script>',
      },
    ]),
    ...SCRIPTS.flatMap((fragment) => [
      {
        name: `script product ${fragment}`,
        before: `${HEADED}<script>product `,
        fragment,
        after: '</script>',
      },
      {
        name: `scripts product ${fragment}`,
        before: HEADED,
        fragment: `<script>product ${fragment}</script>`,
        after: '',
      },
      inState(fragment),
      {
        name: `json ${fragment}`,
        before: `${HEADED}<script type="application/json">[`,
        fragment,
        after: '1]</script>',
      },
    ]),
    ...keys().flatMap((key) => [
      inState(`{"${key}":"${NAME}","name":"${NAME}"},`),
      inState(`{"${key}":{"amount":1},"name":"${NAME}"},`),
    ]),
    ...[...CURRENCY_MARKS.keys()].map((mark) => page(`<p>${mark} 1</p><p>1 ${mark}</p>`)),
  ];
}

/** A page of several parts that grow together. */
export interface Composed {
  readonly name: string;
  readonly build: (length: number) => string;
}

const composedOf = (name: string, build: (length: number) => string): Composed => ({ name, build });
const times = (fragment: string, length: number): string =>
  grown({ name: '', before: '', fragment, after: '' }, length);

/** Pages of two parts that could multiply each other's cost: names that are defined once and referenced often. */
export function composed(): Composed[] {
  const jsonLd = (text: string) => `${HEADED}<script type="application/ld+json">${text}</script>`;
  const references = [
    'hasVariant',
    'offers',
    'image',
    'brand',
    'model',
    'itemOffered',
    'priceSpecification',
  ].flatMap((property) =>
    ['"k#":1,', '"offers":[{"price":"1","url":"/p/a?b=#"}],', '"o#":{"price":"1"},'].map((heavy) =>
      composedOf(`${property} that refer to a node of ${heavy}`, (length) =>
        jsonLd(
          `[{"@id":"x","@type":"Product",${times(heavy, length / 2)}"name":"${NAME}"},${times(`{"@type":"Product","name":"${NAME}","${property}":[{"@id":"x"}]},`, length / 2)}1]`,
        ),
      ),
    ),
  );
  const lists = ['hasVariant', 'offers', 'image'].map((property) =>
    composedOf(`${property} that refer to a node with a long list`, (length) =>
      jsonLd(
        `[{"@id":"x","@type":"Product","name":"${NAME}","${property}":[[${times('[{"price":#,"url":"/p/copper-lamp-with-shade-1234567?variant=#"}],', length / 2)}1]]},${times(`{"@type":"Product","name":"${NAME}","${property}":[{"@id":"x"},{"@id":"x"},{"@id":"x"},{"@id":"x"}]},`, length / 2)}1]`,
      ),
    ),
  );
  const cells = times('<i property="price" a>', 1_000);
  return [
    ...references,
    ...lists,
    composedOf('a node of many keys, named again and again', (length) =>
      jsonLd(`[{${times('"k#":1,', length / 2)}"@id":"a"},${times('{"@id":"a","b":1},', length / 2)}1]`),
    ),
    composedOf('a certificate of many keys, referred to', (length) =>
      jsonLd(
        `[{"@type":"Product","svc:issuedFor":1,${times('"k#":1,', length / 2)}"@id":"a"},${times('{"@id":"a"},', length / 2)}1]`,
      ),
    ),
    composedOf('certificates within certificates', (length) =>
      jsonLd(
        `${'{"@type":"Product","https://c.example/ns#issuedFor":{},"a":'.repeat(60)}[${times('{"b":#},', length)}1]${'}'.repeat(60)}`,
      ),
    ),
    composedOf('products within products', (length) =>
      jsonLd(
        `${`{"@type":"Product","name":"${NAME}","hasVariant":`.repeat(60)}[${times('{"price":#},', length)}1]${'}'.repeat(60)}`,
      ),
    ),
    composedOf(
      'state within comments of states',
      (length) =>
        `${HEADED}<script>product ${'var productData = {x:[/*'.repeat(60)}*/${times(`{name:"${NAME} #",price:1},`, Math.min(length, 390_000))}]}</script>`,
    ),
    composedOf(
      'named products and named state',
      (length) =>
        `${jsonLd(`[${times(`{"@type":"Product","name":"${NAME} ${'a b c d e f '.repeat(12)}#","offers":{"price":1}},`, length / 4)}1]`)}<script type="application/json">[${times(`{"name":"${NAME} #","price":1},`, length * 0.75)}1]</script>`,
    ),
    composedOf(
      'vocabulary asked of elements with many attributes',
      (length) =>
        `${HEADED}<b typeof="Product">${Array.from({ length: 200 }, (_, i) => `<div ${times('a# ', Math.min(1_200, length / 400))} b${i}>`).join('')}${times('<i property="price">1</i>', length / 2)}`,
    ),
    composedOf(
      'prefixes without a colon',
      (length) => `${HEADED}${times(`<b typeof="a" prefix="${'a'.repeat(1_990)}">`, length)}${cells}`,
    ),
    composedOf('cents of many offers', (length) =>
      jsonLd(
        `[${times(`{"@type":"Product","name":"${NAME}","offers":[${Array.from({ length: 50 }, (_, i) => `{"price":"#${i + 100}"}`).join()}]},`, length)}1]`,
      ),
    ),
    composedOf(
      'cards with long names',
      (length) =>
        `${HEADED}${times(`<div class="${'&amp;'.repeat(20_000)}"><a href="/other-one">Another lamp of copper</a>${'<b>$1</b>'.repeat(20)}</div>`, length)}`,
    ),
    composedOf(
      'a long address of a link over all',
      (length) =>
        `${HEADED}<a class="brand" href="/${'&amp;'.repeat(Math.min(100_000, length / 10))}">${times('<b class="brand">Lumen</b>', length / 2)}`,
    ),
    composedOf('refusals of a wall', () =>
      "access denied you don't have permission to access  on this server ".repeat(57),
    ),
    composedOf(
      'a comment of spaces around JSON-LD',
      (length) => `<script type="application/ld+json"><!--${' '.repeat(length)}x</script>`,
    ),
    composedOf('variants with the parameters of a long address', (length) =>
      jsonLd(
        `{"@type":"Product","name":"${NAME}","hasVariant":[${times(`{"@type":"Product","name":"${NAME}","offers":{"price":#,"url":"${new URL(LONG_URL).pathname}?${Array.from({ length: 700 }, (_, i) => `b${i}=2`).join('&')}"}},`, length)}1]}`,
      ),
    ),
  ];
}
