import { expect, it } from 'vitest';
import { createNameFile } from './file-names.ts';

const named = (...urls: string[]) => {
  const nameFile = createNameFile();
  return urls.map((url, i) => nameFile({ id: `0000000${i}-rest`, url, mediaType: 'image/jpeg' }));
};
const nameOf = (url: string) => named(url)[0] ?? '';

it.each([
  ['https://shop.example/files/cup.jpg', 'shop.example/files/cup.jpg'],
  ['https://shop.example/files/cup.jpg?v=12', 'shop.example/files/cup.jpg'],
  ['https://shop.example/files/T%C3%B6pfe%20rot.png', 'shop.example/files/Töpfe rot.png'],
  ['https://shop.example/image', 'shop.example/image.jpg'],
  ['https://shop.example/', 'shop.example/image.jpg'],
  ['https://shop.example:8443/a.jpg', 'shop.example_8443/a.jpg'],
  // no name leads out of the folder, or to a device
  ['https://shop.example/..%2f..%2fetc/passwd.jpg', 'shop.example/.._.._etc/passwd.jpg'],
  ['https://shop.example/a/%2e%2e%2f/x.jpg', 'shop.example/a/.._/x.jpg'],
  ['https://shop.example/%00%1b[2J\u202e.jpg', 'shop.example/__[2J_.jpg'],
  ['https://shop.example/a\u3164b\ufe0f\u{e0041}c.jpg', 'shop.example/a_b__c.jpg'],
  ['no address', 'unknown/image.jpg'],
  ['data:,../../x.jpg', 'unknown/_,/_/x.jpg'],
  ['https://shop.example/aux.jpg', 'shop.example/_aux.jpg'],
  ['https://shop.example/%FF.jpg', 'shop.example/%FF.jpg'],
  ['https://shop.example/con./x.jpg', 'shop.example/_con/x.jpg'],
])('names %s', (url, name) => {
  expect(nameOf(url)).toBe(name);
});

it('keeps names distinct that would be the same file', () => {
  expect(named('https://a.example/x?id=1', 'https://a.example/x?id=2', 'http://a.example/X.jpg')).toEqual([
    'a.example/x.jpg',
    'a.example/x-00000001.jpg',
    'a.example/X-00000002.jpg',
  ]);
});

it('shortens long parts, and keeps their endings', () => {
  const long = `https://a.example/${'x'.repeat(300)}.png`;
  const other = `https://a.example/${'x'.repeat(301)}.png`;
  expect(nameOf(long)).toMatch(/^a\.example\/x{80}-[0-9a-f]{8}\.png$/);
  expect(nameOf(other)).not.toBe(nameOf(long));
});
