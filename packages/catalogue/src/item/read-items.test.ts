import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { CatalogueSource } from '../source.ts';
import { readItems } from './read-items.ts';
import type { ReadItemOptions } from './types.ts';

const certificate = { proof: { jwt: 'a.b.c' } };

async function rowsOf(source: CatalogueSource, options?: ReadItemOptions) {
  const rows: unknown[] = [];
  for await (const row of readItems(source, options)) {
    if ('problem' in row) rows.push([row.problem.row, row.problem.code]);
    else rows.push([row.row, row.item.name, row.item.link, row.item.certificates.length]);
  }
  return rows;
}

const link = (name: string) => `https://shop.example/${name}`;
const CUP = { id: 'cup', title: 'Cup', link: link('cup'), certificate };
const BLUE = { id: 'blue', item_group_id: 'cup', title: 'Cup - Blue', link: link('cup'), certificate };
const READ = [
  [1, 'Cup', link('cup'), 1],
  [2, 'Cup - Blue', link('cup'), 1],
];
const element = ({ id, title }: typeof CUP) => `<item><g:id>${id}</g:id><g:title>${title}</g:title>
  <g:link>${link('cup')}</g:link><s:certificate>${JSON.stringify(certificate)}</s:certificate></item>`;
const RSS = `<?xml version="1.0"?><rss xmlns:g="http://base.google.com/ns/1.0" xmlns:s="https://c.example/ns#">
  <channel>${element(CUP)}${element(BLUE)}</channel></rss>`;
const TABLE = [
  'id\ttitle\tlink\tcertificate',
  ...[CUP, BLUE].map(({ id, title }) =>
    [id, title, link('cup'), JSON.stringify(certificate).replaceAll('"', '""')]
      .join('\t')
      .replace(/[^\t]*$/, '"$&"'),
  ),
].join('\n');

describe('a feed', () => {
  it.each<[string, CatalogueSource]>([
    ['a list', JSON.stringify([CUP, BLUE])],
    ['lines', `${JSON.stringify(CUP)}\n${JSON.stringify(BLUE)}\n`],
    [
      'the answer of a catalogue',
      JSON.stringify({ ucp: { version: '1' }, products: [CUP, BLUE], pagination: {} }),
    ],
    ['RSS', RSS],
    ['RSS, compressed', gzipSync(RSS)],
  ])('is read item by item, without grouping variants: %s', async (_, source) => {
    expect(await rowsOf(source)).toEqual(READ);
    if (typeof source !== 'string') return;
    const pieces = async function* () {
      for (let at = 0; at < source.length; at += 7) yield source.slice(at, at + 7);
    };
    expect(await rowsOf(pieces())).toEqual(READ);
  });

  it('as a table has the lines of its rows', async () => {
    expect(await rowsOf(TABLE)).toEqual(READ.map(([row, ...rest]) => [Number(row) + 1, ...rest]));
  });

  it('has a reason for each row that is no item', async () => {
    expect(await rowsOf('[{"a":1}, 7, {"id":}]')).toEqual([
      [1, 'row_not_product'],
      [2, 'row_not_product'],
      [3, 'row_not_json'],
    ]);
    expect(await rowsOf('[{"id":"a","title":"Cup"},{"id"')).toEqual([
      [1, 'Cup', undefined, 0],
      [0, 'file_truncated'],
    ]);
    expect(await rowsOf(RSS.slice(0, -10))).toEqual([...READ, [0, 'file_truncated']]);
    expect(await rowsOf(gzipSync(RSS.repeat(100)).subarray(0, 200))).toContainEqual([0, 'file_truncated']);
  });

  it.each([
    ['', 'file_empty'],
    ['[]', 'no_products'],
    ['<!doctype html><p>', 'file_is_html'],
    ['<sitemapindex></sitemapindex>', 'shape_unknown'],
    ['Handle,Title,Vendor\na,b,c', 'csv_columns_missing'],
    [new Uint8Array([0x7b, 0xff]), 'file_not_utf8'],
  ])('that is none says why: %j', async (source, code) => {
    expect(await rowsOf(source)).toEqual([[0, code]]);
  });
});
