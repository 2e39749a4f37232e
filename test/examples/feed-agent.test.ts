import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { ROOT } from '../kit/imports.ts';
import { type Json, useScene } from '../kit/service.ts';
import { productPage } from '../kit/shop.ts';

const ISSUER = 'https://certificates.example';
const GTIN = '4012345123456';
const scene = await useScene();
const store = await scene.store('shop.example');

/** A product whose page carries its certificate and asks 39.00 EUR. */
async function sold(id: string) {
  const name = `The ${id} kettle`;
  const { id: productId, url } = await store.product(id, { name, sku: `K-${id}`, gtin: GTIN });
  const certificate = await scene.certificate(productId);
  const offers = { '@type': 'Offer', price: '39.00', priceCurrency: 'EUR' };
  const stated = { '@context': 'https://schema.org', '@type': 'Product', name, offers };
  scene.shop.put(url, productPage(certificate, stated));
  const picture = `http://shop.example/images/${id}-front.jpg`;
  return {
    productId,
    certificate,
    item: { id, title: name, link: url, picture, gtin: GTIN },
  };
}

const element = (name: string, value: string) =>
  `<${name}>${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</${name}>`;

/** An item of a Google feed. */
function feedItem(
  { id, title, link, picture, gtin, price = '39.00 EUR' }: Record<string, string>,
  certificate: Json,
): string {
  const values = {
    'g:id': id,
    title,
    link,
    'g:image_link': picture,
    'g:gtin': gtin,
    'g:price': price,
  };
  const elements = Object.entries(values).map(([name, value = '']) => element(name, value));
  return `<item>${elements.join('')}${element('svc:certificate', JSON.stringify(certificate))}</item>`;
}

async function decisions(items: readonly string[], offeredBy = 'http://shop.example'): Promise<string[]> {
  const feed = `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0" xmlns:svc="${ISSUER}/ns#"><channel>${items.join('\n')}</channel></rss>`;
  const args = [join(ROOT, 'examples/feed-agent.ts'), scene.service.url, offeredBy];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ISSUER },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(feed);
  return (await text(child.stdout)).trim().split('\n');
}

it('examples/feed-agent.ts buys the genuine item of a feed, and refuses five cheats', async () => {
  const { item, certificate } = await sold('copper');
  const other = await sold('steel');
  const withdrawn = await sold('enamel');
  await scene.operate('POST', `/products/${withdrawn.productId}/withdraw`, { reason: 'recalled' });
  const stale = await scene.signedAnew(certificate, { iat: 1_700_000_000, exp: 1_700_604_800 });
  const told = await decisions([
    feedItem(item, certificate),
    feedItem({ ...item, id: 'other-host', link: 'http://copy.example/products/copper' }, certificate),
    feedItem({ ...item, id: 'altered-gtin', gtin: '4012345123463' }, certificate),
    feedItem(
      { ...item, id: 'swapped-picture', picture: 'http://shop.example/images/gold-front.jpg' },
      certificate,
    ),
    feedItem({ ...item, id: 'stale' }, stale),
    feedItem(withdrawn.item, withdrawn.certificate),
    feedItem({ ...item, id: 'other-product' }, other.certificate),
    feedItem({ ...item, id: 'cheaper', price: '9.00 EUR' }, certificate),
  ]);
  expect(told).toEqual([
    '"copper": buy "The copper kettle" at 39.00 EUR',
    '"other-host": leave it: another_host (host, page)',
    '"altered-gtin": leave it: item_differs (gtin)',
    '"swapped-picture": leave it: item_differs (pictures)',
    '"stale": leave it: certificate_expired',
    '"enamel": leave it: its page is withdrawn',
    '"other-product": leave it: another_page (page, name, pictures)',
    '"cheaper": leave it: the page asks "39.00", the feed "9.00"',
  ]);
  expect(await decisions([feedItem(item, certificate)], 'http://copy.example')).toEqual([
    '"copper": leave it: item_offered_elsewhere',
  ]);
});
