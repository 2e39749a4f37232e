import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readItems } from './read-items.ts';
import { rewriteItems } from './rewrite-items.ts';

const CERTIFICATE = {
  json: '{"proof":{"jwt":"a.b.c"},"n":"\\u00e9"}',
  namespaceUrl: 'https://certificates.example/ns#',
  issuer: 'https://certificates.example',
};
const LINK = 'https://shop.example/cup';

/** Feeds of two items, with all that readers skip. */
const FEEDS: Readonly<Record<string, string>> = {
  xml: `<?xml version="1.0"?>\n<!-- <item> --><rss xmlns:g="http://base.google.com/ns/1.0"><channel><title>S</title><item><title>A</title><link>${LINK}</link><g:x><![CDATA[</item>]]></g:x></item >\r\n<item><title>B</title><c:certificate xmlns:c="x">no certificate</c:certificate></item>\n</channel></rss>\n`,
  table: `\n"id","title",link\n\n1,"A ""x""\n\u00e9",${LINK}\r\n\n2,B,"${LINK}"`,
  lines: `\n{"id":"1","title":"A","link":"${LINK}"}\n\n {"id":"2","title":"B \\" }","link":"${LINK}"} `,
  list: `[ {"id":"1","title":"A","link":"${LINK}"} ,\n{"id":"2","title":"B","link":"${LINK}","certificate":null}\n]\n`,
  pages: `{"a":{"products":[{"id":"1","title":"A","link":"${LINK}"}]},"b":{"products":[{"id":"2","title":"B","link":"${LINK}"}] } }`,
};

async function* split(text: string, lengths: readonly number[]) {
  let at = 0;
  for (const length of lengths) {
    yield text.slice(at, at + length);
    at += length;
  }
  yield text.slice(at);
}

async function rewritten(source: Parameters<typeof rewriteItems>[0], isKept: boolean) {
  let text = '';
  let items = 0;
  for await (const part of rewriteItems(source)) {
    if ('item' in part) items++;
    text += isKept || !('item' in part) ? part.text : (part.write(CERTIFICATE, () => false) ?? '');
  }
  return { text, items };
}

describe.each(Object.entries(FEEDS))('the parts of a feed (%s)', (_, feed) => {
  const lengths = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 30 });

  it('are its text, wherever it is split', async () => {
    await fc.assert(
      fc.asyncProperty(lengths, async (some) => {
        expect(await rewritten(split(feed, some), true)).toEqual({
          text: feed.replace('title",link', 'title",link,touchstone_certificate'),
          items: 2,
        });
      }),
      { numRuns: 50 },
    );
  });

  it('carry certificates that are read from them, wherever it is split', async () => {
    const { text } = await rewritten(feed, false);
    await fc.assert(
      fc.asyncProperty(lengths, async (some) => {
        expect((await rewritten(split(feed, some), false)).text).toBe(text);
      }),
      { numRuns: 20 },
    );
    for await (const row of readItems(text))
      expect('item' in row && row.item.certificates.map(({ document }) => document)).toEqual([
        JSON.parse(CERTIFICATE.json),
      ]);
  });
});

it('removes an element of a list without the others', async () => {
  const entry = (value: unknown) => ({ namespace: 'n', key: 'certificate', value });
  const old = { proof: { jwt: 'old' } };
  const product = {
    id: 1,
    title: 'A',
    handle: 'a',
    variants: [],
    images: [],
    metafields: [entry(old), { key: 'x', value: 'kept' }, entry(old)],
  };
  for await (const part of rewriteItems(JSON.stringify(product), { source: 'https://shop.example' })) {
    if (!('item' in part)) continue;
    const left = JSON.parse(
      part.write(undefined, (document) => JSON.stringify(document) === JSON.stringify(old)) ?? '',
    );
    expect(left.metafields).toEqual([{ key: 'x', value: 'kept' }]);
  }
});

it('leaves what is itself a certificate, or a text', async () => {
  const found: (string | null)[] = [];
  const certificate = { '@type': 'Product', name: 'A', url: LINK, proof: { jwt: 'a.b.c' } };
  const values = [certificate, JSON.stringify({ id: '1', title: 'A', link: LINK })];
  for await (const part of rewriteItems(JSON.stringify(values)))
    if ('item' in part) found.push(part.write(CERTIFICATE, () => true));
  expect(found).toEqual([null, null]);
});
