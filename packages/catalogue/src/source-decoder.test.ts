import { describe, expect, it } from 'vitest';
import { productsOf, rowsOf } from './testing.ts';

/** A feed of one product with the given encoding declaration, long enough for several chunks. */
const feed = (encoding: string, title: string) =>
  `<?xml version="1.0" encoding="${encoding}"?><rss xmlns:g="http://base.google.com/ns/1.0"><channel>
<description>${'x'.repeat(70_000)}</description><item><g:id>1</g:id><title>${title}</title>
<link>https://shop.example/1</link></item></channel></rss>`;

/** Windows-1251 has its Cyrillic letters in the order of Unicode, from 0xC0. */
const windows1251 = (text: string) =>
  Uint8Array.from(text, (char) => {
    const code = char.charCodeAt(0);
    return code < 0x80 ? code : code - 0x410 + 0xc0;
  });

async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('the encoding of an XML feed', () => {
  it.each([100, 4_096, 1_000_000])('is the declared one, in chunks of %d bytes', async (size) => {
    const bytes = windows1251(feed('windows-1251', 'Кружка'));
    expect(await productsOf(pieces(bytes, size))).toMatchObject([{ name: 'Кружка' }]);
  });

  it('is detected in a feed of a few bytes, with single-byte characters', async () => {
    const text = feed('ISO-8859-1', 'Café').replace(/x{70000}/, '');
    expect(await productsOf(Uint8Array.from(text, (char) => char.charCodeAt(0)))).toMatchObject([
      { name: 'Café' },
    ]);
  });

  it.each(['iso-8859-1', 'no-such-encoding', 'UTF-16'])(
    'is UTF-8 if the bytes are, and %s declared',
    async (name) => {
      const text = feed(name, 'Кружка').replace('x', 'ж');
      expect(await productsOf(new TextEncoder().encode(text))).toMatchObject([{ name: 'Кружка' }]);
    },
  );

  it('is not guessed if nothing is declared', async () => {
    const [row] = await rowsOf(windows1251(feed('UTF-8', 'Кружка')));
    expect(row).toMatchObject({ problem: { code: 'file_not_utf8' } });
  });
});
