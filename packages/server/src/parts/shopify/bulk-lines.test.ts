import { describe, expect, it } from 'vitest';
import { BrokenFile, productsIn } from './bulk-lines.ts';

const gid = (type: string, id: number) => `gid://shopify/${type}/${id}`;
const own = (id: number) => ({
  id: gid('Product', id),
  legacyResourceId: String(id),
  handle: `cup-${id}`,
  title: 'Tässchen 杯',
});
const image = (id: number, nth = 1) => ({
  id: gid('MediaImage', id * 1_000 + nth),
  image: { url: `https://cdn.example/${id}-${nth}.jpg` },
  __parentId: gid('Product', id),
});
const variant = (id: number, nth = 1) => ({
  id: gid('ProductVariant', id * 1_000 + nth),
  sku: `S-${id}-${nth}`,
  barcode: null,
  __parentId: gid('Product', id),
});
const group = (id: number) => [own(id), image(id), variant(id, 1), variant(id, 2)];

async function* bytesOf(text: string, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}
const fileOf = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n');

async function read(text: string, window?: number): Promise<string[]> {
  const told: string[] = [];
  for await (const product of productsIn(bytesOf(text), window)) {
    if (product.kind === 'part') told.push(`part ${product.id}`);
    else {
      const { handle, media, variants } = product.node;
      told.push(`${handle} ${media.nodes.length} ${variants.nodes.map(({ sku }) => sku).join(' ')}`);
    }
  }
  return told;
}

const WHOLE = ['cup-1 1 S-1-1 S-1-2', 'cup-2 1 S-2-1 S-2-2', 'cup-3 1 S-3-1 S-3-2'];

describe('lines of a bulk operation are combined into products', () => {
  it.each([
    ['in groups', [...group(1), ...group(2), ...group(3)]],
    [
      'all products first',
      [1, 2, 3].flatMap((id) => group(id).slice(0, 1)).concat([1, 2, 3].flatMap((id) => group(id).slice(1))),
    ],
    [
      'what belongs to them first',
      [1, 2, 3].flatMap((id) => group(id).slice(1)).concat([own(1), own(2), own(3)]),
    ],
  ])('%s', async (_, lines) => {
    expect((await read(fileOf(lines))).toSorted()).toEqual(WHOLE);
  });

  it('with empty lines, an unterminated last one, and split multi-byte characters', async () => {
    expect(await read(`\n${fileOf(group(1))}\n\n${fileOf(group(2))}\r\n${fileOf(group(3))}`)).toEqual(WHOLE);
    expect(await read('')).toEqual([]);
  });

  it('with as many images and variants as a page would list', async () => {
    const many = Array.from({ length: 60 }, (_, nth) => [image(1, nth), variant(1, nth)]).flat();
    const [product] = await read(fileOf([own(1), ...many]));
    expect(product?.split(' ')).toHaveLength(2 + 50);
    expect(product).toMatch(/^cup-1 25 /);
  });
});

describe('no more products are buffered than the window allows', () => {
  it('for a file of any length', async () => {
    let sent = 0;
    let ahead = 0;
    async function* endless() {
      for (; sent < 5_000; sent += 1) yield new TextEncoder().encode(`${fileOf(group(sent + 1))}\n`);
    }
    let got = 0;
    for await (const _ of productsIn(endless(), 10)) {
      got += 1;
      ahead = Math.max(ahead, sent - got);
    }
    expect([got, ahead <= 10]).toEqual([5_000, true]);
  });

  it('and lines that arrive later name the product to be read separately', async () => {
    const lines = [...group(1), ...group(2), ...group(3), variant(1, 3)];
    expect(await read(fileOf(lines), 1)).toEqual([...WHOLE.slice(0, 2), WHOLE[2], 'part 1']);
    expect(await read(fileOf([variant(9), ...group(1), ...group(2)]), 1)).toEqual([
      'part 9',
      ...WHOLE.slice(0, 2),
    ]);
  });
});

it.each([
  ['a line that is cut', `${fileOf(group(1))}\n{"id":"gid:`],
  ['a page of an error', '<html><body>503</body></html>'],
  ['a list', '[1]\n'],
  ['a number', '1'],
  ['a line of something else', fileOf([{ id: gid('Order', 1) }])],
  ['a part without an id', fileOf([own(1), { sku: 'x', __parentId: gid('Product', 1) }])],
  ['a line without end', `{"id":"${'x'.repeat(1_100_000)}`],
])('%s is not a file', async (_, text) => {
  const reading = async () => {
    for await (const _product of productsIn(bytesOf(text, 65_536)));
  };
  await expect(reading()).rejects.toThrow(BrokenFile);
});
