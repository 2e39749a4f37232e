import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CatalogueRow, detectShape, readCatalogue } from '@touchstone/catalogue';
import { describe, expect, it } from 'vitest';

const folder = join(
  process.env.TOUCHSTONE_CORPORA ?? join(import.meta.dirname, '../../../shared/corpora'),
  'catalogues',
);

/** The products in each file, found without our parser. */
async function listed(file: string): Promise<string[]> {
  const text = await readFile(join(folder, file), 'utf8');
  if (file.endsWith('.csv')) {
    return [...new Set([...text.matchAll(/^([a-z0-9-]+),/gm)].map((match) => match[1] ?? ''))];
  }
  const json = JSON.parse(text) as { products?: { id: number }[] } | { id: number }[];
  return (Array.isArray(json) ? json : (json.products ?? [])).map((product) => String(product.id));
}

describe.skipIf(!existsSync(folder))('real catalogues', () => {
  it.each([
    ['shopify-bmcuruguay.json', 'shopify-json', 74],
    ['shopify-elsewedyshop_gallery_order_2026-08-01.json', 'shopify-json', 3],
    ['shopify-elsewedyshop_products_en_page1_2026-07-23.json', 'shopify-json', 4],
    ['shopify-elsewedyshop_products_images_2026-07-30.json', 'shopify-json', 2],
    ['shopify-elsewedyshop_products_page1_live.json', 'shopify-json', 4],
    ['shopify-elsewedyshop_products_page4_live.json', 'shopify-json', 3],
    ['shopify-export.csv', 'shopify-csv', 20],
    ['woocommerce-rest-v3-vitalseeds.json', 'woocommerce-rest-v3', 5],
    ['woocommerce-store-api-samehgabriel.json', 'woocommerce-store-api', 18],
  ])('%s is read completely as %s', async (file, shape, count) => {
    const text = await readFile(join(folder, file), 'utf8');
    expect(detectShape(text)).toBe(shape);
    const rows: CatalogueRow[] = [];
    for await (const row of readCatalogue(text, { storeUrl: 'https://shop.example' })) rows.push(row);
    const ids = rows.map((row) => ('problem' in row ? row.problem.reason : row.product.externalProductId));
    expect(ids).toEqual(await listed(file));
    expect(ids).toHaveLength(count);
    for (const row of rows) {
      if ('problem' in row) continue;
      expect(new URL(row.product.url).host).toBe('shop.example');
      expect(JSON.stringify(row.product)).not.toMatch(/&#?\w+;|<\w/);
      for (const { url } of row.product.images) expect(new URL(url).href).toBe(url);
    }
  });
});
