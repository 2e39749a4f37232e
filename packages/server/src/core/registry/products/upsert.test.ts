import { text } from 'node:stream/consumers';
import { ROW_FAULTS } from '@touchstone/contract/codes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../../platform/errors.ts';
import { addDomain } from '../domains/domains.ts';
import { type TestRegistry, type TestShop, testRegistry, testShop } from '../testing.ts';
import { deleteProduct, patchProduct } from './change-product.ts';
import { upsertNdjson } from './ndjson-body.ts';
import { addImages } from './product-images.ts';
import { getProduct } from './read-products.ts';
import { checkRow, readNdjson } from './read-rows.ts';
import { upsertProducts, upsertStream } from './upsert.ts';

const url = (name: string) => ({ url: `https://shop.example/${name}.jpg` });

describe('putting products', () => {
  let registry: TestRegistry;
  let shop: TestShop;
  beforeAll(async () => {
    registry = await testRegistry();
    shop = await testShop(registry, 'shop.example', 10_000);
  });
  afterAll(() => registry.close());

  it('distinguishes created, unchanged and updated rows, and keeps their ids', async () => {
    const [first] = await shop.put(shop.row('a'));
    expect(first).toEqual({
      externalProductId: 'a',
      id: expect.any(String),
      status: 'created',
      state: 'active',
    });
    expect(await shop.put(shop.row('a'))).toEqual([{ ...first, status: 'unchanged' }]);
    expect(await shop.put(shop.row('a', { name: 'Other' }))).toEqual([{ ...first, status: 'updated' }]);
    expect(await shop.put(shop.row('a', { name: 'Other', images: [] }))).toEqual([
      { ...first, status: 'updated' },
    ]);
    expect(await getProduct(registry, 'all', first?.id ?? '')).toMatchObject({ name: 'Other', images: [] });
  });

  it('announces what changed and nothing else', async () => {
    const [one] = await shop.put(shop.row('unsaid'));
    registry.changes.length = 0;
    await shop.put(shop.row('unsaid'));
    expect(registry.changes).toEqual([]);
    await shop.put(shop.row('unsaid', { brand: 'B' }));
    expect(registry.changes).toEqual([`p:${one?.id}`]);
  });

  it('loses no valid row because of an invalid one, and names every fault of each', async () => {
    const results = await shop.put(
      shop.row('g1'),
      { externalProductId: 'bad', url: 'ftp://x', name: '', colour: 'red' },
      7,
      null,
      shop.row('g2'),
      shop.row('elsewhere', { url: 'https://other.example/p' }),
      shop.row('g1', { name: 'again' }),
      shop.row('nul', { name: 'a\0b' }),
      shop.row('half', { brand: '\ud800' }),
      shop.row('g3'),
    );
    expect(results.map((result) => result.status)).toEqual([
      'created',
      'error',
      'error',
      'error',
      'created',
      'error',
      'error',
      'error',
      'error',
      'created',
    ]);
    expect(results[1]?.externalProductId).toBe('bad');
    expect(results[1]?.errors?.map((fault) => [fault.loc.join('.'), fault.type])).toEqual(
      expect.arrayContaining([
        ['url', 'url_parsing'],
        ['name', 'string_too_short'],
        ['colour', 'extra_forbidden'],
      ]),
    );
    expect(results[5]?.errors?.[0]).toEqual({
      loc: ['url'],
      msg: 'The host other.example is not a domain of this store; add it as one first',
      type: 'host_not_of_store',
    });
    expect(results[6]?.errors?.[0]?.msg).toContain('An earlier row');
    expect(results[7]?.errors?.[0]?.msg).toContain('NUL');
    expect(results[8]?.errors?.[0]?.type).toBe('string_unicode');
  });

  it.each([
    ['a name over 300 characters', { name: 'x'.repeat(301) }],
    ['an address over 2048', { url: `https://shop.example/${'x'.repeat(2048)}` }],
    ['an address with a user name', { url: 'https://me@shop.example/p' }],
    ['an address by IP', { url: 'https://203.0.113.7/p' }],
    ['over 50 attributes', { attributes: Array.from({ length: 51 }, () => ({ name: 'n', value: 'v' })) }],
    [
      'over 250 images',
      { images: Array.from({ length: 251 }, (_, i) => ({ url: `https://a.example/${i}` })) },
    ],
    ['an image that is not a web address', { images: [{ url: 'data:image/png;base64,AAAA' }] }],
    ['an empty id', { externalProductId: ' ' }],
    ['an id over 200', { externalProductId: 'x'.repeat(201) }],
    [
      'more text than a proof can contain',
      {
        url: `https://shop.example/${'x'.repeat(2000)}`,
        images: [{ url: `https://a.example/${'x'.repeat(2000)}` }],
      },
    ],
    ['an invalid name', { name: 7 }],
    ['visibility in words', { visible: 'yes' }],
    ['images in an object', { images: {} }],
    ['an invalid attribute', { attributes: ['red'] }],
    ['an unknown member', { colour: 'red' }],
  ])('refuses %s, with a type of the closed list', async (_, changes) => {
    const [result] = await shop.put(shop.row('cap', changes));
    expect(result?.status).toBe('error');
    expect(result?.id).toBeUndefined();
    const types = (result?.errors ?? []).map(({ type }) => type);
    expect(Object.keys(ROW_FAULTS)).toEqual(expect.arrayContaining(types));
  });

  it('restores a deleted product under the same id, with the same ids of its images', async () => {
    const [made] = await shop.put(shop.row('phoenix'));
    const id = made?.id ?? '';
    const before = await getProduct(registry, 'all', id);
    await deleteProduct(registry, 'all', id);
    await deleteProduct(registry, 'all', id);
    expect((await getProduct(registry, 'all', id)).state).toBe('deleted');
    expect(await shop.put(shop.row('phoenix'))).toEqual([
      { externalProductId: 'phoenix', id, status: 'revived', state: 'active' },
    ]);
    const after = await getProduct(registry, 'all', id);
    expect(after.images).toEqual(before.images);
    expect(after.state).toBe('active');
  });

  it('keeps the id of an image by its URL, in the order of the row', async () => {
    const [made] = await shop.put(shop.row('pics', { images: [url('1'), url('2'), url('1'), url('3')] }));
    const id = made?.id ?? '';
    const images = async () => (await getProduct(registry, 'all', id)).images;
    const [one, two, three] = await images();
    expect([one, two, three].map((image) => image?.url)).toEqual([url('1').url, url('2').url, url('3').url]);
    await shop.put(shop.row('pics', { images: [url('3'), url('1')] }));
    expect(await images()).toEqual([three, one]);
    await shop.put(shop.row('pics', { images: [url('2'), url('3'), url('1')] }));
    expect(await images()).toEqual([two, three, one]);
  });

  it('keeps visibility and images if the row does not mention them', async () => {
    const { images: _, ...bare } = shop.row('partial');
    const [made] = await shop.put(shop.row('partial', { sku: 'S', visible: false }));
    await shop.put({ ...bare, name: 'New name' });
    const product = await getProduct(registry, 'all', made?.id ?? '');
    expect(product).toMatchObject({ visible: false, name: 'New name', images: [expect.anything()] });
    expect('sku' in product).toBe(false);
  });

  it('lets no sequence of changes make a product too large for its proof', async () => {
    const long = `https://shop.example/${'x'.repeat(1500)}`;
    const { images: _, ...bare } = shop.row('detour');
    const [made] = await shop.put(shop.row('detour', { images: [{ url: `${long}.jpg` }] }));
    const id = made?.id ?? '';
    expect((await shop.put({ ...bare, url: long }))[0]?.status).toBe('error');
    await expect(patchProduct(registry, 'all', id, { url: long })).rejects.toMatchObject({
      code: 'conflict',
    });
    await shop.put({ ...bare, url: long, images: [] });
    await expect(addImages(registry, 'all', id, [{ url: `${long}.jpg` }])).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await getProduct(registry, 'all', id)).toMatchObject({ url: long, images: [] });
  });

  it('returns the state of each row, so that nobody takes a waiting product for a published one', async () => {
    const small = await testShop(registry, 'small.example', 1);
    const left = async () =>
      (await small.put(small.row('a'), small.row('b'), small.row('c', { visible: false }), 7)).map(
        (result) => result.state,
      );
    expect(await left()).toEqual(['active', 'no_slot', 'hidden', undefined]);
    // also reported for rows that change nothing
    expect(await left()).toEqual(['active', 'no_slot', 'hidden', undefined]);
  });

  it('does not enable what the operator disabled', async () => {
    const [made] = await shop.put(shop.row('off'));
    await patchProduct(registry, 'all', made?.id ?? '', { disabled: true });
    await shop.put(shop.row('off', { name: 'Renamed', visible: true }));
    expect((await getProduct(registry, 'all', made?.id ?? '')).state).toBe('disabled');
  });

  it('accepts rows of every domain of the store', async () => {
    const row = shop.row('de', { url: 'https://SHOP.example.DE./p' });
    expect((await shop.put(row))[0]?.status).toBe('error');
    await addDomain(registry, 'all', shop.storeId, { hostname: 'Shop.Example.de' });
    expect((await shop.put(row))[0]?.status).toBe('created');
  });

  it('returns the same ids to concurrent calls', async () => {
    const rows = Array.from({ length: 50 }, (_, i) => shop.row(`par-${i}`));
    const calls = await Promise.all([1, 2, 3, 4, 5, 6].map(() => shop.put(...rows)));
    for (const results of calls) {
      expect(results.map((result) => result.id)).toEqual(calls[0]?.map((result) => result.id));
    }
    const created = calls.flat().filter((result) => result.status === 'created');
    expect(created).toHaveLength(50);
  });

  it('reads a stream line by line, however it is split, and counts an invalid line as an invalid row', async () => {
    const long = `{"x":"${'y'.repeat(1_000_001)}"}`;
    const lines = [
      JSON.stringify(shop.row('s1', { name: 'Größe' })),
      '',
      '{broken',
      long,
      JSON.stringify(shop.row('s2')),
      JSON.stringify(shop.row('s1')),
      JSON.stringify(shop.row('s3')),
    ].join('\r\n');
    const bytes = Buffer.concat([Buffer.from(lines), Buffer.from('\n'), Buffer.from([0xff, 10])]);
    const chunks = (async function* () {
      for (let i = 0; i < bytes.length; i += 997) yield bytes.subarray(i, i + 997);
    })();
    const results = [];
    for await (const batch of upsertStream(registry, 'all', shop.storeId, readNdjson(chunks))) {
      results.push(...batch);
    }
    expect(results.map((result) => result.errors?.[0]?.type ?? result.status)).toEqual([
      'created',
      'json_invalid',
      'too_long',
      'created',
      'id_repeated',
      'created',
      'json_invalid',
    ]);
  });

  it('writes a limited number of images in one transaction, however many a row has', async () => {
    const images = (row: number) => Array.from({ length: 250 }, (_, i) => url(`heavy-${row}-${i}`));
    const rows = (async function* () {
      for (let i = 0; i < 20; i += 1) yield checkRow(shop.row(`heavy-${i}`, { images: images(i) }));
    })();
    const sizes = [];
    for await (const batch of upsertStream(registry, 'all', shop.storeId, rows)) sizes.push(batch.length);
    expect(sizes).toEqual([7, 7, 6]);
  });

  it('reports what was written when the rest of the rows cannot be read', async () => {
    const body = (async function* () {
      for (let i = 0; i < 2_100; i += 1) yield Buffer.from(`${JSON.stringify(shop.row(`cut-${i}`))}\n`);
      throw new ServiceError('request_timeout');
    })();
    const lines = await text(await upsertNdjson(registry, 'all', shop.storeId, body));
    const results = lines
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results).toHaveLength(2_001);
    expect(results.slice(0, -1).map((result) => result.externalProductId)).toEqual(
      Array.from({ length: 2_000 }, (_, i) => `cut-${i}`),
    );
    expect(results.at(-1)).toMatchObject({ status: 'aborted', code: 'request_timeout' });
    const [row] = await registry.database.query(
      "select count(*)::int as count from products where external_product_id like 'cut-%'",
    );
    expect(row).toEqual({ count: 2_000 });
  });

  it('does not find a store of another merchant', async () => {
    const other = await testShop(registry, 'other.example');
    await expect(
      upsertProducts(registry, { merchantId: other.merchantId }, shop.storeId, [shop.row('x')]),
    ).rejects.toMatchObject({ code: 'store_unknown' });
  });
});
