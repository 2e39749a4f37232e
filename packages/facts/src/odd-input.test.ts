import { describe, expect, it } from 'vitest';
import { readPage } from './testing.ts';

const URL_OF_PAGE = 'https://shop.example/p/lamp';
const NAME = 'Copper lamp';
const ld = (text: string) => `<h1>${NAME}</h1><script type="application/ld+json">${text}</script>`;
const deep = (open: string, close: string) => open.repeat(20_000) + close.repeat(20_000);

const ODD: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['a NUL', '\0'],
  ['half a surrogate pair', `<h1>${NAME}\ud800</h1><title>\udc00</title>`],
  ['a tag that is cut off', '<h1'],
  ['an attribute that is cut off', '<h1 class="'],
  ['a comment that never ends', '<!-- <h1>Lamp</h1>'],
  ['a script that never ends', '<script>var productData = {'],
  ['JSON-LD that never ends', '<script type="application/ld+json">{"@type":"Product"'],
  ['end tags alone', '</h1></html></p></table></script>'],
  ['text alone', 'Lamp $5'],
  ['JSON', '{"@type":"Product","name":"Lamp"}'],
  [
    'a prototype as a key',
    ld('{"__proto__":{"@type":"Product"},"@type":"Product","name":"Lamp","constructor":1}'),
  ],
  [
    'names of Object as properties',
    '<div itemscope itemtype="Product"><b itemprop="__proto__">1</b><b itemprop="constructor">2</b></div>',
  ],
  [
    'an offer that is itself',
    ld('[{"@id":"a","@type":"Product","offers":{"@id":"a"},"hasVariant":{"@id":"a"},"model":{"@id":"a"}}]'),
  ],
  [
    'brands in a circle',
    ld('[{"@id":"a","@type":"Product","brand":{"@id":"b"}},{"@id":"b","brand":{"@id":"a"}}]'),
  ],
  [
    'types of the wrong kind',
    ld('{"@type":[null,1,{},["Product"]],"name":[[[]]],"offers":[null,1,"x",[[{}]]]}'),
  ],
  ['a product of numbers', ld('{"@type":"Product","name":1,"sku":2,"brand":3,"image":4,"offers":5,"url":6}')],
  [
    'a product of nulls',
    ld('{"@type":"Product","name":null,"sku":null,"brand":null,"image":null,"offers":null}'),
  ],
  [
    'prices of the wrong kind',
    ld(
      '{"@type":"Product","name":"L","offers":[{"price":{}},{"price":[]},{"price":true},{"price":1e308},{"price":1e-308}]}',
    ),
  ],
  ['the largest numbers', ld('{"@type":"Product","name":"L","offers":{"price":1e999,"lowPrice":-1e999}}')],
  ['a price of many digits', ld(`{"@type":"Product","name":"L","offers":{"price":"${'9'.repeat(10_000)}"}}`)],
  [
    'invalid addresses',
    ld('{"@type":"Product","name":"L","url":"http://[","image":["http://%","//","javascript:1","\\u0000"]}'),
  ],
  [
    'an invalid base',
    '<base href="http://["><link rel=canonical href="http://["><img src="//["><a href="//[">x</a>',
  ],
  ['a base of another kind', '<base href="data:text/html,x"><link rel=canonical href="p"><h1>Lamp</h1>'],
  ['references to invalid characters', '<h1>&#xFFFFFF;&#0;&#xD800;&bogus;&amp</h1><p>&#99999999999;</p>'],
  ['deep elements', deep('<div>', '</div>')],
  ['deep JSON-LD lists', ld(deep('[', ']'))],
  ['deep JSON-LD objects', ld(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)],
  ['a deep certificate', ld(`{"@type":"Product","svc:issuedFor":${deep('[', ']')}}`)],
  ['deep state', `<h1>${NAME}</h1><script>var productData = ${'{a:'.repeat(20_000)}</script>`],
  ['deep state in an attribute', `<h1>${NAME}</h1><p data-product='${deep('[', ']')}'>`],
  [
    'itemref in a circle',
    '<div id=a itemscope itemtype=Product itemref="a b"><i id=b itemprop=name itemscope itemref=a></i></div>',
  ],
  ['a table in a table cell without rows', '<table><td><table><h1>Lamp</h1></td></table><td>$5'],
  ['svg and math', '<svg><title>a</title><math><h1>Lamp</h1></svg><style><h1></style>'],
  ['templates and plain text', '<template><h1>Lamp</h1></template><plaintext><h1>Lamp</h1>'],
  ['an XML declaration', '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "b">]><h1>&a;</h1>'],
  ['UTF-16 read as text', 'h\0t\0m\0l\0<\0h\x001\0>\0'],
  ['spaces of every kind', '\u2028\u2029\u00a0\ufeff\u200b<h1>\u3000</h1>'],
  ['right to left', '<h1 dir=rtl>\u202e\u2066مصباح\u2069</h1><p class=price>٣٫٥٠ ر.س</p>'],
  [
    'a title of marks',
    `<title>${'e\u0301\u0302\u0303'.repeat(2_000)}</title><h1>${'\u0301'.repeat(2_000)}</h1>`,
  ],
  ['digits of other scripts', '<h1>Lamp</h1><p class=price>１２３ ৳ १२३ ٣٣ ₹</p>'],
];

describe('unusual input is read without a fault', () => {
  it.each(ODD)('%s', (_, html) => {
    expect(() => readPage(html, { url: URL_OF_PAGE })).not.toThrow();
    expect(() => readPage(new TextEncoder().encode(html), { url: URL_OF_PAGE })).not.toThrow();
  });

  it.each([
    '',
    'x',
    'http://[',
    'javascript:1',
    'https://shop.example/%',
    `https://a.example/${'a'.repeat(9_000)}`,
  ])('at the URL %j', (url) => {
    expect(() => readPage('<h1>Copper lamp</h1><a href=x>y</a><p>$5</p>', { url })).not.toThrow();
  });

  it.each([
    '',
    'x',
    'text/html; charset=',
    'text/html; charset=utf-7',
    'text/html; charset="',
    ';;charset=\0',
  ])('as %j', (contentType) => {
    const bytes = new Uint8Array([0xff, 0x00, 0xfe, 0x80, 0x3c, 0x68, 0x31, 0x3e]);
    expect(() => readPage(bytes, { url: URL_OF_PAGE, contentType })).not.toThrow();
  });
});
