import { MAX_PAGE_URL } from '@touchstone/certificate/binding';
import { describe, expect, test } from 'vitest';
import { pageAddress } from './page-address.ts';

const SHOP = 'https://shop.example/';
const TOO_LONG = {
  kind: 'failed',
  code: 'url_invalid',
  detail: `It is longer than ${MAX_PAGE_URL} characters.`,
};

describe('an address', () => {
  test.each([
    ['as it is written', 'a', 1],
    ['percent-encoded, of wide characters', '杯', 9],
    ['percent-encoded, of surrogate pairs', '\u{1f375}', 12],
    ['percent-encoded, of spaces within', ' ', 3],
  ])('may have 8,192 characters, %s', (_what, character, encoded) => {
    const room = MAX_PAGE_URL - SHOP.length - 'aa'.length;
    const text = character.repeat(Math.floor(room / encoded));
    const fill = 'a'.repeat(room % encoded);
    const longest = `${SHOP}a${text}${fill}a`;
    const page = pageAddress(longest);
    expect(page).toMatchObject({ kind: 'address', host: 'shop.example' });
    expect('url' in page && page.url.length).toBe(MAX_PAGE_URL);
    expect(pageAddress(`${longest}a`)).toEqual(TOO_LONG);
  });

  test('is measured with its fragment and credentials, even though they are never sent', () => {
    const before = 'https://user:word@shop.example/#';
    expect(pageAddress(before + 'a'.repeat(MAX_PAGE_URL - before.length))).toMatchObject({ url: SHOP });
    expect(pageAddress(before + 'a'.repeat(MAX_PAGE_URL - before.length + 1))).toEqual(TOO_LONG);
  });

  test('is reported as too long before anything else', () => {
    expect(pageAddress(`ftp:${'a'.repeat(MAX_PAGE_URL)}`)).toEqual(TOO_LONG);
    expect(pageAddress('a'.repeat(MAX_PAGE_URL + 1))).toEqual(TOO_LONG);
    expect(pageAddress('a'.repeat(MAX_PAGE_URL))).toMatchObject({ code: 'url_invalid', detail: '' });
  });
});
