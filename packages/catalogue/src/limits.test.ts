import { describe, expect, it } from 'vitest';
import { CATALOGUE_LIMITS, type LimitName, overLimit } from './limits.ts';
import { rowsOf } from './testing.ts';

const SHOPIFY = 'Handle,Title,Vendor\n';
const AFTER = 'mug,Mug,Clay\n';
const most = (limit: LimitName) => CATALOGUE_LIMITS[limit].most;
const numbered = (count: number, entry: (n: number) => string, separator = ',') =>
  Array.from({ length: count }, (_, n) => entry(n)).join(separator);
const product = (members: string) => `{"id":1,"title":"Cup","handle":"cup"${members}}`;
const after = '{"id":2,"title":"Mug","handle":"mug"}';
const rss = (items: string) =>
  `<rss xmlns:g="http://base.google.com/ns/1.0"><channel>${items}</channel></rss>`;
const item = (id: string, more = '') =>
  `<item><g:id>${id}</g:id><title>Mug</title><link>https://shop.example/p/${id}</link>${more}</item>`;

/** A catalogue that meets the limit exactly, or exceeds it by one, with a second product behind. */
type Build = (count: number) => string;
const OF_ROWS: readonly (readonly [LimitName, string, Build])[] = [
  ['columns', 'Shopify CSV', (n) => `${SHOPIFY}cup,Cup,Clay${','.repeat(n - 3)}\n${AFTER}`],
  [
    'columns',
    'a feed as TSV',
    (n) =>
      `id\ttitle\tlink\n1\tCup\thttps://shop.example/p/1${'\t'.repeat(n - 3)}\n2\tMug\thttps://shop.example/p/2\n`,
  ],
  ['cell', 'Shopify CSV', (n) => `${SHOPIFY}cup,Cup,"${'x'.repeat(n)}"\n${AFTER}`],
  ['cell', 'unquoted', (n) => `${SHOPIFY}cup,Cup,${'x'.repeat(n)}\n${AFTER}`],
  ['cell', 'with a line end in it', (n) => `${SHOPIFY}cup,Cup,"x\n${'x'.repeat(n - 2)}"\n${AFTER}`],
  [
    'record',
    'Shopify CSV',
    (n) => {
      const part = Math.floor(n / 8);
      return `${SHOPIFY}cup,Cup,${'x'.repeat(n - 6 - 7 * part)}${`,${'y'.repeat(part)}`.repeat(7)}\n${AFTER}`;
    },
  ],
  ['rowsOfProduct', 'Shopify CSV', (n) => `${SHOPIFY}${'cup,Cup,Clay\n'.repeat(n)}${AFTER}`],
  [
    'rowsOfProduct',
    'a feed',
    (n) => rss(`${item('1', '<g:item_group_id>G</g:item_group_id>').repeat(n)}${item('2')}`),
  ],
  ['values', 'JSON', (n) => `[${product(`,"x":[${'1,'.repeat(n - 4)}1]`)},${after}]`],
  ['depth', 'JSON', (n) => `[${product(`,"x":${'['.repeat(n - 1)}${']'.repeat(n - 1)}`)},${after}]`],
  ['members', 'JSON', (n) => `[${product(`,${numbered(n - 3, (k) => `"k${k}":1`)}`)},${after}]`],
  [
    'images',
    'JSON',
    (n) => `[${product(`,"images":[${numbered(n, (k) => `"https://shop.example/${k}"`)}]`)},${after}]`,
  ],
];

describe('a row that exceeds a limit', () => {
  it.each(OF_ROWS)(
    'of %s (%s) costs no other row, and names the limit and what to do',
    async (limit, _, build) => {
      const within = await rowsOf(build(most(limit)));
      expect(within.filter((row) => 'problem' in row)).toEqual([]);
      const over = await rowsOf(build(most(limit) + 1));
      const problems = over.flatMap((row) => ('problem' in row ? [row.problem] : []));
      expect(problems).toMatchObject([
        { code: 'row_too_large', reason: expect.stringContaining(overLimit(limit)) },
      ]);
      expect(problems[0]?.row).toBeGreaterThan(0);
      expect(over.flatMap((row) => ('product' in row ? [row.product.name] : []))).toContain('Mug');
    },
  );
});

const OF_FILES: readonly (readonly [LimitName, string, Build])[] = [
  ['depth', 'XML', (n) => rss(`${item('1')}${'<a>'.repeat(n - 2)}${'</a>'.repeat(n - 2)}`)],
  ['attributes', 'XML', (n) => rss(`${item('1')}<a ${numbered(n, (k) => `a${k}=""`, ' ')}/>`)],
  ['markup', 'XML', (n) => rss(`${item('1')}<!--${'-x'.repeat(n)}`)],
];

describe('a file that exceeds a limit', () => {
  it.each(OF_FILES)(
    'of %s (%s) is read up to there, with a problem that names it',
    async (limit, _, build) => {
      const over = await rowsOf(build(most(limit) + 1));
      expect(over).toMatchObject([
        { product: { name: 'Mug' } },
        { problem: { row: 0, code: 'file_too_large', reason: expect.stringContaining(overLimit(limit)) } },
      ]);
    },
  );

  it('of rows ends there', async () => {
    const rows = await rowsOf(`[${'1,'.repeat(most('rows') + 10)}1]`);
    expect(rows).toHaveLength(most('rows') + 1);
    expect(rows.at(-1)).toMatchObject({ problem: { code: 'file_too_large' } });
  });

  it('whose header does is not read with its second line as header', async () => {
    const rows = await rowsOf(`Handle,Title${',x'.repeat(most('columns'))}\n${AFTER}`);
    expect(rows).toMatchObject([{ problem: { row: 1, code: 'row_too_large' } }]);
  });
});

/** Each took time that grew with the square of its size, or worse. */
const ONCE_QUADRATIC: Readonly<Record<string, Build>> = {
  'attributes of many columns': (n) => {
    const columns = numbered(n / 100, (k) => `Attribute ${k} name,Attribute ${k} value(s)`);
    return `ID,Type,SKU,Name,Published,Permalink,${columns}\n1,simple,S,Cup,1,https://shop.example/p/1\n`;
  },
  'columns of one name': (n) =>
    `id\ttitle\tlink${'\timage_link'.repeat(n / 22)}\n1\tCup\thttps://shop.example/p${'\tx'.repeat(n / 22)}\n`,
  'unclosed elements': (n) => rss('<a>'.repeat(n / 3)),
  'closing tags of nothing': (n) => rss(`${'<a>'.repeat(n / 6)}${'</b>'.repeat(n / 8)}`),
  'a long title, and variants': (n) =>
    `id\ttitle\tlink\n1\tCup ${'&amp;'.repeat(n / 10)}\thttps://shop.example/p\n${numbered(n / 80, (k) => `${k}\tCup ${k}\thttps://shop.example/p`, '\n')}`,
  'a link of many parameters': (n) =>
    `id\ttitle\tlink\n1\tCup\thttps://shop.example/p?${numbered(n / 16, (k) => `utm_${k}=1`, '&')}\n`,
};

it.each(Object.entries(ONCE_QUADRATIC))(
  '%s: four times as many characters take no more than some eight times as long',
  async (_, build) => {
    const cost = async (characters: number) => {
      const text = build(characters);
      const before = process.cpuUsage();
      await rowsOf(text);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };
    await cost(100_000);
    // a tenth of a second is noise: garbage of something else may be collected
    expect(await cost(1_600_000)).toBeLessThan(8 * (await cost(400_000)) + 100);
  },
);
