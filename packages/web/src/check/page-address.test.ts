import { expect, it } from 'vitest';
import { readAddress } from './page-address.ts';

it.each([
  ['https://shop.example/cup', 'https://shop.example/cup'],
  ['  http://shop.example/cup \n', 'http://shop.example/cup'],
  ['shop.example/products/cup?variant=2', 'https://shop.example/products/cup?variant=2'],
  ['shop.example:8443/cup', 'https://shop.example:8443/cup'],
  ['//shop.example/cup', 'https://shop.example/cup'],
  ['<https://shop.example/cup>', 'https://shop.example/cup'],
  ['"shop.example"', 'https://shop.example/'],
  ['HTTPS://SHOP.example', 'https://shop.example/'],
  ['täschchen.example/ä', 'https://xn--tschchen-0za.example/%C3%A4'],
  ['http://127.0.0.1:8787/', 'http://127.0.0.1:8787/'],
])('%j is the URL %s', (entered, url) => {
  expect(readAddress(entered)).toEqual({ kind: 'address', url });
});

it.each([
  ['', 'empty'],
  ['   ', 'empty'],
  ['ftp://shop.example/cup', 'notWeb'],
  ['javascript:alert(1)', 'notWeb'],
  ['mailto:owner@shop.example', 'notWeb'],
  ['a blue cup', 'notAddress'],
  ['cup', 'notAddress'],
  ['https://', 'notAddress'],
  ['shop example/cup', 'notAddress'],
])('%j is not a URL: %s', (entered, why) => {
  expect(readAddress(entered)).toEqual({ kind: 'bad', why });
});
