import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCatalogue } from '@touchstone/catalogue';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../packages/cli/src/testing.ts';
import { useFolder } from '../kit/folder.ts';

const corpora = join(
  process.env.TOUCHSTONE_CORPORA ?? join(import.meta.dirname, '../../../shared/corpora'),
  'catalogues',
);

const issuer = await createTestIssuer();
const folder = useFolder('certified-feeds');
const certificates = join(folder, 'certificates');
const out = join(folder, 'out.json');
const jwks = join(folder, 'jwks.json');

/** The folder that `certificates pull` would write for a store with these products. */
async function pulled(text: string | undefined, storeUrl: string): Promise<number> {
  await rm(certificates, { recursive: true, force: true });
  await mkdir(certificates, { recursive: true });
  await writeFile(jwks, JSON.stringify(issuer.jwks));
  await writeFile(join(certificates, 'pulled.json'), JSON.stringify({ service: TEST_ISSUER }));
  let products = 0;
  if (text === undefined) return products;
  for await (const row of readCatalogue(text, { storeUrl })) {
    if ('problem' in row) throw new Error(row.problem.reason);
    const { externalProductId, url, name, sku, gtin, brand, images } = row.product;
    const id = `6a1d58cf-43f8-4f1d-9c53-${String(products++).padStart(12, '0')}`;
    const product = {
      ...TEST_PRODUCT,
      productId: id,
      externalProductId,
      url,
      name,
      sku,
      ...(gtin === undefined ? {} : { gtin }),
      ...(brand === undefined ? {} : { brand }),
      domain: new URL(url).hostname,
      storeName: 'Store',
      storeUrl: new URL('/', url).href,
      attributes: [],
      images: images.map((image, at) => ({
        imageId: `7b1d58cf-43f8-4f1d-9c53-${String(at).padStart(12, '0')}`,
        contentUrl: image.url,
      })),
    };
    const document = await issuer.certificate({ product } as Parameters<typeof issuer.certificate>[0]);
    await writeFile(join(certificates, `${id}.json`), JSON.stringify(document));
  }
  return products;
}

const rowsOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe.skipIf(!existsSync(corpora))('real catalogues', () => {
  it.each([
    ['shopify-bmcuruguay.json', 'https://shop.example', 'title'],
    ['shopify-elsewedyshop_products_page1_live.json', 'https://shop.example', 'title'],
    ['shopify-elsewedyshop_products_en_page1_2026-07-23.json', 'https://shop.example', 'title'],
    ['woocommerce-rest-v3-vitalseeds.json', 'http://vitalseedscouk.local', 'name'],
    ['woocommerce-store-api-samehgabriel.json', 'https://samehgabriel.com', 'name'],
  ])(
    '%s: gets its certificates, loses no byte, and each altered item is named',
    async (file, storeUrl, name) => {
      const text = await readFile(join(corpora, file), 'utf8');
      const products = await pulled(text, storeUrl);
      const trust = ['--issuer', TEST_ISSUER, '--jwks', jwks, '--source', storeUrl, '--json'];
      const certify = (stdin: string) =>
        runCli(['feed', 'certify', '-', '--out', out, '--certificates', certificates, ...trust], {
          stdin,
          now: TEST_NOW,
        });
      const verify = (stdin: string) => runCli(['feed', 'verify', '-', ...trust], { stdin, now: TEST_NOW });
      const certified = await certify(text);
      expect(rowsOf(certified.out).filter(({ outcome }) => outcome !== 'certified')).toEqual([]);
      expect([certified.code, rowsOf(certified.out).length]).toEqual([0, products]);
      const signed = await readFile(out, 'utf8');
      const verified = rowsOf((await verify(signed)).out);
      expect(
        verified.filter(({ certificate, status }) => certificate !== 'carried' || status !== 'verified'),
      ).toEqual([]);
      expect(
        verified.filter(
          ({ conclusion }) => !/^(?:item_agrees|item_unclear|control_\w+)$/.test(conclusion.code),
        ),
      ).toEqual([]);
      const altered = JSON.parse(signed, function (this: unknown, key, value) {
        const isItem = typeof this === 'object' && this !== null && 'touchstone_certificate' in this;
        return isItem && key === name ? `${value} Pro` : value;
      });
      const told = rowsOf((await verify(JSON.stringify(altered))).out);
      expect(told.filter(({ fields }) => fields.name.result !== 'differs')).toEqual([]);
      expect(told.length).toBe(products);
      await pulled(undefined, storeUrl);
      expect((await certify(signed)).code).toBe(2);
      expect((await readFile(out, 'utf8')) === text).toBe(true);
    },
  );
});
