import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareStatements } from './compare-statements.ts';
import type { PageStatements, SignedValues, Statement, StatementSource } from './types.ts';

const SHOP = { storeName: 'Kiln House', domain: 'www.kilnhouse.example' };

/** Statements with these names by source; several of one source are a list. */
function stating(
  names: Partial<Record<StatementSource, string | readonly string[]>>,
  more: Partial<PageStatements> = {},
): PageStatements {
  const list = Object.entries(names).flatMap(([source, values]) =>
    [values]
      .flat()
      .map((value): Statement => ({ source: source as StatementSource, value: value as string })),
  );
  return { names: list, brands: [], skus: [], gtins: [], pictures: [], ...more };
}

const signed = (productName: string, more: Partial<SignedValues> = {}): SignedValues => ({
  productName,
  ...SHOP,
  ...more,
});

describe('a page that sells something else under a genuine certificate', () => {
  it('is different if all names are of another product', () => {
    const stated = stating({
      h1: 'Rolex Submariner, 18k gold',
      title: 'Rolex Submariner, 18k gold – Kiln House',
      jsonld: 'Rolex Submariner, 18k gold',
    });
    const { outcome, fields } = compareStatements(signed('Pot number 6'), stated);
    expect(outcome).toBe('different');
    expect(fields.name).toEqual({
      result: 'different',
      signed: 'Pot number 6',
      stated: 'Rolex Submariner, 18k gold',
      source: 'h1',
    });
  });

  it('is different if only its data still names the product, whatever else agrees', () => {
    const same = { sku: 'M-1', pictures: ['https://cdn.example/mug.jpg'] };
    const stated = stating(
      { h1: 'Rolex', title: 'Rolex', jsonld: 'Mug' },
      { skus: [{ source: 'jsonld', value: 'M-1' }], pictures: same.pictures },
    );
    expect(compareStatements(signed('Mug', same), stated).outcome).toBe('different');
    expect(compareStatements(signed('Mug', same), stated).fields.name.source).toBe('h1');
  });

  it('is different if only the heading names the product and the data another', () => {
    const stated = stating({ h1: 'Mug', jsonld: 'Rolex Submariner' });
    expect(compareStatements(signed('Mug'), stated).outcome).toBe('different');
  });

  it('is different if the certificate is of another product of the shop', () => {
    expect(compareStatements(signed('Mug'), stating({ h1: 'On the shelf' })).outcome).toBe('different');
  });

  it.each([
    ['a preview of something else', 'Mug', { jsonld: 'Mug', og: 'Rolex Submariner' }, 'different'],
    ['a title of something else', 'Mug', { title: 'Rolex Submariner', jsonld: 'Mug' }, 'different'],
    [
      'a preview of something else below its heading',
      'Mug',
      { h1: 'Mug', og: 'Rolex Submariner' },
      'unclear',
    ],
    [
      'a title of something else below its heading',
      'Mug',
      { h1: 'Mug', title: 'Rolex Submariner' },
      'unclear',
    ],
    ['a second heading of something else', 'Mug', { h1: ['Mug', 'Rolex Submariner'] }, 'unclear'],
    [
      'a heading that adds to the name',
      'Watch',
      { h1: 'Rolex Submariner watch', jsonld: 'Watch' },
      'unclear',
    ],
    ['another number', 'Pot number 6', { h1: 'Pot number 7' }, 'unclear'],
  ] as const)('is never the same with %s', (_, name, names, outcome) => {
    expect(compareStatements(signed(name), stating(names)).outcome).toBe(outcome);
  });

  it('is not the same if its brand, number or pictures are others', () => {
    const full = {
      brand: 'Kiln',
      sku: 'M-1',
      gtin: '4006381333931',
      pictures: ['https://a.example/mug.jpg'],
    };
    const of = (more: Partial<PageStatements>) =>
      compareStatements(signed('Mug', full), stating({ h1: 'Mug' }, more)).outcome;
    expect(of({})).toBe('same');
    expect(of({ brands: [{ source: 'jsonld', value: 'Rolex' }] })).toBe('unclear');
    expect(of({ skus: [{ source: 'text', value: 'R-1' }] })).toBe('unclear');
    expect(of({ gtins: [{ source: 'jsonld', value: '5901234123457' }] })).toBe('unclear');
    expect(of({ pictures: ['https://a.example/rolex.jpg'] })).toBe('unclear');
  });
});

describe('a genuine page is the same', () => {
  it.each([
    ['in another order of words', 'Blue stoneware mug', { h1: 'Stoneware Mug, Blue' }],
    ['in capitals, without diacritics', 'Crème brûlée dish', { h1: 'CREME BRULEE DISH' }],
    ['with a trade mark and full-width letters', 'Kiln Pro X2', { h1: 'Kiln™ Pro Ｘ２' }],
    ['as one word', 'T-Shirt', { h1: 'Tshirt', jsonld: 'T Shirt' }],
    ['with the shop in the title', 'Mug', { title: 'Mug – Kiln House', jsonld: 'Mug | kilnhouse' }],
    ['with words of the shop', 'Mug', { title: 'Buy Mug online', h1: 'Mug' }],
    ['with colour and size', 'Mug', { h1: 'Mug - blue / XL', jsonld: 'Mug 350 ml' }],
    ['below the name of the shop', 'Mug', { h1: ['Kiln House', 'Mug'] }],
    ['below an empty heading and a cart', 'Mug', { h1: ['Your cart', 'Mug'] }],
    ['with a title for search engines', 'Mug', { h1: 'Mug', title: 'Stoneware mugs and bowls by hand' }],
    ['with variants in its data', 'Mug', { h1: 'Mug', jsonld: ['Mug', 'Mug - Straw lid / Yes (+$10)'] }],
    [
      'with a preview cut off at an inch mark',
      '3" Foam block',
      { h1: '3" Foam block', og: ['3" Foam block', '3'] },
    ],
    [
      'in Japanese',
      '青い陶器のマグカップ',
      { h1: '青い陶器のマグカップ', title: '青い陶器のマグカップ｜公式通販' },
    ],
    ['in Chinese, with a colour', '陶瓷 马克杯', { h1: '陶瓷马克杯' }],
    ['in Thai', 'แก้วเซรามิก', { h1: 'แก้วเซรามิก', title: 'แก้วเซรามิก | Kiln House' }],
    ['in Arabic', 'كوب خزفي أزرق', { h1: 'كوب أزرق خزفي' }],
  ])('%s', (_, name, names) => {
    expect(compareStatements(signed(name), stating(names)).outcome).toBe('same');
  });

  it('if its heading is a shorter form and an identifier or a picture agrees', () => {
    const pictures = ['https://cdn.shopify.com/s/files/1/2345/products/mug_600x.jpg?v=17'];
    const stated = stating(
      { h1: 'Stoneware mug with lid' },
      { pictures: ['https://kilnhouse.example/cdn/shop/products/mug.jpg?v=18&width=800'] },
    );
    const certificate = signed('Stoneware mug with lid and saucer', { pictures });
    expect(compareStatements(certificate, stated).outcome).toBe('same');
    expect(compareStatements(certificate, { ...stated, pictures: [] }).outcome).toBe('unclear');
  });

  it('if another variant is shown: its number is not the signed one', () => {
    const pictures = ['https://a.example/mug.jpg'];
    const stated = stating({ h1: 'Mug' }, { pictures, skus: [{ source: 'data', value: 'M-2' }] });
    const { outcome, fields } = compareStatements(signed('Mug', { sku: 'M-1', pictures }), stated);
    expect([outcome, fields.sku.result]).toEqual(['same', 'not_comparable']);
  });

  it('if it has no name, but its GTIN, or number and brand', () => {
    const certificate = signed('Mug', { sku: 'M 1', brand: 'Kiln', gtin: '4006381333931' });
    const brands: Statement[] = [{ source: 'meta', value: 'KILN' }];
    const skus: Statement[] = [{ source: 'meta', value: 'm-1' }];
    const of = (more: Partial<PageStatements>) => compareStatements(certificate, stating({}, more)).outcome;
    expect(of({ gtins: [{ source: 'jsonld', value: '04006381333931' }] })).toBe('same');
    expect(of({ skus, brands })).toBe('same');
    expect(of({ skus })).toBe('unclear');
    expect(of({})).toBe('nothing');
  });

  it('and its brand too, in a shorter form or as the name of the shop', () => {
    const of = (brand: string, value: string) =>
      compareStatements(
        signed('Mug', { brand }),
        stating({ h1: 'Mug' }, { brands: [{ source: 'jsonld', value }] }),
      ).fields.brand.result;
    expect(of('Potters Guild Ltd', 'Potters Guild')).toBe('same');
    expect(of('Potters Guild', 'Kiln House')).toBe('not_comparable');
    expect(of('Potters Guild', 'Rolex')).toBe('different');
  });
});

describe('what cannot be compared is unclear', () => {
  const pictures = ['https://a.example/mug.jpg'];

  it('a translation: other words, but the number or the pictures agree', () => {
    const stated = stating({ h1: 'Tasse en grès', jsonld: 'Tasse en grès' });
    const certificate = signed('Stoneware mug', { pictures });
    expect(compareStatements(certificate, { ...stated, pictures }).outcome).toBe('unclear');
    expect(compareStatements(certificate, { ...stated, pictures }).fields.name.result).toBe('not_comparable');
    expect(compareStatements(certificate, stated).outcome).toBe('different');
  });

  it('a name in another script', () => {
    expect(compareStatements(signed('Stoneware mug'), stating({ h1: 'Керамическая кружка' })).outcome).toBe(
      'unclear',
    );
    expect(compareStatements(signed('老蒋'), stating({ h1: 'Lao Jiang' })).outcome).toBe('unclear');
  });

  it('a page that was not read to its end, or has more names than are read', () => {
    expect(compareStatements(signed('Mug', { pictures }), undefined)).toMatchObject({
      outcome: 'unclear',
      fields: { name: { result: 'not_comparable', signed: 'Mug' }, sku: { result: 'not_signed' } },
    });
    expect(compareStatements(signed('Mug'), stating({ h1: 'Mug' }, { capped: true })).outcome).toBe(
      'unclear',
    );
  });

  it('a name without letters or digits', () => {
    expect(compareStatements(signed('™ – …'), stating({ h1: 'Mug' })).outcome).toBe('unclear');
  });
});

it('says of each field what was signed, and what is stated about it where', () => {
  const certificate = signed('Mug', {
    gtin: '4006381333931',
    pictures: ['https://a.example/mug.jpg', 'not an address'],
  });
  const stated = stating(
    { title: 'Mug' },
    { gtins: [{ source: 'jsonld', value: '123' }], pictures: ['https://a.example/mug-300x300.jpg'] },
  );
  expect(compareStatements(certificate, stated).fields).toEqual({
    name: { result: 'same', signed: 'Mug', stated: 'Mug', source: 'title' },
    brand: { result: 'not_signed' },
    sku: { result: 'not_signed' },
    // no GTIN: its check digit is wrong
    gtin: { result: 'not_stated', signed: '4006381333931' },
    pictures: {
      result: 'same',
      signed: ['https://a.example/mug.jpg', 'not an address'],
      stated: ['https://a.example/mug-300x300.jpg'],
    },
  });
});

describe('for any names', () => {
  const word = fc.stringMatching(/^[a-zà-ž]{3,12}$/);
  const words = fc.uniqueArray(word, { minLength: 1, maxLength: 8 });
  const outcomeOf = (name: string, stated: string) =>
    compareStatements({ productName: name }, stating({ h1: stated })).outcome;

  it('a name is never different from itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (name) => {
        const all = stating({ h1: name, title: name, og: name, jsonld: name });
        const { outcome } = compareStatements({ productName: name, ...SHOP }, all);
        expect(['same', 'unclear', 'nothing']).toContain(outcome);
        if (/[\p{L}\p{N}]/u.test(name.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '')))
          expect(outcome).toBe('same');
      }),
    );
  });

  it('order, case, diacritics and decoration change nothing', () => {
    fc.assert(
      fc.property(words, words, fc.integer(), (name, stated, seed) => {
        const shuffled = stated.toSorted(
          (a, b) => ((a.length * seed) % 7) - ((b.length * seed) % 7) || a.localeCompare(b),
        );
        const decorated = `  “${shuffled.join(' ')}” ™`.toUpperCase();
        const [signedName, shown] = [name.join(' '), stated.join(' ')];
        expect(outcomeOf(signedName, decorated)).toBe(outcomeOf(signedName, shuffled.join(' ')));
        expect(outcomeOf(signedName, shuffled.join(' ').normalize('NFD'))).toBe(
          outcomeOf(signedName, shuffled.join(' ')),
        );
        // triples of characters depend on the order, but only between distant and other
        expect(outcomeOf(signedName, shuffled.join(' ')) === 'same').toBe(
          outcomeOf(signedName, shown) === 'same',
        );
      }),
    );
  });

  it('a hostile page costs bounded work', () => {
    const long = 'Rolex Submariner 劳力士 '.repeat(50_000);
    let reads = 0;
    const statement: Statement = {
      source: 'h1',
      get value() {
        reads++;
        return long;
      },
    };
    const all = Array.from({ length: 100_000 }, () => statement);
    const pictures = Array.from({ length: 100 }, (_, i) => `https://a.example/${i}_100x100`.repeat(500));
    const values = { names: all, brands: all, skus: all, gtins: all, pictures };
    const certificate = signed('Mug', { brand: long, sku: long, gtin: '4006381333931', pictures });
    expect(compareStatements(certificate, values).fields.name.result).toBe('not_comparable');
    expect(reads).toBeLessThan(5_000);
  });
});
