import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CatalogueProduct, readCatalogue, readItem } from '@touchstone/catalogue';
import { type ItemVerification, verifyItem } from '@touchstone/certificate/item';
import { createTestIssuer, TEST_ISSUER, TEST_NOW, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { describe, expect, it } from 'vitest';

const folder = join(
  process.env.TOUCHSTONE_CORPORA ?? join(import.meta.dirname, '../../../shared/corpora'),
  'catalogues',
);

type Json = Record<string, unknown>;
const issuer = await createTestIssuer();

/** The certificate that the registry would issue for a product of the catalogue. */
async function certify({ externalProductId, url, name, sku, gtin, brand, images }: CatalogueProduct) {
  return issuer.certificate({
    product: {
      ...TEST_PRODUCT,
      externalProductId,
      url,
      name,
      domain: new URL(url).hostname,
      storeName: 'Store',
      storeUrl: new URL('/', url).href,
      sku,
      ...(gtin === undefined ? {} : { gtin }),
      ...(brand === undefined ? {} : { brand }),
      attributes: [],
      images: images.map((image, at) => ({
        imageId: `6a1d58cf-43f8-4f1d-9c53-${String(at).padStart(12, '0')}`,
        contentUrl: image.url,
      })),
    },
  } as Parameters<typeof issuer.certificate>[0]);
}

/** Alters one field of a product in the form of its platform. */
type Alter = (product: Json) => Json;

const first = (list: unknown, change: (one: Json) => Json): unknown =>
  (list as Json[]).map((one, at) => (at === 0 ? change(one) : one));
const other = 'https://shop.example/another-picture.jpg';

interface Form {
  readonly carrying: (product: Json, certificate: unknown) => Json;
  /** By the field that must be named. */
  readonly alterations: Readonly<Record<string, Alter>>;
}

const SHOPIFY: Form = {
  carrying: (product, certificate) => ({
    ...product,
    metafields: [{ namespace: 'touchstone', key: 'certificate', value: JSON.stringify(certificate) }],
  }),
  alterations: {
    page: (product) => ({ ...product, handle: `${product.handle}-2` }),
    name: (product) => ({ ...product, title: `${product.title} Pro` }),
    brand: (product) => ({ ...product, vendor: 'Rolex' }),
    sku: (product) => ({
      ...product,
      variants: first(product.variants, (one) => ({ ...one, sku: `${one.sku}9` })),
    }),
    gtin: (product) => ({
      ...product,
      variants: first(product.variants, (one) => ({ ...one, barcode: '4012345123456' })),
    }),
    pictures: (product) => ({ ...product, images: first(product.images, (one) => ({ ...one, src: other })) }),
  },
};

const WOOCOMMERCE: Form = {
  carrying: (product, certificate) => ({
    ...product,
    meta_data: [{ key: '_touchstone_document', value: JSON.stringify(certificate) }],
  }),
  alterations: {
    page: (product) => ({ ...product, permalink: `${product.permalink}2` }),
    host: (product) => ({ ...product, permalink: 'https://copy.example/product/' }),
    name: (product) => ({ ...product, name: `${product.name} Pro` }),
    brand: (product) => ({ ...product, brands: [{ name: 'Rolex' }] }),
    sku: (product) => ({ ...product, sku: `${product.sku}9` }),
    gtin: (product) => ({ ...product, global_unique_id: '4012345123456' }),
    pictures: (product) => ({ ...product, images: first(product.images, (one) => ({ ...one, src: other })) }),
  },
};

const differing = ({ fields }: ItemVerification) =>
  Object.entries(fields).flatMap(([name, { result }]) => (result === 'differs' ? [name] : []));

describe.skipIf(!existsSync(folder))('the items of real catalogues', () => {
  it.each([
    ['shopify-bmcuruguay.json', 'https://shop.example', SHOPIFY, 74, 257],
    ['shopify-elsewedyshop_products_page1_live.json', 'https://shop.example', SHOPIFY, 4, 12],
    ['shopify-elsewedyshop_products_page4_live.json', 'https://shop.example', SHOPIFY, 3, 9],
    ['shopify-elsewedyshop_products_en_page1_2026-07-23.json', 'https://shop.example', SHOPIFY, 4, 12],
    ['woocommerce-rest-v3-vitalseeds.json', 'http://vitalseedscouk.local', WOOCOMMERCE, 5, 15],
    ['woocommerce-store-api-samehgabriel.json', 'https://samehgabriel.com', WOOCOMMERCE, 18, 54],
  ])(
    '%s: agree with their certificates, and every alteration is named',
    async (file, storeUrl, form, items, least) => {
      const text = await readFile(join(folder, file), 'utf8');
      const parsed = JSON.parse(text) as { readonly products: readonly Json[] } | readonly Json[];
      const listed = 'products' in parsed ? parsed.products : parsed;
      const verified = async (item: Json) => {
        const read = readItem(item, { source: storeUrl });
        if (read === null) throw new Error(`${file} has an item that cannot be read`);
        return verifyItem(read, {
          trustedIssuers: [TEST_ISSUER],
          jwks: issuer.jwks,
          now: TEST_NOW,
          source: storeUrl,
        });
      };
      let alterations = 0;
      let read = 0;
      for await (const row of readCatalogue(text, { storeUrl })) {
        if ('problem' in row) throw new Error(row.problem.reason);
        const product = listed.find(({ id }) => String(id) === row.product.externalProductId) as Json;
        const item = form.carrying(product, await certify(row.product));
        const genuine = await verified(item);
        const about = [row.product.externalProductId, row.product.name];
        expect([...about, differing(genuine), genuine.conclusion.level]).toEqual([...about, [], 'none']);
        read++;
        for (const [field, alter] of Object.entries(form.alterations)) {
          // what is not signed cannot differ
          if (genuine.fields[field as keyof ItemVerification['fields']].result !== 'agrees') continue;
          const altered = await verified(alter(item));
          expect([...about, differing(altered)]).toEqual([...about, expect.arrayContaining([field])]);
          expect([...about, field, altered.conclusion.level]).not.toEqual([...about, field, 'none']);
          alterations++;
        }
      }
      expect(read).toBe(items);
      expect(alterations).toBeGreaterThanOrEqual(least);
    },
  );
});
