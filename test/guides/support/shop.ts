import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from '../../kit/imports.ts';
import { httpServer, type TestServer } from '../../kit/servers.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml',
  '.png': 'image/png',
};
const PRODUCTS = { cup: 'Cup', bowl: 'Bowl' } as const;

/** Serves what is in the folder `dist` of a reader, as the shop of the guides. */
export function serveSite(folder: string): Promise<TestServer> {
  return httpServer((request, response) => {
    const path = join(folder, 'dist', decodeURIComponent((request.url ?? '/').replace(/\?.*/, '')));
    const file = [join(path, 'index.html'), path].find((one) =>
      statSync(one, { throwIfNoEntry: false })?.isFile(),
    );
    response.writeHead(file === undefined ? 404 : 200, {
      'content-type': TYPES[extname(file ?? '')] ?? 'text/plain; charset=utf-8',
    });
    response.end(file === undefined ? '' : readFileSync(file));
  });
}

/** A built site with two products, and its product feed beside it. */
export function writeSite(folder: string, shop: string): void {
  const dist = join(folder, 'dist');
  mkdirSync(join(dist, 'pictures'), { recursive: true });
  const picture = readFileSync(join(ROOT, 'docs/screenshots/badge.png'));
  const items: string[] = [];
  for (const [handle, name] of Object.entries(PRODUCTS)) {
    const url = `${shop}/products/${handle}`;
    const image = `${shop}/pictures/${handle}.png`;
    const product = {
      '@context': 'https://schema.org/',
      '@type': 'Product',
      name,
      sku: handle,
      url,
      image,
      offers: {
        '@type': 'Offer',
        price: '12.00',
        priceCurrency: 'EUR',
        availability: 'https://schema.org/InStock',
      },
    };
    mkdirSync(join(dist, 'products', handle), { recursive: true });
    writeFileSync(join(dist, 'pictures', `${handle}.png`), picture);
    writeFileSync(
      join(dist, 'products', handle, 'index.html'),
      `<!doctype html><html lang="en"><head><title>${name}</title><link rel="canonical" href="${url}">` +
        `<script type="application/ld+json">${JSON.stringify(product)}</script></head><body><h1>${name}</h1></body></html>`,
    );
    items.push(
      `<item><g:id>${handle}</g:id><title>${name}</title><link>${url}</link><g:image_link>${image}</g:image_link>` +
        '<g:price>12.00 EUR</g:price><g:availability>in_stock</g:availability></item>',
    );
  }
  writeFileSync(
    join(dist, 'index.html'),
    '<!doctype html><html lang="en"><head><title>Shop</title></head><body><h1>Shop</h1></body></html>',
  );
  const pages = Object.keys(PRODUCTS).map((handle) => `<url><loc>${shop}/products/${handle}</loc></url>`);
  writeFileSync(
    join(dist, 'sitemap.xml'),
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages.join('')}</urlset>`,
  );
  const feed = `<?xml version="1.0"?><rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>Shop</title><link>${shop}</link>${items.join('')}</channel></rss>`;
  writeFileSync(join(folder, 'feed.xml'), feed);
  writeFileSync(join(folder, 'feed.xml.gz'), gzipSync(feed));
}
