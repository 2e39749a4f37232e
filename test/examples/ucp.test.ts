import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';
import { freePort } from '../kit/servers.ts';
import { type Json, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const run = promisify(execFile);
const NAME = 'example.certificates.shopping.product_certificate';
const folder = useFolder('ucp');
const scene = await useScene();
const store = await scene.store('shop.example');
const GTIN = '4012345123456';

const priced = (name: string) => ({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name,
  offers: { '@type': 'Offer', price: '39.00', priceCurrency: 'EUR' },
});

/** A product whose page carries its certificate, as the shop's own catalogue has it: without a certificate. */
async function sold(id: string, changes: Json = {}) {
  const title = `The ${id} kettle`;
  const { id: productId, url } = await store.product(id, {
    name: title,
    sku: `K-${id}`,
    gtin: GTIN,
    ...changes,
  });
  const certificate = await scene.certificate(productId);
  scene.shop.put(url, productPage(certificate, priced(title)));
  const price = { amount: 3900, currency: 'EUR' };
  const description = { plain: 'For tea' };
  const item = {
    id,
    title,
    description,
    url,
    price_range: { min: price, max: price },
    media: [{ type: 'image', url: `http://shop.example/images/${id}-front.jpg` }],
    variants: [
      { id: `${id}-1`, sku: `K-${id}`, title, description, price, barcodes: [{ type: 'GTIN', value: GTIN }] },
    ],
  };
  return { productId, certificate, item };
}

const children: { readonly kill: () => boolean }[] = [];
afterAll(() => {
  for (const child of children) child.kill();
});

/** Starts the example for one host; returns where it is. */
async function openCatalogue(host: string, products: readonly object[]): Promise<string> {
  const file = join(folder, `${host}.json`);
  await writeFile(file, JSON.stringify(products));
  const port = await freePort();
  const args = [join(ROOT, 'examples/ucp-shop.ts'), scene.service.url, file, `http://${host}`, String(port)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return `127.0.0.1:${port}`;
}

it('examples/ucp-agent.ts buys from the genuine catalogue, and refuses five cheats', async () => {
  const genuine = await sold('copper');
  const other = await sold('steel');
  const withdrawn = await sold('enamel');
  await scene.operate('POST', `/products/${withdrawn.productId}/withdraw`, { reason: 'recalled' });
  const stale = await scene.signedAnew(genuine.certificate, { iat: 1_700_000_000, exp: 1_700_604_800 });
  const { item } = genuine;
  const [variant] = item.variants;
  const cheat = (id: string, certificate: Json, changes: Json = {}) => ({
    ...item,
    id,
    metadata: { [NAME]: certificate },
    ...changes,
  });
  const shop = await openCatalogue('shop.example', [
    item,
    cheat('altered-gtin', genuine.certificate, {
      variants: [{ ...variant, barcodes: [{ type: 'GTIN', value: '4012345123463' }] }],
    }),
    cheat('swapped-picture', genuine.certificate, {
      media: [...item.media, { type: 'image', url: 'http://shop.example/images/gold-front.jpg' }],
    }),
    cheat('stale', stale),
    { ...withdrawn.item, metadata: { [NAME]: withdrawn.certificate } },
    cheat('other-product', other.certificate),
    cheat('cheaper', genuine.certificate, {
      variants: [{ ...variant, price: { amount: 900, currency: 'EUR' } }],
    }),
  ]);
  const copy = await openCatalogue('copy.example', [
    cheat('copied', genuine.certificate, { url: 'http://copy.example/products/copper' }),
    cheat('genuine-link', genuine.certificate),
  ]);
  const args = ['kettle', 'http://shop.example', 'http://copy.example', 'http://unreachable.example'];
  const { stdout } = await run(
    process.execPath,
    [join(ROOT, 'examples/ucp-agent.ts'), `${scene.service.url}/mcp`, ...args],
    { env: { ...process.env, CONNECT_TO: `shop.example=${shop},copy.example=${copy}` } },
  );
  expect(stdout.trim().split('\n')).toEqual([
    'http://shop.example "copper": buy "The copper kettle" at 39.00 EUR',
    'http://shop.example "altered-gtin": leave it: item_differs (gtin)',
    'http://shop.example "swapped-picture": leave it: item_differs (pictures)',
    'http://shop.example "stale": leave it: certificate_expired',
    'http://shop.example "enamel": leave it: withdrawn',
    'http://shop.example "other-product": leave it: another_page (page, name, sku, pictures)',
    'http://shop.example "cheaper": leave it: the page asks "39.00", the catalogue "9.00"',
    'http://copy.example "copied": leave it: another_host (host, page)',
    'http://copy.example "genuine-link": leave it: item_offered_elsewhere',
    'http://unreachable.example: could not ask: "http://unreachable.example/.well-known/ucp is not https"',
  ]);
});

it('examples/ucp-shop.ts answers search, lookup and product as UCP has them', async () => {
  const { item, certificate } = await sold('iron');
  const at = await openCatalogue('iron.example', [item]);
  const ask = async (operation: string, body: object) => {
    const answer = await fetch(`http://${at}/ucp/v1/catalog/${operation}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    return { status: answer.status, json: (await answer.json()) as Json };
  };
  const certified = { ...item, metadata: { [NAME]: certificate } };
  expect((await ask('search', { query: 'Iron kettle' })).json).toMatchObject({
    ucp: { status: 'success', capabilities: { [NAME]: [{ version: '2026-11-28' }] } },
    products: [certified],
  });
  expect((await ask('search', { query: 'teapot' })).json.products).toEqual([]);
  const { json } = await ask('lookup', { ids: ['iron-1', 'iron', 'none'] });
  expect(json).toMatchObject({
    products: [{ id: 'iron', metadata: certified.metadata }],
    messages: [{ code: 'not_found', content: 'none' }],
  });
  const [{ variants }] = json.products as [{ readonly variants: readonly Json[] }];
  expect(variants[0]?.inputs).toEqual([
    { id: 'iron-1', match: 'exact' },
    { id: 'iron', match: 'featured' },
  ]);
  expect((await ask('product', { id: 'iron-1' })).json).toMatchObject({ product: certified });
  expect((await ask('product', { id: 'none' })).json).toMatchObject({ ucp: { status: 'error' } });
  expect((await ask('lookup', { ids: [] })).status).toBe(400);
});
