import type { Shop } from '../../../test/kit/shop.ts';
import type { Offer } from './offers.ts';
import type { ShopPictures } from './pictures.ts';

/** Addresses of the pictures of an offer, as its page states them. */
export const pictureUrls = (offer: Offer, pictures: ShopPictures): string[] =>
  pictures.placesOf(offer).map((place) => `${offer.url}/${place}.jpg`);

/** Serves the page of an offer and its pictures, made when they are asked for. */
export function serveOffer(shop: Shop, offer: Offer, pictures: ShopPictures, template: number): void {
  shop.put(offer.url, pageOf(offer, pictureUrls(offer, pictures), template));
  for (const place of pictures.placesOf(offer))
    shop.put(`${offer.url}/${place}.jpg`, (_, response) => {
      pictures.fileOf(offer, place).then(
        (bytes) => response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes),
        () => response.writeHead(500).end(),
      );
    });
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** As shops state products: JSON-LD with the GTIN as its article number or beside one, microdata, or Open Graph alone. */
function pageOf({ name, text = '', gtin }: Offer, images: readonly string[], template: number): string {
  const body = `<h1>${escaped(name)}</h1><p>${escaped(text)}</p>${images.map((src) => `<img src="${src}" alt="">`).join('')}`;
  const page = (head: string, main: string) =>
    `<!doctype html><html lang="en"><head><title>${escaped(name)}</title>${head}</head><body><main>${main}</main></body></html>`;
  switch (template % 4) {
    case 0:
    case 1: {
      const codes =
        gtin === undefined ? {} : template % 4 === 0 ? { sku: gtin, gtin13: gtin } : { gtin13: gtin };
      const node = {
        '@context': 'https://schema.org',
        '@type': 'Product',
        name,
        description: text,
        image: images,
      };
      const json = JSON.stringify({ ...node, ...codes }).replaceAll('<', '\\u003c');
      return page(`<script type="application/ld+json">${json}</script>`, body);
    }
    case 2:
      return page(
        '',
        `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">${escaped(name)}</h1>
        <p itemprop="description">${escaped(text)}</p>${gtin === undefined ? '' : `<meta itemprop="sku" content="${gtin}">`}
        ${images.map((src) => `<img itemprop="image" src="${src}" alt="">`).join('')}</div>`,
      );
    default:
      return page(
        `<meta property="og:type" content="product"><meta property="og:title" content="${escaped(name)}">
        ${images.map((src) => `<meta property="og:image" content="${src}">`).join('')}`,
        body,
      );
  }
}
