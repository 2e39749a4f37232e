import { describe, expect, it } from 'vitest';
import { productsOf, rowsOf } from './testing.ts';

interface Offer {
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly group?: string;
  readonly more?: string;
}

/** A feed of the offers, whose links lie below the shop. */
const feedOf = (...offers: readonly Offer[]) => {
  const items = offers.map(
    ({ id, title, link, group, more = '' }) => `<item><g:id>${id}</g:id><title>${title}</title>
<link>https://shop.example/${link.replaceAll('&', '&amp;')}</link>${group === undefined ? '' : `<g:item_group_id>${group}</g:item_group_id>`}${more}</item>`,
  );
  return `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${items.join('')}</channel></rss>`;
};
const idsAndPages = async (...offers: readonly Offer[]) =>
  (await productsOf(feedOf(...offers))).map(({ externalProductId, url }) => [
    externalProductId,
    url.replace('https://shop.example/', ''),
  ]);

describe('variants of a feed', () => {
  it('are one product of their group, wherever they appear in the feed, in the order of their first items', async () => {
    const sock = (id: string) => ({ id, title: 'Wool sock', link: 'sock', group: 'S' });
    const cap = (id: string) => ({ id, title: 'Wool cap', link: 'cap', group: 'C' });
    const products = await idsAndPages(
      sock('1'),
      cap('2'),
      { id: '3', title: 'Scarf', link: 'scarf' },
      sock('4'),
      cap('5'),
    );
    expect(products).toEqual([
      ['S', 'sock'],
      ['C', 'cap'],
      ['3', 'scarf'],
    ]);
  });

  it('that are further apart than the lookahead window remain, under the identifiers of their items', async () => {
    const sock = (id: string) => ({ id, title: 'Wool sock', link: 'sock', group: 'S' });
    const others = Array.from({ length: 10_000 }, (_, n) => ({
      id: `x${n}`,
      title: `Cap ${n}`,
      link: `${n}`,
    }));
    const ids = (await idsAndPages(sock('1'), ...others, sock('2'))).map(([id]) => id);
    expect(ids).toHaveLength(10_002);
    expect([ids[0], ids.at(-1)]).toEqual(['S', '2']);
  });

  it.each(['variantId', 'variant_id', 'variation_id', 'id_product_attribute', 'setCurrencyId'])(
    'that are selected by %s share one page',
    async (name) => {
      const offers = ['1', '2'].map((id) => ({ id, title: `Mug - ${id}`, link: `mug?${name}=${id}` }));
      expect(await idsAndPages(...offers)).toEqual([['1', 'mug']]);
    },
  );

  it('whose page takes the SKU as a parameter share one page, unless another product is on it', async () => {
    const sock = (id: string, group: string, path: string) => ({
      id,
      title: `Sock ${group}`,
      link: `${path}?sku=${id}`,
      group,
    });
    expect(
      await idsAndPages(sock('1', 'A', 'wool'), sock('2', 'B', 'linen'), sock('3', 'A', 'wool')),
    ).toEqual([
      ['A', 'wool'],
      ['B', 'linen'],
    ]);
    expect(await idsAndPages(sock('1', 'A', 'show'), sock('2', 'B', 'show'), sock('3', 'A', 'show'))).toEqual(
      [
        ['A', 'show?sku=1'],
        ['3', 'show?sku=3'],
        ['B', 'show?sku=2'],
      ],
    );
  });

  it('are separate products if their names share only one word of several', async () => {
    const offers = ['Luna brown patent bag', 'Luna black quilted bag with a chain'].map((title, n) => ({
      id: `${n}`,
      title,
      link: '',
    }));
    expect((await productsOf(feedOf(...offers))).map(({ name }) => name)).toEqual(
      offers.map(({ title }) => title),
    );
  });

  it.each(['Humphrey health socks for tired feet, black', 'Humphrey socks'])(
    'are not named after their manufacturer alone, even if the titles of a group share nothing else: %s',
    async (other) => {
      const titles = ['Humphrey 95 percent mercerised cotton socks', other];
      const more = '<g:brand>Humphrey</g:brand>';
      const offers = titles.map((title, n) => ({ id: `${n}`, title, link: 'sock', group: 'S', more }));
      expect((await productsOf(feedOf(...offers))).map(({ name }) => name)).toEqual([titles[0]]);
    },
  );
});

describe('an item of a feed', () => {
  it('keeps the client-side route of its page, and drops parameters that select a combination', async () => {
    const products = await idsAndPages(
      { id: '1', title: 'Cup', link: 'store#!/Cup/p/1' },
      { id: '2', title: 'Lamp', link: 'store#!/Lamp/p/2' },
      { id: '3', title: 'Shirt', link: '7-shirt.html#/1-size-s/8-color-white' },
    );
    expect(products).toEqual([
      ['1', 'store#!/Cup/p/1'],
      ['2', 'store#!/Lamp/p/2'],
      ['3', '7-shirt.html'],
    ]);
  });

  it.each(['gtin', 'ean', 'upc', 'isbn'])('has the barcode given as %s', async (name) => {
    const more = `<g:${name}>4006381333931</g:${name}>`;
    const [product] = await productsOf(feedOf({ id: '1', title: 'Cup', link: 'cup', more }));
    expect(product?.gtin).toBe('4006381333931');
  });

  it('has its brand in plain text, whether it was escaped once or twice', async () => {
    const more = '<g:brand>Cooper&amp;amp;Hunter</g:brand>';
    const [product] = await productsOf(feedOf({ id: '1', title: 'Cup', link: 'cup', more }));
    expect(product?.brand).toBe('Cooper&Hunter');
  });

  it('drops an image whose URL is only the address of the shop', async () => {
    const more =
      '<g:image_link>https://shop.example/1.jpg</g:image_link><g:additional_image_link>https://shop.example</g:additional_image_link>';
    const [row] = await rowsOf(feedOf({ id: '1', title: 'Cup', link: 'cup', more }));
    expect(row).toMatchObject({
      product: { images: [{ url: 'https://shop.example/1.jpg' }] },
      notes: [{ code: 'image_dropped', detail: 'https://shop.example' }],
    });
  });

  it('that repeats the identifier of another item is reported, since its page may differ', async () => {
    const rows = await rowsOf(
      feedOf({ id: '1', title: 'Cup', link: 'cup' }, { id: '1', title: 'Lamp', link: 'lamp' }),
    );
    expect(rows[1]).toMatchObject({
      problem: { code: 'repeated', externalProductId: '1', reason: expect.stringContaining('identifier') },
    });
  });
});
