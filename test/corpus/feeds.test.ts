import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type CatalogueRow, readCatalogue } from '@touchstone/catalogue';
import { describe, expect, it } from 'vitest';

/** Google feeds of shops, from public repositories (docs/measurements.md). */
const folder = join(
  process.env.TOUCHSTONE_CORPORA ?? join(import.meta.dirname, '../../../shared/corpora'),
  'feeds',
);

interface Listed {
  readonly id: string | undefined;
  readonly link: string | undefined;
}

/** The products of a feed, found without our parser: by its tags only. */
function listedIn(xml: string): Listed[] {
  const items = xml.replace(/<!--.*?-->/gs, '').match(/<(item|entry)\b[^>]*>.*?<\/\1>/gs) ?? [];
  return items.map((item) => ({
    id: elementOf(item, 'id'),
    link: elementOf(item, 'link') ?? /<link\b[^>]*href="([^"]*)"/.exec(item)?.[1],
  }));
}

function elementOf(item: string, name: string): string | undefined {
  const element = (prefix: string) =>
    new RegExp(
      `<${prefix}${name}\\b[^>]*>\\s*(?:<!\\[CDATA\\[)?(.*?)(?:\\]\\]>)?\\s*</${prefix}${name}>`,
      's',
    );
  const text = (element('g:').exec(item) ?? element('').exec(item))?.[1]?.trim();
  return text === '' ? undefined : text?.replaceAll('&amp;', '&');
}

/** The part of an address that is the same for all variants and in store URLs. */
const placeOf = (address: string) => {
  const { pathname } = new URL(address, 'https://shop.example');
  return pathname.replace(/\/$/, '');
};

const files = existsSync(folder) ? readdirSync(folder).filter((name) => /\.(xml|gz)$/.test(name)) : [];

describe.skipIf(files.length === 0)('real Google feeds', () => {
  it.each(files)('%s: every item is a product, a variant of one, or has a reason', async (file) => {
    const bytes = await readFile(join(folder, file));
    const listed = listedIn((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
    const rows: CatalogueRow[] = [];
    for await (const row of readCatalogue(bytes, { storeUrl: 'https://shop.example' })) rows.push(row);
    const pages = new Set(rows.flatMap((row) => ('product' in row ? [placeOf(row.product.url)] : [])));
    const refused = rows.flatMap((row) => ('problem' in row ? [row.problem] : []));
    const isTold = ({ id }: Listed, row: number) =>
      refused.some((problem) => problem.row === row || problem.externalProductId === id);
    const lost = listed.filter(
      (item, n) => !isTold(item, n + 1) && (item.link === undefined || !pages.has(placeOf(item.link))),
    );
    expect(lost).toEqual([]);
    expect(rows.length).toBeGreaterThan(0);
    if (listed.length === 0) expect(refused).toMatchObject([{ row: 0 }]);
  });
});
