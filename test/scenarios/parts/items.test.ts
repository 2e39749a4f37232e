import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readItem } from '@touchstone/catalogue';
import { itemContradictions, verifyItem } from '@touchstone/certificate/item';
import { describe, expect } from 'vitest';
import { runCli } from '../../../packages/cli/src/testing.ts';
import { useFolder } from '../../kit/folder.ts';
import { covers, scenario } from '../../kit/scenario.ts';
import { type Json, useScene } from '../../kit/service.ts';
import { useToolClients } from '../../kit/tools.ts';

const scene = await useScene();
const store = await scene.store('shop.example');
const clients = await useToolClients(scene.service.url);
const GTIN = '4012345123456';
const kettle = await store.product('kettle', { sku: 'K-1', gtin: GTIN, brand: 'Kiln' });
const teapot = await store.product('teapot', { sku: 'T-1', brand: 'Kiln' });
const certificate = await scene.certificate(kettle.id);
const ofTeapot = await scene.certificate(teapot.id);
const jwks = (await scene.call('GET', '/api/v1/.well-known/jwks.json')).json;
const keys = join(useFolder('items'), 'jwks.json');
await writeFile(keys, JSON.stringify(jwks));
const SOURCE = 'http://shop.example/ucp';

/** The kettle as a product of UCP. */
const ITEM = {
  id: 'kettle',
  title: 'The kettle',
  description: { plain: 'For tea' },
  url: kettle.url,
  brand: 'Kiln',
  price_range: { min: { amount: 2490, currency: 'EUR' }, max: { amount: 2490, currency: 'EUR' } },
  media: [{ type: 'image', url: 'http://shop.example/images/kettle-front.jpg' }],
  variants: [
    {
      id: 'kettle-1',
      sku: 'K-1',
      title: 'The kettle',
      description: {},
      barcodes: [{ type: 'EAN', value: GTIN }],
      price: { amount: 2490, currency: 'EUR' },
    },
  ],
  metadata: { 'example.certificates': certificate },
};

type Told = Json & {
  readonly conclusion: Json;
  readonly fields: Readonly<Record<string, { readonly result: string; readonly why?: string }>>;
};

const post = async (items: readonly unknown[], source?: string) =>
  (await scene.call('POST', '/api/v1/mc4p/items/verify', { items, ...(source && { source }) })).json
    .results as readonly {
    readonly status: number;
    readonly result?: Told;
    readonly problem?: Json;
  }[];

/** What the service says over HTTP of an item; the same that agents get, and, but for the registry, that the SDK says. */
async function told(changes: Json, source = SOURCE): Promise<Told> {
  const item = { ...ITEM, ...changes };
  const [answer] = await post([item], source);
  const result = answer?.result as Told;
  expect(itemContradictions(result as unknown as Parameters<typeof itemContradictions>[0])).toEqual([]);
  for (const { client } of clients) {
    const call = await client.callTool({
      name: 'verify_catalog_items',
      arguments: { items: [item], source },
    });
    const { results } = call.structuredContent as { readonly results: readonly { readonly result: Told }[] };
    expect(results[0]?.result).toEqual(result);
    expect(JSON.stringify(call.content)).toContain(String(result.conclusion.sentence));
  }
  if (item.metadata === ITEM.metadata) await expectOffline(item, source, result);
  return result;
}

/** The SDK and the command line say the same of the item; of a withdrawal and of the registry they know nothing offline. */
async function expectOffline(item: unknown, source: string, online: Told): Promise<void> {
  const read = readItem(item, { source });
  if (read === null) throw new Error('the item cannot be read');
  const trusting = { trustedIssuers: [scene.baseUrl], jwks };
  const bySdk = await verifyItem(read, { ...trusting, now: new Date(), source });
  const argv = [
    'feed',
    'verify',
    '-',
    '--issuer',
    scene.baseUrl,
    '--jwks',
    keys,
    '--source',
    source,
    '--json',
  ];
  const byCli = (await runCli(argv, { stdin: JSON.stringify([item]) })).json() as Told;
  for (const { fields, offeredBy, conclusion } of [bySdk, byCli])
    expect({ fields, offeredBy, code: conclusion.code }).toEqual({
      fields: online.fields,
      offeredBy: online.offeredBy,
      code: online.conclusion.code,
    });
}

const concluded = ({ status, conclusion: { level, code } }: Told) => [status, level, code];
const those = ({ fields }: Told, wanted: string) =>
  Object.entries(fields).flatMap(([name, { result }]) => (result === wanted ? [name] : []));

describe('an item of a feed', () => {
  scenario(
    'agrees with its certificate, over every transport, and is not good: its page was not seen',
    covers('ITEM-UNSEEN', 'ITEM-FIELDS'),
    async () => {
      const result = await told({});
      expect(concluded(result)).toEqual(['verified', 'none', 'item_agrees']);
      expect(those(result, 'agrees')).toEqual(['host', 'page', 'name', 'brand', 'sku', 'gtin', 'pictures']);
      expect(result.fields.price).toEqual({ result: 'not_compared', why: 'not_signed', stated: '24.90 EUR' });
      expect(result).toMatchObject({
        certificate: 'carried',
        place: 'metadata.example.certificates',
        offeredBy: 'shop.example',
        notCompared: ['description'],
        checks: { boundToUrl: true, domainVerified: true },
        withdrawal: { status: 'valid' },
      });
    },
  );

  scenario(
    'differs where it was altered: host, GTIN, picture, and with the certificate of another product',
    covers('ITEM-FIELDS', 'ITEM-UNSEEN'),
    async () => {
      const [variant] = ITEM.variants;
      const changed = (changes: Json) => ({ variants: [{ ...variant, ...changes }] });
      const copied = await told({ url: 'http://copy.example/products/kettle' });
      expect(concluded(copied)).toEqual(['failed', 'bad', 'another_host']);
      expect(those(copied, 'differs')).toEqual(['host', 'page']);
      const gtin = await told(changed({ barcodes: [{ type: 'EAN', value: '4012345123463' }] }));
      expect([concluded(gtin), those(gtin, 'differs')]).toEqual([
        ['verified', 'caution', 'item_differs'],
        ['gtin'],
      ]);
      expect(gtin.fields.gtin).toEqual({ result: 'differs', signed: GTIN, stated: '4012345123463' });
      const media = [...ITEM.media, { type: 'image', url: 'http://shop.example/images/teapot-front.jpg' }];
      const swapped = await told({ media });
      expect([concluded(swapped), those(swapped, 'differs')]).toEqual([
        ['verified', 'caution', 'item_differs'],
        ['pictures'],
      ]);
      const other = await told({ metadata: { 'example.certificates': ofTeapot } });
      expect(concluded(other)).toEqual(['failed', 'bad', 'another_page']);
      const both = await told({ metadata: { 'example.certificates': ofTeapot }, url: teapot.url });
      expect([concluded(both), those(both, 'differs')]).toEqual([
        ['verified', 'caution', 'item_differs'],
        ['name', 'sku', 'pictures'],
      ]);
    },
  );

  scenario(
    'is named with who offers it, and not to be bought from another than it is signed for',
    covers('ITEM-OFFERED'),
    async () => {
      const result = await told({}, 'https://copy.example/.well-known/ucp');
      expect(concluded(result)).toEqual(['verified', 'caution', 'item_offered_elsewhere']);
      expect(result.offeredBy).toBe('copy.example');
      const [unnamed] = await post([ITEM]);
      expect(unnamed?.result).not.toHaveProperty('offeredBy');
      expect(unnamed?.result?.conclusion.code).toBe('item_agrees');
    },
  );

  scenario(
    'without a certificate has the one that is published for its page, if there is one',
    covers('ITEM-FOUND'),
    async () => {
      const found = await told({ metadata: {} });
      expect([concluded(found), found.certificate]).toEqual([
        ['verified', 'none', 'item_agrees'],
        'by_address',
      ]);
      const flat = { item_id: 'kettle', title: 'The pot', url: kettle.url, price: '24.90 EUR' };
      const [byAddress, elsewhere] = await post([flat, { ...flat, url: 'http://shop.example/products/mug' }]);
      expect(byAddress?.result?.conclusion.code).toBe('item_differs');
      expect(concluded(elsewhere?.result as Told)).toEqual(['unverified', 'none', 'unverified']);
      expect(elsewhere?.result).toMatchObject({ certificate: 'none' });
    },
  );

  scenario(
    'that cannot be read has a fault of its own, and affects no other',
    covers('ITEM-FOUND', 'ERR-BODY', 'LIMIT-SIZES'),
    async () => {
      const large = { ...ITEM, description: 'x'.repeat(1024 * 1024) };
      const results = await post([ITEM, { a: 1 }, 7, large, JSON.stringify(ITEM)], SOURCE);
      expect(results.map(({ status }) => status)).toEqual([200, 422, 422, 413, 200]);
      expect(results[1]?.problem).toMatchObject({ code: 'item_unreadable', status: 422 });
      expect(results[4]?.result).toEqual(results[0]?.result);
      for (const items of [[], Array.from({ length: 101 }, () => ITEM)]) {
        const { status } = await scene.call('POST', '/api/v1/mc4p/items/verify', { items });
        expect(status).toBe(422);
      }
    },
  );

  scenario(
    'with a withdrawn or stale certificate is not to be relied on',
    covers('ITEM-UNSEEN', 'WITHDRAWAL'),
    async () => {
      const mug = await store.product('mug');
      const ofMug = await scene.certificate(mug.id);
      const item = { ...ITEM, title: 'The mug', url: mug.url, media: [], brand: undefined };
      const carried = { ...item, variants: [], metadata: { 'example.certificates': ofMug } };
      const status = async () => concluded((await post([carried]))[0]?.result as Told);
      expect(await status()).toEqual(['verified', 'none', 'item_agrees']);
      await scene.operate('POST', `/products/${mug.id}/withdraw`, { reason: 'published by mistake' });
      expect(await status()).toEqual(['failed', 'bad', 'withdrawn']);
      await scene.operate('DELETE', `/products/${mug.id}`);
      expect(await status()).toEqual(['failed', 'bad', 'withdrawn']);
      const stale = await scene.signedAnew(certificate, { iat: 1_700_000_000, exp: 1_700_604_800 });
      const expired = (await post([{ ...ITEM, metadata: { a: stale } }]))[0]?.result as Told;
      expect(concluded(expired)).toEqual(['failed', 'caution', 'certificate_expired']);
    },
  );
});
